"""Ladder points: awarded with each result, ranked, and frozen with their season."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, connection, transaction

from league.models import (
    Arena,
    ArenaQueue,
    FinalPoints,
    Match,
    Player,
    PointEntry,
    PointTotal,
    Season,
)
from league.services.core.errors import Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.integrity.points import differences
from league.services.points import archiving, points_leaderboard
from league.services.queue import queueing, ticks
from league.services.results.reports import live
from league.services.results.reports.answers import confirm
from league.services.seasons.end_previews import preview
from league.services.seasons.ending import freeze
from tests.support.cast import NOW, roster, side
from tests.support.correction_steps import correct
from tests.support.point_steps import (
    HALF_PAST,
    give,
    plays,
    ranks,
    superuser,
    totals,
    verified,
    with_points,
)


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


def test_a_deserter_gets_what_no_score_gives_and_has_no_victory(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    roster(ladder, "Owls", alice, bob)
    roster(ladder, "Foxes", charlie, dora)
    left = ReportedSide(alice, [PlayedBy(alice, quit=True), PlayedBy(bob)], 0, 500)
    plays(ladder, left, side(charlie, dora, place=1, score=0))
    assert totals(ladder)["Bob"] == (1, 1, 1)
    assert totals(ladder)["Alice"] == (-1, 1, 0)


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
def ending_season(ladder: Arena) -> Season:
    """A season with 30 minutes to go."""
    season = ladder.seasons.get()
    season.ends_at = HALF_PAST
    season.save()
    return season


def test_no_match_begins_in_the_grace_but_one_that_is_played_counts(
    ending_season: Season, ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
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
        with pytest.raises(Refused, match="1 Mar 2026, 12:30") as refused:
            begin()
        assert refused.value.code == "grace"
    assert ticks.tick(ladder.pk, now=NOW, seed=1) is None

    # The match in flight ends when the season has, and belongs to it.
    late = HALF_PAST + timedelta(minutes=5)
    live.finish(started.pk, [live.Finish(0, 10.0), live.Finish(1, 0.0)], reporter=alice, now=late)
    confirm(started.pk, by=bob, now=late)
    assert totals(ladder)["Alice"] == (1, 1, 1)
    assert differences(ending_season) == []


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
    page = points_leaderboard.page(season)
    expected = [(1, "Bob", 7), (2, "Charlie", 5), (2, "Dora", 5), (2, "Alice", 5)]
    assert ranks(page) == expected
    assert page.total == 4
    assert (page.previous, page.next) == (None, None)
    mine = points_leaderboard.points_standing(season, alice)
    assert mine
    assert (mine.rank, mine.points) == (2, 5)
    unlisted = points_leaderboard.points_standing(season, eve)
    assert unlisted
    assert unlisted.rank is None

    walked, place = [], None
    while True:
        part = points_leaderboard.page(season, after=place, count=2)
        walked += ranks(part)
        place = part.next
        if place is None:
            break
    assert walked == expected
    back = points_leaderboard.page(season, before=page.rows[3].cursor, count=2)
    assert ranks(back) == expected[1:3]
    assert back.previous
    assert ranks(points_leaderboard.page(season, before=back.previous, count=2)) == expected[:1]


def test_the_leaderboard_lists_players_with_enough_points_and_matches(
    alice: Player, bob: Player
) -> None:
    ladder = with_points(points={"leaderboard_points": 2, "leaderboard_matches": 3})
    season = ladder.seasons.get()
    for _ in range(2):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    assert points_leaderboard.page(season).rows == []
    plays(ladder, side(alice, place=0), side(bob, place=1))
    assert ranks(points_leaderboard.page(season)) == [(1, "Alice", 3)]
    correct(Match.objects.latest("pk"), superuser())
    assert points_leaderboard.page(season).rows == []
    assert differences(season) == []


def test_a_season_s_points_are_frozen_with_it(
    ending_season: Season, ladder: Arena, alice: Player, bob: Player
) -> None:
    for _ in range(2):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    frozen = HALF_PAST + timedelta(days=4)
    ending_season.rules = ladder.rules().to_json()
    ending_season.save()
    shown = preview(ending_season, frozen)
    assert not FinalPoints.objects.exists()
    assert freeze(ending_season.pk, now=frozen)
    assert shown
    assert shown.points
    written = FinalPoints.objects.order_by("position")
    told = ("position", "rank", "player_id", "name", "points", "matches", "wins")
    assert [tuple(getattr(row, name) for name in told) for row in shown.points.first] == list(
        written.values_list(*told)
    )
    assert (shown.points.players, shown.points.listed) == (2, 1)
    assert not freeze(ending_season.pk, now=frozen)
    Player.objects.filter(pk=alice.pk).update(name="Alicia")
    rows = archiving.frozen_page(Season.objects.get(pk=ending_season.pk), 1).rows
    assert [(row.position, row.rank, row.name, row.points) for row in rows] == [
        (1, 1, "Alice", 2),
        (2, None, "Bob", -2),
    ]
    with pytest.raises(DatabaseError, match="is a ledger"), transaction.atomic():
        FinalPoints.objects.update(points=5)
    lines = "".join(archiving.as_csv(Season.objects.get(pk=ending_season.pk)))
    assert lines.splitlines()[1:] == [f"1,Alice,{alice.pk},2,2,2", f",Bob,{bob.pk},-2,2,0"]


def test_a_page_walks_the_index_of_the_order_at_any_depth(ladder: Arena) -> None:
    season, place = ladder.seasons.get(), points_leaderboard.PointsCursor(3, 5, 7)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
    for where in ({}, {"after": place}, {"before": place}):
        plan = points_leaderboard.list_totals(season, **where)[:51].explain()
        assert "points_order" in plan, plan
        assert "Sort" not in plan, plan
        assert bool(where) is ("ROW(" in plan.partition("Index Cond")[2].splitlines()[0]), plan
