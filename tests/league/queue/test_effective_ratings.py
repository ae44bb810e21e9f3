"""Players are matched by the rating that the board shows, after decay."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from league.models import ArenaQueue, Player, Proposal, Rating, Season, Tick
from league.services.integrity.queue import breaches
from league.services.queue import kept_ticks
from league.services.queue.pairing import run_again, tick
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.seasons.opening import adopt_rules
from league.services.standings.leaderboards import player_row
from league.services.standings.updating import update_pending
from tests.support.cast import NOW
from tests.support.season_steps import set_season_rules

if TYPE_CHECKING:
    from league.models import Arena

pytestmark = pytest.mark.django_db

DECAY = {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "1d"}


@pytest.fixture
def season(duel: Arena) -> Season:
    """Duels whose players lose 700 points within ten days of absence."""
    set_season_rules(duel, decay=DECAY)
    season = duel.current_season(NOW)
    assert season
    adopt_rules(season, duel)
    season.refresh_from_db()
    ArenaQueue.objects.create(arena=duel, rules={"laurel": {"asking": -1e6, "fairness": 0.5}})
    return season


def rated(season: Season, player: Player, rating: float, *, games: int, away: int) -> None:
    Rating.objects.create(
        season=season,
        player=player,
        rating=rating,
        deviation=30,
        volatility=0.06,
        games=games,
        last_played_at=NOW - timedelta(days=away),
    )


def matched_by(season: Season) -> dict[object, float]:
    """Return the rating that the matcher has for each waiting player, by id."""
    rules = ArenaQueue.objects.get(arena=season.arena).matching()
    tickets = take_snapshot(season, rules, NOW).tickets
    return {player.id: player.rating for ticket in tickets for player in ticket.players}


def test_the_rating_matched_by_is_the_one_on_the_board(
    duel: Arena, season: Season, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 1500, games=5, away=1)
    rated(season, charlie, 1500, games=5, away=5)
    update_pending(NOW)
    for player in (alice, bob, charlie, dora):
        join(duel, player, [], now=NOW)
    seen = matched_by(season)
    for player in (alice, bob, charlie):
        row = player_row(season, player, now=NOW)
        assert row is not None
        assert seen[player.pk] == row.rating
    assert (seen[alice.pk], seen[bob.pk], seen[charlie.pk]) == (800, 1500, 1300)
    assert seen[dora.pk] == season.system().newcomers(1).rating[0]


def test_an_absent_player_meets_those_whose_rating_they_have_now(
    duel: Arena, season: Season, alice: Player, bob: Player, charlie: Player
) -> None:
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 1500, games=5, away=1)
    rated(season, charlie, 810, games=5, away=1)
    update_pending(NOW)
    for player in (alice, bob, charlie):
        join(duel, player, [], now=NOW)
    made = tick(duel.pk, now=NOW + timedelta(seconds=1), seed=1)
    assert made
    found = Proposal.objects.get().tickets.values_list("captain__name", flat=True)
    assert set(found) == {"Alice", "Charlie"}
    assert run_again(made) == made.found
    assert breaches(NOW) == []


def test_a_tick_that_was_matched_by_the_ratings_before_decay_still_finds_the_same(
    duel: Arena, season: Season, alice: Player, bob: Player
) -> None:
    rated(season, alice, 1500, games=5, away=20)
    rated(season, bob, 1500, games=5, away=1)
    join(duel, alice, [], now=NOW)
    join(duel, bob, [], now=NOW)
    # No standings were updated yet, so this one has the ratings as ticks had them earlier.
    earlier = tick(duel.pk, now=NOW, seed=1)
    assert earlier
    assert earlier.proposed == 1
    update_pending(NOW)
    _rules, snapshot = kept_ticks.rules_and_input(Tick.objects.get())
    assert {ticket.players[0].rating for ticket in snapshot.tickets} == {1500}
    assert run_again(Tick.objects.get()) == earlier.found
