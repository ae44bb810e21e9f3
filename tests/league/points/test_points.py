"""Ladder points: awarded with each result, revised by corrections, and verified."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league import tasks
from league.models import (
    Arena,
    ArenaQueue,
    FinalPoints,
    Match,
    Player,
    PointEntry,
    PointTally,
    PointTotal,
    Season,
)
from league.services import corrections
from league.services.core.errors import Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.integrity.points import differences
from league.services.points import archiving, board
from league.services.queue import pairing, queueing
from league.services.results import live
from league.services.results.answers import confirm
from league.services.seasons.ending import freeze, preview
from tests.support.cast import NOW, account, beats, roster, side
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import correct
from tests.support.effort import examples
from tests.support.imported_histories import import_matches, played
from tests.support.point_steps import HALF_PAST, give, plays, with_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import User
    from league.services.corrections.point_changes import PointChanges


pytestmark = pytest.mark.django_db


@pytest.fixture
def ladder(db: None) -> Arena:
    return with_points()


def totals(arena: Arena) -> dict[str, tuple[int, int, int]]:
    rows = PointTotal.objects.filter(season__arena=arena).select_related("player")
    return {row.player.name: (row.points, row.matches, row.wins) for row in rows}


def entries(arena: Arena) -> list[tuple[Any, ...]]:
    """Return the current entries of the ledger without their ids."""
    rows = PointEntry.objects.filter(season__arena=arena).order_by(
        "match__rated_order", "player__name"
    )
    return list(
        rows.values_list(
            "match__external_id", "player__name", "odds", "score_ratio", "victory", "deserted",
            "points",
        )
    )  # fmt: skip


def ranks(page: board.PointsPage) -> list[tuple[int, str, int]]:
    return [(row.rank, row.name, row.points) for row in page.rows]


def test_each_participant_gets_points_by_odds_and_share_of_the_winning_score(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    first = plays(ladder, side(alice, place=0, score=500), side(bob, place=1, score=300))
    assert totals(ladder) == {"Alice": (1, 1, 1), "Bob": (-1, 1, 0)}
    entry = PointEntry.objects.get(match=first, player=bob)
    assert (entry.odds, entry.score_ratio, entry.victory, entry.points) == (0.5, 0.6, False, -1)
    # Bob is the outsider now, so the same score in defeat costs him less, and a victory gives more.
    for _ in range(6):
        plays(ladder, side(alice, place=0, score=500), side(charlie, place=1, score=0))
    last = plays(ladder, side(bob, place=0, score=500), side(alice, place=1, score=400))
    won = PointEntry.objects.get(match=last, player=bob)
    assert won.odds < 0.2
    assert won.points == 3
    assert PointEntry.objects.get(match=last, player=alice).points == -1
    assert differences(ladder.seasons.get()) == []
    assert verified(ladder) == "no differences"


def verified(arena: Arena) -> str:
    """Return the output of the command for the arena's season."""
    told = StringIO()
    call_command("verify_ratings", arena=arena.slug, stdout=told)
    return told.getvalue().strip().rpartition(", ")[2]


def test_a_deserter_gets_what_no_score_gives_and_has_no_victory(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    roster(ladder, "Owls", alice, bob)
    roster(ladder, "Foxes", charlie, dora)
    left = ReportedSide(alice, [PlayedBy(alice), PlayedBy(bob, quit=True)], 0, 500)
    plays(ladder, left, side(charlie, dora, place=1, score=0))
    assert totals(ladder)["Alice"] == (1, 1, 1)
    assert totals(ladder)["Bob"] == (-1, 1, 0)


def test_an_arena_without_points_gives_none(duel: Arena, alice: Player, bob: Player) -> None:
    plays(duel, side(alice, place=0), side(bob, place=1))
    assert not PointEntry.ever.exists()
    assert not PointTotal.objects.exists()
    assert differences(duel.seasons.get()) == []


def test_only_matches_of_the_window_give_points(alice: Player, bob: Player) -> None:
    until = (NOW - timedelta(minutes=30)).isoformat()
    ladder = with_points(points={"starts": "2026-02-01T00:00Z", "ends": until, "grace": "0s"})
    plays(ladder, side(alice, place=0), side(bob, place=1), now=datetime(2026, 1, 31, tzinfo=UTC))
    assert totals(ladder) == {}
    plays(ladder, side(alice, place=0), side(bob, place=1))
    assert totals(ladder)["Alice"][1] == 1
    plays(ladder, side(alice, place=0), side(bob, place=1), now=NOW + timedelta(minutes=31))
    assert totals(ladder)["Alice"][1] == 1
    assert differences(ladder.seasons.get()) == []


@pytest.fixture
def ending(ladder: Arena) -> Season:
    """A season with 30 minutes to go."""
    season = ladder.seasons.get()
    season.ends_at = HALF_PAST
    season.save()
    return season


def test_no_match_begins_in_the_grace_but_one_that_is_played_counts(
    ending: Season, ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    ladder.refresh_from_db()
    queue = ladder_queue(ladder)
    early = NOW - timedelta(minutes=31)
    started = live.start(
        ladder, [live.StartingSide(alice, [alice]), live.StartingSide(bob, [bob])], now=early
    )
    ticket = queueing.join(ladder, charlie, [charlie], now=early)
    assert ticket.arena == queue.arena

    for begin in (
        lambda: queueing.join(ladder, dora, [dora], now=NOW),
        lambda: live.start(
            ladder,
            [live.StartingSide(dora, [dora]), live.StartingSide(charlie, [charlie])],
            now=NOW,
        ),
    ):
        with pytest.raises(Refused, match="1 March 2026, 12:30") as refused:
            begin()
        assert refused.value.code == "grace"
    assert pairing.tick(ladder.pk, now=NOW, seed=1) is None

    # The match in flight ends when the season has, and belongs to it.
    late = HALF_PAST + timedelta(minutes=5)
    live.finish(started.pk, [live.Finish(0, 10.0), live.Finish(1, 0.0)], reporter=alice, now=late)
    confirm(started.pk, by=bob, now=late)
    assert totals(ladder)["Alice"] == (1, 1, 1)
    assert differences(ending) == []


def ladder_queue(arena: Arena) -> ArenaQueue:
    queue = ArenaQueue(arena=arena, rules={"queue": {"roster_min": 1}})
    queue.full_clean()
    queue.save()
    return queue


def test_equal_points_share_a_rank_and_fewer_matches_stand_first(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    season = ladder.seasons.get()
    gathered = {alice: (5, 9), bob: (7, 4), charlie: (5, 3), dora: (5, 3), eve: (0, 2)}
    give(season, gathered)
    page = board.page(season)
    expected = [(1, "Bob", 7), (2, "Charlie", 5), (2, "Dora", 5), (2, "Alice", 5)]
    assert ranks(page) == expected
    assert page.total == 4
    assert (page.previous, page.next) == (None, None)
    mine = board.points_standing(season, alice)
    assert mine
    assert (mine.rank, mine.points) == (2, 5)
    unlisted = board.points_standing(season, eve)
    assert unlisted
    assert unlisted.rank is None

    walked, place = [], None
    while True:
        part = board.page(season, after=place, count=2)
        walked += ranks(part)
        place = part.next
        if place is None:
            break
    assert walked == expected
    back = board.page(season, before=page.rows[3].cursor, count=2)
    assert ranks(back) == expected[1:3]
    assert back.previous
    assert ranks(board.page(season, before=back.previous, count=2)) == expected[:1]


def test_the_leaderboard_lists_players_with_enough_points_and_matches(
    alice: Player, bob: Player
) -> None:
    ladder = with_points(points={"leaderboard_points": 2, "leaderboard_matches": 3})
    season = ladder.seasons.get()
    for _ in range(2):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    assert board.page(season).rows == []
    plays(ladder, side(alice, place=0), side(bob, place=1))
    assert ranks(board.page(season)) == [(1, "Alice", 3)]
    correct(Match.objects.latest("pk"), superuser())
    assert board.page(season).rows == []
    assert differences(season) == []


def superuser() -> User:
    user = account("Olga", superuser=True).user
    assert user
    return user


def test_a_void_match_takes_its_points_away_and_a_correction_gives_others(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    season, olga_user = ladder.seasons.get(), superuser()
    first = plays(ladder, side(alice, place=0, score=9), side(bob, place=1, score=6))
    second = plays(ladder, side(bob, place=0, score=5), side(charlie, place=1, score=0))
    # Only a score is corrected, which moves no rating.
    correct(first, olga_user, [(0, 9.0), (1, 3.0)])
    entry = PointEntry.objects.get(match=first, player=bob)
    assert entry.score_ratio == pytest.approx(1 / 3)
    assert PointEntry.ever.filter(match=first, player=bob).count() == 2
    assert PointEntry.ever.filter(match=second).count() == 2
    assert differences(season) == []

    correct(first, olga_user)
    assert set(totals(ladder)) == {"Bob", "Charlie"}
    assert not PointEntry.objects.filter(match=first).exists()
    # Bob was the outsider by what was known when they played.
    assert totals(ladder)["Bob"] == (2, 1, 1)
    assert differences(season) == []
    assert verified(ladder) == "no differences"


@pytest.mark.parametrize("new_result", [False, True], ids=["void", "new result"])
@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is undone
)
@given(data=st.data())
def test_points_after_a_correction_are_those_of_a_history_without_the_mistake(
    db: None, new_result: bool, data: st.DataObject
) -> None:
    told = data.draw(played("glicko-2", most=10), "told")
    wrong = data.draw(st.integers(0, len(told) - 1), "wrong")
    with transaction.atomic():
        one, other = (with_points(slug, sides_max=4) for slug in ("one", "other"))
        for each in (one, other):
            Arena.objects.filter(pk=each.pk).update(team_size_max=3)
            each.refresh_from_db()
        import_matches(one, told)
        before = entries(one)
        assert len(before) == sum(len(s.participants) for match in told for s in match.sides)
        match = Match.objects.get(arena=one, external_id=told[wrong].match_id)
        placings: list[tuple[int, float | None]] | None = None
        straight = list(told)
        if new_result:
            count = len(told[wrong].sides)
            placings = [(count - 1 - index, 2.0 + index) for index in range(count)]
            straight[wrong] = type(told[wrong])(
                told[wrong].match_id,
                told[wrong].played_at_us,
                [
                    type(side)(place, side.participants, score)
                    for side, (place, score) in zip(told[wrong].sides, placings, strict=True)
                ],
                told[wrong].weight,
            )
        else:
            del straight[wrong]
        staff = superuser()
        had = totals(one)
        foreseen = corrections.preview(match, by=staff, placings=placings).points
        assert totals(one) == had
        correct(match, staff, placings)
        check_foreseen(foreseen, match, had, totals(one))
        import_matches(other, straight)
        assert entries(one) == entries(other)
        assert totals(one) == totals(other)
        assert ranks(board.page(one.seasons.get())) == ranks(board.page(other.seasons.get()))
        assert differences(one.seasons.get()) == []
        transaction.set_rollback(True)


def check_foreseen(
    foreseen: PointChanges | None,
    match: Match,
    had: dict[str, tuple[int, int, int]],
    have: dict[str, tuple[int, int, int]],
) -> None:
    """The preview had the changed points of each player of the match, and their number."""
    assert foreseen
    became = {
        name: (points, have[name][0] if name in have else None)
        for name, (points, _matches, _wins) in had.items()
    }
    changed = {name: both for name, both in became.items() if both[0] != both[1]}
    playing = match.participants.values_list("player__name", flat=True)
    assert {one.player.name: (one.before, one.after) for one in foreseen.shown} == {
        name: changed[name] for name in playing if name in changed
    }
    assert foreseen.players == len(changed)
    assert foreseen.others == len(changed.keys() - set(playing))


def test_the_ledger_of_points_is_written_once(ladder: Arena, alice: Player, bob: Player) -> None:
    plays(ladder, side(alice, place=0), side(bob, place=1))
    for change in (
        lambda: PointEntry.ever.update(points=1_000),
        lambda: PointEntry.ever.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
            change()
    entry = PointEntry.objects.get(player=alice)
    entry.pk = None
    with pytest.raises(DatabaseError, match="a_result_gives_points_once"), transaction.atomic():
        entry.save(force_insert=True)


def test_wrong_points_are_found_and_rebuilt(ladder: Arena, alice: Player, bob: Player) -> None:
    plays(ladder, side(alice, place=0), side(bob, place=1))
    season = ladder.seasons.get()
    PointTotal.objects.filter(player=alice).update(points=50)
    PointTally.objects.create(season_id=season.pk, points=7, players=1)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE league_pointentry DISABLE TRIGGER USER")
        cursor.execute("UPDATE league_pointentry SET points = 9 WHERE player_id = %s", [bob.pk])
        cursor.execute("ALTER TABLE league_pointentry ENABLE TRIGGER USER")
    found = "\n".join(differences(season))
    assert f"points of player {bob.pk} in match" in found
    assert f"total of player {alice.pk}: (50,1,1,t) stored, (1,1,1,t) added up" in found
    assert "players listed with 7 points: 1 stored, 0 counted" in found
    with pytest.raises(CommandError, match="differ from the replay"):
        verified(ladder)
    call_command("rebuild_standings", stdout=StringIO())
    assert [one for one in differences(season) if "of player" not in one] == []
    assert totals(ladder) == {"Alice": (1, 1, 1), "Bob": (9, 1, 0)}


@pytest.mark.django_db(transaction=True)
def test_points_of_many_results_at_once_add_up_while_tallies_are_added_together(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    pairs = [(alice, bob), (bob, charlie), (charlie, alice)] * 8
    reports = [(beats(winner, loser, ladder).pk, loser) for winner, loser in pairs]
    confirmations = [partial(confirm, match, by=loser, now=NOW) for match, loser in reports]
    mixed: list[Callable[[], object]] = [
        call for each in confirmations for call in (each, each, tasks.tally_points)
    ]
    answers = all_at_once(mixed)
    assert sum(isinstance(answer, Match) for answer in answers) == len(reports)
    assert PointEntry.ever.count() == 2 * len(reports)
    assert {matches for _points, matches, _wins in totals(ladder).values()} == {16}
    assert differences(ladder.seasons.get()) == []


def test_tallies_are_added_together_and_stay_what_they_were(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    season = ladder.seasons.get()
    for _ in range(3):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    before = ranks(board.page(season))
    assert PointTally.objects.count() > 1
    assert tasks.tally_points() == 1
    assert list(PointTally.objects.values_list("points", "players")) == [(3, 1)]
    assert ranks(board.page(season)) == before == [(1, "Alice", 3)]
    assert tasks.tally_points() == 0


def test_a_season_s_points_are_frozen_with_it(
    ending: Season, ladder: Arena, alice: Player, bob: Player
) -> None:
    for _ in range(2):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    frozen = HALF_PAST + timedelta(days=4)
    ending.rules = ladder.rules().written()
    ending.save()
    shown = preview(ending, frozen)
    assert not FinalPoints.objects.exists()
    assert freeze(ending.pk, now=frozen)
    assert shown
    assert shown.points
    written = FinalPoints.objects.order_by("position")
    told = ("position", "rank", "player_id", "name", "points", "matches", "wins")
    assert [tuple(getattr(row, name) for name in told) for row in shown.points.first] == list(
        written.values_list(*told)
    )
    assert (shown.points.players, shown.points.listed) == (2, 1)
    assert not freeze(ending.pk, now=frozen)
    Player.objects.filter(pk=alice.pk).update(name="Alicia")
    rows = archiving.frozen_page(Season.objects.get(pk=ending.pk), 1).rows
    assert [(row.position, row.rank, row.name, row.points) for row in rows] == [
        (1, 1, "Alice", 2),
        (2, None, "Bob", -2),
    ]
    with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
        FinalPoints.objects.update(points=5)
    lines = "".join(archiving.as_csv(Season.objects.get(pk=ending.pk)))
    assert lines.splitlines()[1:] == [f"1,Alice,{alice.pk},2,2,2", f",Bob,{bob.pk},-2,2,0"]
