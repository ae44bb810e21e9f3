"""The table of one session, rated on its own."""

from datetime import timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Rating, RatingEvent
from league.services.core.errors import Refused
from league.services.standings import sessions
from league.services.standings.sessions import session
from tests.support.cast import NOW, arena, beats
from tests.support.season_steps import win

TONIGHT = NOW - timedelta(hours=3), NOW
"""Duels of the tests end an hour before they are reported."""


@pytest.fixture
def evening(alice: Player, bob: Player, charlie: Player) -> Arena:
    """Alice has won a lot this season. Tonight she loses to Bob, and Bob beats Charlie twice."""
    where = arena("pit", rating_system="fermi", rating_parameters={"max_gain": 1})
    for day in range(5, 1, -1):
        win(where, alice, charlie, now=NOW - timedelta(days=day))
    win(where, bob, alice)
    win(where, bob, charlie, now=NOW + timedelta(minutes=5))
    win(where, bob, charlie, now=NOW + timedelta(minutes=10))
    return where


def test_only_the_matches_of_the_session_count_from_newcomers(evening: Arena) -> None:
    found = session(evening.seasons.get(), *TONIGHT)
    assert found.matches == 3
    table = {row.player.name: (row.rank, row.games, row.wins) for row in found.rows}
    assert table == {"Bob": (1, 3, 3), "Alice": (2, 1, 0), "Charlie": (3, 2, 0)}
    by_name = {row.player.name: row.rating for row in found.rows}
    assert by_name["Alice"] == -0.5  # as a newcomer against a newcomer
    assert sum(by_name.values()) == pytest.approx(0)


def test_nothing_is_stored(
    evening: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season = evening.seasons.get()
    before = list(Rating.objects.order_by("pk").values()), RatingEvent.objects.count()
    with django_assert_num_queries(2):
        session(season, *TONIGHT)
    assert (list(Rating.objects.order_by("pk").values()), RatingEvent.objects.count()) == before


def test_a_whole_season_in_one_session_equals_its_ratings(
    alice: Player, bob: Player, charlie: Player
) -> None:
    for system in ("fermi", "glicko-2", "wager", "ladder", "elo-mmr"):
        where = arena(system, rating_system=system)
        for minute, pair in enumerate([(alice, bob), (bob, charlie), (charlie, alice)]):
            win(where, *pair, now=NOW + timedelta(minutes=minute))
        season = where.seasons.get()
        found = session(season, NOW - timedelta(hours=2), NOW + timedelta(hours=1))
        held = dict(Rating.objects.filter(season=season).values_list("player", "rating"))
        assert {row.player.pk: row.rating for row in found.rows} == held, system


def test_matches_that_do_not_count_and_other_times_are_left_out(
    evening: Arena, alice: Player, bob: Player
) -> None:
    season = evening.seasons.get()
    beats(alice, bob, evening)  # not confirmed
    assert session(season, *TONIGHT).matches == 3
    begun = NOW - timedelta(hours=1)
    assert session(season, begun, begun + timedelta(minutes=5)).matches == 1  # the end is not in it
    assert session(season, NOW - timedelta(hours=30), NOW - timedelta(hours=20)).rows == []


def test_players_with_equal_ratings_share_a_rank(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    where = arena("pit", rating_system="fermi")
    win(where, alice, bob)
    win(where, charlie, dora)
    assert [row.rank for row in session(where.seasons.get(), *TONIGHT).rows] == [1, 1, 3, 3]


def test_long_times_and_crowded_ones_are_refused(
    evening: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    season = evening.seasons.get()
    with pytest.raises(Refused, match="lasts 2 days at most"):
        session(season, NOW - timedelta(hours=49), NOW)
    with pytest.raises(Refused, match="must be after the start"):
        session(season, NOW, NOW)
    monkeypatch.setattr(sessions, "MOST_MATCHES", 2)
    with pytest.raises(Refused, match="More than 2 matches"):
        session(season, *TONIGHT)
