"""A league goes back to earlier releases and forward again, and keeps what they know.

Migrating is slow, so everything is prepared in one league, which goes back once. Each part says
where it wants to look: first how far back, then perhaps how far forward from there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, connection, transaction

from league.models import (
    Agreement,
    ArenaQueue,
    Arrangement,
    Challenge,
    MailPreference,
    Match,
    Notice,
    NoticeKind,
    Objection,
    Player,
    Proposal,
    Roster,
    Side,
    StaffAction,
    Status,
    User,
)
from league.services.dates.answers import accept
from league.services.dates.changing import ask_to_move, call_off
from league.services.dates.no_shows import claim as claim_no_show
from league.services.dates.no_shows import concede
from league.services.dates.proposals import propose
from league.services.dates.rules import NO_SHOW_AFTER
from league.services.dishonor import bans
from league.services.notices.writing import notify
from league.services.people import claims
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.staff.objections import object_to, withdraw
from tests.support import databases
from tests.support.cast import NOW, account, arena, beats, roster
from tests.support.date_steps import SATURDAY, SUNDAY
from tests.support.effort import LONG
from tests.support.merge_steps import merged
from tests.support.migration_steps import LATEST, before_the_last, migrate_to
from tests.support.result_steps import rules
from tests.support.schema_file import LEFT_OUT, dump
from tests.support.season_steps import win

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import DjangoDbBlocker

Part = Iterator[str]
"""What looks at the league, and in between says at which release it wants to look next."""


def the_latest_migrations_can_be_undone() -> Part:
    match = win(arena("latest"), account("Once ahead"), account("Once behind"))
    assert match.status == Status.RATED
    latest, rated = lines_of_schema(), stored(match)
    yield before_the_last(10)
    assert lines_of_schema() != latest
    yield LATEST
    assert lines_of_schema() == latest
    assert stored(match) == rated


def lines_of_schema() -> Counter[str]:
    """Return the words of each line that pg_dump writes of the tables.

    A column that comes back is the last of its table, and conditions are written in other ways.
    """
    schema = dump(str(connection.settings_dict["NAME"]), "--schema-only")
    lines = LEFT_OUT.sub("", schema).splitlines()
    return Counter(" ".join(sorted(set(re.findall(r"\w+", line)))) for line in lines)


def stored(match: Match) -> list[Any]:
    """Return a match with what it has changed."""
    events = match.events.order_by("player").values_list("player", "rating_after")
    return [Match.objects.values("status", "played_at").get(pk=match.pk), list(events)]


def claims_stay_on_record() -> Part:
    olga = account("Olga of claims", superuser=True).user
    assert olga
    newcomer = User.objects.create(username="newcomer")
    old = Player.objects.create(name="Eve of old")
    asked = claims.claim(newcomer, old, evidence="Me.", now=NOW)
    claims.decide(asked.pk, approve=True, by=olga, reason="So.", now=NOW)
    actions = staff_actions(olga)
    yield "0033_names_and_lookalikes"
    yield LATEST
    assert staff_actions(olga) == actions
    assert [action["kind"] for action in actions] == ["claim"]


def merges_stay_on_record() -> Part:
    olga = account("Olga of merges", superuser=True).user
    assert olga
    here = arena("merges")
    kept, gone = account("Kept"), account("Gone")
    roster(here, "Bükk", kept)
    merged(kept, gone, olga)
    bans.ban(kept, arena=here, by=olga, reason="Insults.", now=NOW)
    bans.lift(kept, by=olga, reason="Pardon.", now=NOW)
    actions = staff_actions(olga)
    yield "0037_arrangements"
    yield LATEST
    assert staff_actions(olga) == actions
    assert [row.search_name for row in Roster.objects.filter(name="Bükk")] == ["bukk"]
    assert not Notice.objects.filter(player=kept, kind="unbanned").exists()
    assert Player.objects.filter(pk=gone.pk).exists()
    with pytest.raises(IntegrityError, match="staff_action_has_its_match"), transaction.atomic():
        StaffAction.objects.create(actor=olga, kind=StaffAction.Kind.VOIDED, at=NOW)


def staff_actions(by: User) -> list[Any]:
    """Return what an account did, without ``before`` and ``after``, which are lost with their
    columns on the way back."""
    kept = [
        field.attname
        for field in StaffAction._meta.concrete_fields
        if field.attname not in {"before", "after"}
    ]
    return list(StaffAction.objects.filter(actor=by).order_by("pk").values(*kept))


def dates_forget_what_came_later() -> Part:
    here = arena("dates")
    asking, asked = account("Asking"), account("Asked")
    called_off, moving, claimed = (
        propose(here, asked, SATURDAY + timedelta(hours=hour), by=asking, now=NOW)
        for hour in range(3)
    )
    for one in (called_off, moving, claimed):
        accept(one.pk, by=asked, seen=1, now=NOW)
    MailPreference.objects.create(player=asked, muted=["rated", "messaged", "waiting"])
    call_off(called_off.pk, by=asking, seen=1, reason="Ill.", now=NOW)
    ask_to_move(moving.pk, SUNDAY, by=asking, seen=1, now=NOW)
    claim_no_show(claimed.pk, by=asking, now=claimed.play_at + NO_SHOW_AFTER)
    yield "0037_arrangements"
    states = Arrangement.objects.order_by("pk").values_list("state", flat=True)
    assert list(states) == ["lapsed", "accepted", "accepted"]
    assert muted_by(asked) == ["rated"]
    kinds = Notice.objects.filter(player__in=[asking, asked]).values_list("kind", flat=True)
    assert set(kinds) == {"dated"}
    yield LATEST
    assert Arrangement.objects.get(pk=moving.pk).request is None
    assert Notice.objects.filter(kind=NoticeKind.DATED, arrangement=None).exists()
    match = concede(claimed.pk, by=asked, now=claimed.play_at + NO_SHOW_AFTER)
    assert match
    assert match.participants.count() == 2  # claims of before name nobody: each captain is alone


def objections_are_forgotten() -> Part:
    here = arena("objections")
    winner, loser = account("Winner"), account("Loser")
    rules(here, objection_window="7d", scores="lower")
    match = win(here, winner, loser)
    object_to(match.pk, by=loser, reason="A draw.", now=NOW)
    notify([winner], NoticeKind.UNDECIDED, NOW, match=match)
    MailPreference.objects.create(player=winner, muted=[NoticeKind.UNDECIDED, NoticeKind.RATED])
    yield "0037_arrangements"
    versions: Any = here
    kept, *older = versions.history.values_list("result_rules", flat=True)
    assert kept["scores"] == "lower"
    assert not any("objection_window" in rules for rules in (kept, *older))
    assert not Notice.objects.filter(kind="undecided").exists()
    assert Notice.objects.filter(match=match, kind="disputed").exists()
    assert muted_by(winner) == ["rated"]
    yield LATEST
    assert not Objection.objects.exists()
    assert Match.objects.get(pk=match.pk).status == Status.RATED
    object_to(match.pk, by=loser, reason="A draw.", now=NOW)


def withdrawn_objections_are_forgotten() -> Part:
    here = arena("withdrawn")
    winner, loser = account("Undisputed"), account("Disputing")
    match = win(here, winner, loser)
    object_to(match.pk, by=loser, reason="A draw.", now=NOW)
    withdraw(match.pk, by=loser, now=NOW)
    object_to(match.pk, by=loser, reason="Still a draw.", now=NOW)
    MailPreference.objects.create(player=winner, muted=[NoticeKind.WITHDRAWN, NoticeKind.RATED])
    yield "0045_limits"
    assert not Notice.objects.filter(kind="withdrawn").exists()
    assert muted_by(winner) == ["rated"]
    yield LATEST
    assert Objection.objects.get(match=match).reason == "Still a draw."


def permissions_for_dates_are_renamed() -> Part:
    assert names_of_date_permissions() == {"add date", "change date", "delete date", "view date"}
    yield "0045_limits"
    assert "view arrangement" in names_of_date_permissions()
    yield LATEST
    assert names_of_date_permissions() == {"add date", "change date", "delete date", "view date"}


def names_of_date_permissions() -> set[str]:
    rows = Permission.objects.filter(codename__endswith="_arrangement")
    return {name.removeprefix("Can ") for name in rows.values_list("name", flat=True)}


def muted_by(player: Player) -> list[str]:
    return MailPreference.objects.values_list("muted", flat=True).get(player=player)


def what_matches_restore_is_no_longer_a_setting() -> Part:
    here = arena("fair-play", season_rules={"fair_play": {"per_day": 7, "one_sided": 33}})
    season = here.seasons.get()
    yield "0049_match_lists"
    set_up = """
        UPDATE league_{table} SET {rules} =
            jsonb_set({rules}, '{{fair_play,restored_unranked}}', '1') WHERE id = %s
    """
    with connection.cursor() as cursor:
        cursor.execute(set_up.format(table="arena", rules="season_rules"), [here.pk])
        cursor.execute(set_up.format(table="season", rules="rules"), [season.pk])
    yield LATEST
    here.refresh_from_db()
    season.refresh_from_db()
    for chosen in (season.season_rules(), here.rules()):
        assert (chosen.fair_play.per_day, chosen.fair_play.one_sided) == (7, 33)


def open_matches_keep_what_their_sides_agreed_to() -> Part:
    here = arena("agreements")
    one, two, three, four = (account(f"Agreeing {number}") for number in range(4))
    reported = start(here, [StartingSide(player, [player]) for player in (one, two)], now=NOW)
    finish(reported.pk, [Finish(0), Finish(1)], reporter=one, now=NOW)
    live = start(here, [StartingSide(player, [player]) for player in (three, four)], now=NOW)
    for match in (reported, live):
        Proposal.objects.create(
            arena=here,
            proposed_at=NOW,
            deadline=NOW,
            closed_at=NOW,
            state=Proposal.State.ACCEPTED,
            match=match,
        )
    stranger = beats(one, four, here)
    User.objects.filter(player=four).update(is_active=False)
    yield "0030_plain_words"
    yield "0031_when_results_count"
    ready = Agreement.READY_CHECK
    assert agreements_of(reported) == [(ready, True, True), (ready, True, True)]
    assert agreements_of(live) == [(ready, True, False), (ready, True, False)]
    assert agreements_of(stranger) == [("", False, True), ("", False, False)]


def agreements_of(match: Match) -> list[tuple[str, bool, bool]]:
    """How each side agreed, and whether there are times of agreeing and of the notice."""
    rows = Side.objects.filter(match=match).order_by("index")
    stored = rows.values_list("agreed_by", "agreed_at", "notified_at")
    return [(by, agreed is not None, notified is not None) for by, agreed, notified in stored]


def matches_keep_their_kinds() -> Part:
    here = arena("kinds")
    season = here.seasons.get()
    one, other = account("Ignored"), account("Ignoring")
    game = beats(one, other, here)
    forfeit, decay = (
        Match.objects.create(
            arena=here, season=season, status=Status.VOID, played_at=NOW, kind=kind
        )
        for kind in (Match.Kind.FORFEIT, Match.Kind.DECAY)
    )
    Side.objects.create(match=forfeit, index=0, captain=one)
    Challenge.objects.create(
        season=season,
        challenger=other,
        challenged=one,
        state=Challenge.State.IGNORED,
        made_at=NOW,
        answer_by=NOW,
        closed_at=NOW,
        match=forfeit,
    )
    yield "0028_bans"
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM league_match WHERE NOT played ORDER BY id")
        assert cursor.fetchall() == [(forfeit.pk,), (decay.pk,)]
    yield "0029_match_kind"
    kinds = dict(Match.objects.filter(arena=here).values_list("pk", "kind"))
    assert kinds == {game.pk: "game", forfeit.pk: "forfeit", decay.pk: "decay"}


def modes_of_queues_become_those_of_their_arenas() -> Part:
    here, other = arena("modes"), arena("no-modes")
    for one in (here, other):
        ArenaQueue.objects.create(arena=one)
    yield "0049_match_lists"  # as far back as the other recent part: one way back for both
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE league_arenaqueue SET modes = '{Conquest,Stronghold}' WHERE arena_id = %s",
            [here.pk],
        )
    yield LATEST
    here.refresh_from_db()
    other.refresh_from_db()
    assert (here.modes, other.modes) == (["Conquest", "Stronghold"], [])


OLDER = [
    what_matches_restore_is_no_longer_a_setting,
    modes_of_queues_become_those_of_their_arenas,
    claims_stay_on_record,
    merges_stay_on_record,
    dates_forget_what_came_later,
    objections_are_forgotten,
    withdrawn_objections_are_forgotten,
    permissions_for_dates_are_renamed,
    open_matches_keep_what_their_sides_agreed_to,
    matches_keep_their_kinds,
]
"""They go back by some two hundred migrations and more, which takes a minute."""
PARTS = [the_latest_migrations_can_be_undone, *(OLDER if LONG else [])]


@pytest.fixture(scope="module")
def failures(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> dict[Callable[[], Part], AssertionError]:
    """What each part of the league found wrong on the way back and forth.

    Some migrations run outside transactions, so the database is renewed afterwards.
    """
    with django_db_blocker.unblock():
        found = go_back_and_forth({part: part() for part in PARTS})
        databases.renew()
    return found


def go_back_and_forth(
    parts: dict[Callable[[], Part], Part],
) -> dict[Callable[[], Part], AssertionError]:
    back = {name: next(part) for name, part in parts.items()}
    failures = {}
    for stop in sorted(set(back.values()), reverse=True):
        migrate_to(stop)
        forward: dict[str, list[Callable[[], Part]]] = {}
        for name in [name for name, where in back.items() if where == stop]:
            try:
                forward.setdefault(next(parts[name]), []).append(name)
            except AssertionError as error:
                failures[name] = error
        for wanted, names in forward.items():
            with databases.copied():
                migrate_to(wanted)
                for name in names:
                    try:
                        assert next(parts[name], None) is None
                    except AssertionError as error:
                        failures[name] = error
    return failures


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.__name__)
def test_a_league_survives_the_way_back_and_forth(
    part: Callable[[], Part], failures: dict[Callable[[], Part], AssertionError]
) -> None:
    if part in failures:
        raise failures[part]
