"""Anybody who played can object to a rated result, for a time. Staff reject or correct."""

from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction

from league.models import (
    Agreement,
    Arena,
    Match,
    Notice,
    NoticeKind,
    Objection,
    Player,
    Settlement,
    StaffAction,
    Status,
)
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dishonor.bans import ban, lift
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.live import StartingSide, start
from league.services.results.rules.limits import (
    MOST_OBJECTIONS,
    MOST_OPEN_OBJECTIONS,
    OBJECTIONS_WITHIN,
)
from league.services.results.staff import objections
from league.services.results.staff.decisions import decide
from league.services.results.staff.entering import enter
from league.services.results.staff.objections import closes_at, object_to
from league.services.results.staff.threads import write
from tests.support.cast import NOW, beats
from tests.support.concurrency import all_at_once
from tests.support.objection_steps import objects, rating_of, refused, rejects, team_match, told
from tests.support.result_steps import placed, rules, user_of
from tests.support.season_steps import win

__all__ = ["team_match"]


DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
WINDOW = 2 * DAY


@pytest.fixture
def rated_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return win(duel, alice, charlie)


# Who may object


def test_an_objection_leaves_the_result_as_it_is(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    before = rating_of(alice), rating_of(charlie)
    objection = objects(rated_match, charlie, reason="  It was a draw.  ")
    rated_match.refresh_from_db()
    assert (rated_match.status, rated_match.settlement, rated_match.rated_order) == (
        Status.RATED,
        Settlement.CAPTAIN,
        rated_match.rated_order,
    )
    assert (rating_of(alice), rating_of(charlie)) == before
    assert (objection.reason, objection.side, objection.state) == ("It was a draw.", 1, "open")
    assert told(alice, NoticeKind.DISPUTED, rated_match)
    assert not told(charlie, NoticeKind.DISPUTED, rated_match)
    assert verify(rated_match.season) == []


def test_everyone_who_played_can_object_and_nobody_else(
    team_match: Match, bob: Player, dora: Player, eve: Player, olga: Player
) -> None:
    assert refused(team_match, eve) == "not_playing"
    assert refused(team_match, olga) == "not_playing"
    assert objects(team_match, dora).side == 1
    assert refused(team_match, bob) == "objected"


def test_a_winner_and_a_quitter_can_object(duel: Arena, alice: Player, charlie: Player) -> None:
    match = win(duel, alice, charlie)
    match.participants.update(quit=True)
    assert objects(match, alice).side == 0


def test_banned_players_cannot_object(
    rated_match: Match, duel: Arena, charlie: Player, olga: Player
) -> None:
    ban(charlie, arena=duel, by=user_of(olga), reason="Cheating.", now=NOW)
    with pytest.raises(Forbidden, match="banned"):
        object_to(rated_match.pk, by=charlie, reason="A draw.", now=NOW)
    assert not Objection.objects.exists()
    lift(charlie, by=user_of(olga), reason="A mistake.", now=NOW)
    objects(rated_match, charlie)


@pytest.mark.parametrize("reason", ["", "  ", "\n\t"])
def test_an_objection_needs_a_reason(rated_match: Match, charlie: Player, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        object_to(rated_match.pk, by=charlie, reason=reason, now=NOW)
    assert refusal.value.field == "reason"
    assert not Objection.objects.exists()


# What can be objected to, and until when


def test_the_window_is_two_days_after_the_rating(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel, now=NOW - DAY)
    confirm(match.pk, by=charlie, now=NOW)
    match.refresh_from_db()
    assert closes_at(match) == NOW + WINDOW
    assert refused(match, charlie, now=NOW + WINDOW) == "too_late"
    objects(match, charlie, now=NOW + WINDOW - SECOND)


def test_an_arena_chooses_its_window(
    rated_match: Match, duel: Arena, alice: Player, charlie: Player
) -> None:
    rules(duel, objection_window="30d")
    objects(rated_match, charlie, now=NOW + 30 * DAY - SECOND)
    other = win(duel, alice, charlie)
    rules(duel, objection_window="1h")
    assert refused(other, charlie, now=NOW + timedelta(hours=1)) == "too_late"
    rules(duel, objection_window=0)
    assert refused(other, charlie) == "final"


@pytest.mark.parametrize(("month", "day", "hour"), [(3, 28, 21), (10, 24, 19)])
def test_two_days_are_48_hours_when_the_clocks_change(
    duel: Arena, alice: Player, charlie: Player, month: int, day: int, hour: int
) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    duel.time_zone = "Europe/Berlin"
    duel.save()
    rated_at = datetime(2026, month, day, 20, tzinfo=berlin).astimezone(UTC)
    match = win(duel, alice, charlie, now=rated_at)
    match = Match.objects.get(pk=match.pk)
    closes = closes_at(match)
    assert closes == rated_at + timedelta(hours=48)
    assert closes.astimezone(berlin).hour == hour
    assert refused(match, charlie, now=closes) == "too_late"
    objects(match, charlie, now=closes - SECOND)


def test_reports_live_matches_and_void_ones_have_their_own_answers(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    reported = beats(alice, charlie, duel)
    assert refused(reported, charlie) == "reported"
    disputed = dispute(reported.pk, by=charlie, reason="A draw.", now=NOW)
    assert refused(disputed, charlie) == "disputed"
    decide(reported.pk, verdict=StaffAction.Kind.VOIDED, by=user_of(olga), reason="Never.", now=NOW)
    assert refused(reported, charlie) == "void"
    sides = [StartingSide(player, [player]) for player in (alice, charlie)]
    live = start(duel, sides, now=NOW, agreed_by=Agreement.READY_CHECK)
    assert refused(live, charlie) == "live"
    with pytest.raises(Refused, match="no such match"):
        object_to(0, by=charlie, reason="A draw.", now=NOW)


def test_ranks_lost_and_imported_results_are_final(rated_match: Match, charlie: Player) -> None:
    Match.objects.filter(pk=rated_match.pk).update(kind=Match.Kind.FORFEIT)
    assert refused(rated_match, charlie) == "final"
    Match.objects.filter(pk=rated_match.pk).update(
        kind=Match.Kind.GAME, settlement=Settlement.IMPORT
    )
    assert refused(rated_match, charlie) == "final"


def test_what_staff_decided_after_a_dispute_is_final(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = dispute(beats(alice, charlie, duel).pk, by=charlie, reason="A draw.", now=NOW)
    decide(match.pk, verdict=StaffAction.Kind.UPHELD, by=user_of(olga), reason="Replay", now=NOW)
    assert refused(match, charlie) == "decided"


def test_an_entered_result_can_be_objected_to(
    melee: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    match = enter(
        melee,
        placed(alice, bob, charlie),
        by=user_of(olga),
        reason="Played on site.",
        played_at=NOW - timedelta(hours=1),
        now=NOW,
    )
    assert match.settlement == Settlement.STAFF
    objects(match, charlie)


# One at a time, and not too many


def test_nobody_objects_twice(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    objects(rated_match, charlie)
    assert refused(rated_match, charlie) == "objected"
    with pytest.raises(Conflict, match="Charlie has already objected"):
        object_to(rated_match.pk, by=alice, reason="3:1.", now=NOW)
    rejects(rated_match, olga)
    assert refused(rated_match, charlie) == "objected_before"


def test_an_early_objection_takes_the_other_side_nothing(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    objects(rated_match, alice, reason="Nothing is wrong.")
    write(rated_match.pk, by=user_of(charlie), player=charlie, text="I won.", now=NOW)
    rejects(rated_match, olga)
    assert objects(rated_match, charlie, now=NOW + DAY).state == "open"


def test_a_side_objects_once(
    team_match: Match, charlie: Player, dora: Player, olga: Player
) -> None:
    objects(team_match, dora)
    rejects(team_match, olga)
    assert refused(team_match, charlie) == "objected_before"


def test_staff_need_not_read_more_than_a_few_objections_of_one_player(
    duel: Arena, alice: Player, charlie: Player, olga: Player, countless_reports: None
) -> None:
    matches = [win(duel, alice, charlie) for _number in range(MOST_OBJECTIONS + 1)]
    for number, match in enumerate(matches[:MOST_OBJECTIONS]):
        if number and number % MOST_OPEN_OBJECTIONS == 0:
            with pytest.raises(LimitReached, match="5 objections of yours wait") as waiting:
                object_to(match.pk, by=charlie, reason="A draw.", now=NOW)
            assert waiting.value.wait is None
            for earlier in matches[:number]:
                rejects(earlier, olga)
        objects(match, charlie)
    for match in matches[MOST_OPEN_OBJECTIONS:MOST_OBJECTIONS]:
        rejects(match, olga)
    with pytest.raises(LimitReached, match="within 7 days") as limit:
        object_to(matches[-1].pk, by=charlie, reason="A draw.", now=NOW + DAY)
    assert limit.value.wait == (OBJECTIONS_WITHIN - DAY).total_seconds()
    rules(duel, objection_window="8d")
    objects(matches[-1], charlie, now=NOW + OBJECTIONS_WITHIN)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_object_at_once_one_does(
    rated_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    answers = all_at_once(
        [
            partial(object_to, rated_match.pk, by=player, reason="A draw.", now=NOW)
            for player in (alice, charlie) * 4
        ]
    )
    assert Objection.objects.count() == 1
    refusals = [answer for answer in answers if isinstance(answer, Conflict)]
    assert {answer.code for answer in refusals} == {"objected"}
    assert len(refusals) == 7
    assert Notice.objects.filter(kind=NoticeKind.DISPUTED).count() == 1


@pytest.mark.django_db(transaction=True)
def test_objections_at_the_same_instant_do_not_pass_the_limit(
    duel: Arena, alice: Player, charlie: Player, countless_reports: None
) -> None:
    matches = [win(duel, alice, charlie) for _number in range(8)]
    all_at_once([partial(object_to, m.pk, by=charlie, reason="A draw.", now=NOW) for m in matches])
    assert Objection.objects.count() == MOST_OPEN_OBJECTIONS


def test_the_database_keeps_one_open_objection_and_one_of_each_side(
    rated_match: Match, alice: Player, charlie: Player
) -> None:
    objection = objects(rated_match, charlie)
    for index, state, closed_at in ((0, "open", None), (1, "lapsed", NOW)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Objection.objects.create(
                match=rated_match,
                side=index,
                player=alice,
                at=NOW,
                state=state,
                closed_at=closed_at,
            )
    with pytest.raises(IntegrityError, match="has_its_decision"), transaction.atomic():
        Objection.objects.filter(pk=objection.pk).update(state="rejected", closed_at=NOW)
    with pytest.raises(IntegrityError, match="has_its_time"), transaction.atomic():
        Objection.objects.filter(pk=objection.pk).update(state="lapsed")


def test_side_helpers_know_outsiders(rated_match: Match, alice: Player, eve: Player) -> None:
    assert objections.side_of(rated_match, alice) == 0
    assert objections.side_of(rated_match, eve) is None
    assert objections.side_of(rated_match, None) is None
