"""A deviation grows while a player is inactive, and is current wherever it is read."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, ArenaQueue, Player, Rating, Ticket
from league.services.integrity.ratings import verify
from league.services.queue.fair_odds import ShownOdds
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.results.reports.answers import confirm
from league.services.standings import leaderboards
from matchmaking.tick import Match
from tests.support.cast import NOW, arena, beats, put_in_order
from tests.support.web_steps import words

GROWING: dict[str, dict[str, Any]] = {
    "glicko": {"form": "glickman"},
    "glicko-2": {},
    "elo-mmr": {"drift_per_day": 30.0},
}
MUCH_LATER = NOW + timedelta(days=250)


@pytest.fixture(params=GROWING)
def resting_arena(request: pytest.FixtureRequest, db: None, alice: Player, bob: Player) -> Arena:
    """An arena in which Alice has won their matches, followed by a long break."""
    made = arena("resting", rating_system=request.param, rating_parameters=GROWING[request.param])
    for day in range(6):
        match = beats(alice, bob, made, now=NOW - timedelta(days=6 - day))
        confirm(match.pk, by=bob, now=NOW)
    put_in_order()
    return made


def page_deviation(arena: Arena, player: Player, now: datetime) -> float:
    row = leaderboards.player_row(arena.seasons.get(), player, now=now)
    assert row is not None
    assert row.deviation is not None
    return row.deviation


def test_boards_players_and_programs_show_what_rest_has_added(
    resting_arena: Arena, alice: Player
) -> None:
    season = resting_arena.seasons.get()
    held = Rating.objects.get(season=season, player=alice)
    assert held.deviation is not None
    later = page_deviation(resting_arena, alice, MUCH_LATER)
    assert held.deviation < page_deviation(resting_arena, alice, NOW + timedelta(days=60)) <= later
    board = leaderboards.leaderboard(season, now=MUCH_LATER)
    assert [row.deviation for row in board.rows if row.player_id == alice.pk] == [later]
    decimals = season.system().shows.decimals
    now = f"± {page_deviation(resting_arena, alice, timezone.now()):.{decimals}f}"
    assert f"± {held.deviation:.{decimals}f}" != now
    for page in (reverse("leaderboard", args=["resting"]), alice.get_absolute_url()):
        assert now in words(Client().get(page))
    told = Client().get(reverse("api:player-ratings", args=[alice.pk])).json()["results"][0]
    assert told["deviation"] > held.deviation
    held.refresh_from_db()
    assert verify(season) == []  # nothing of it is stored: that would count it twice


def test_predictions_and_the_matcher_know_that_rest_makes_unsure(
    resting_arena: Arena, alice: Player, bob: Player
) -> None:
    season = resting_arena.seasons.get()
    queue = ArenaQueue(arena=resting_arena, matcher="new")
    queue.full_clean()
    queue.save()
    for player in (alice, bob):
        join(resting_arena, player, [], now=NOW)
    fresh = take_snapshot(season, queue.matching(), MUCH_LATER)
    Ticket.objects.update(queued_at=MUCH_LATER)
    stale = take_snapshot(season, queue.matching(), MUCH_LATER)
    people: dict[object, Player] = {alice.pk: alice, bob.pk: bob}
    for waits in (ticket.players[0] for ticket in stale.tickets):
        expected = page_deviation(resting_arena, people[waits.id], MUCH_LATER)
        assert waits.deviation == pytest.approx(expected)
    assert stale.tickets[0].players[0].deviation > fresh.tickets[0].players[0].deviation
    assert fresh.states is not None
    soon, late = (
        chance
        for now in (NOW, MUCH_LATER)
        for chance in ShownOdds(
            queue, season, fresh.queue(), fresh.states, queue.matching(), now
        ).of([Match((0,), (1,))])
    )
    assert soon is not None
    assert late is not None
    assert 0.5 < late < soon
