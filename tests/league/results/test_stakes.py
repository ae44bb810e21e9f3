"""Players read what a match would mean for them before it is played, and it then does."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Arena, ArenaQueue, Match, Player, Rating, Season
from league.services.ladder.lists import challengeable
from league.services.results.forecasts.stakes import OwnStakes, own_stakes, stakes_between
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, account, arena, roster, side

PLACES = {"win": (0, 1), "draw": (0, 0), "loss": (1, 0)}
LATER = NOW + timedelta(days=3)


def season_of(arena: Arena) -> Season:
    season = arena.current_season(NOW)
    assert season
    return season


def plays(
    arena: Arena, first: list[Player], second: list[Player], places: tuple[int, int], now: datetime
) -> Match:
    """Report and confirm a match that has just been played."""
    sides = [
        side(*players, place=place) for players, place in zip((first, second), places, strict=True)
    ]
    made = report(arena, sides, reporter=first[0], played_at=now, now=now, client_token=uuid4())
    return confirm(made.pk, by=second[0], now=now)


def promised(arena: Arena, me: Player, opponent: Player, now: datetime = LATER) -> OwnStakes:
    [found] = own_stakes(season_of(arena), me, [opponent], now)
    assert found
    return found


def assert_kept(seen: OwnStakes, match: Match, me: Player, how: str) -> None:
    """Check that a match has done to me what was promised for its result."""
    match.refresh_from_db()
    event = match.events.get(player=me)
    wanted = getattr(seen, how)
    assert (wanted.rating_before, wanted.rating_after) == (event.rating_before, event.rating_after)
    assert match.forecast is not None
    assert seen.chance == match.forecast[0]


def with_some_history(arena: Arena, alice: Player, bob: Player, charlie: Player) -> None:
    """Let everybody play a little, Alice and Bob against each other too."""
    for day, (winner, loser) in enumerate(
        [(alice, charlie), (charlie, bob), (alice, bob), (alice, charlie)]
    ):
        plays(arena, [winner], [loser], (0, 1), NOW + timedelta(hours=12 * day))


@pytest.mark.parametrize("how", PLACES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_duel_does_what_was_promised(
    system: str, how: str, alice: Player, bob: Player, charlie: Player
) -> None:
    """With the usual rules of fair play, by which a repeated match counts less."""
    made = arena("club", rating_system=system, season_rules={})
    with_some_history(made, alice, bob, charlie)
    seen = promised(made, bob, alice)
    match = plays(made, [bob], [alice], PLACES[how], LATER)
    assert_kept(seen, match, bob, how)
    if system != "ladder":
        assert match.weight < 1
        assert seen.win.change > 0 >= seen.loss.change


@pytest.mark.parametrize("how", ["win", "loss"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_newcomers_are_promised_what_their_first_match_does(
    system: str, how: str, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    made = arena("club", rating_system=system, season_rules={}, draws_allowed=False)
    plays(made, [charlie], [dora], (0, 1), NOW)
    seen = promised(made, alice, bob)
    assert seen.draw is None
    match = plays(made, [alice], [bob], PLACES[how], LATER)
    assert_kept(seen, match, alice, how)


@pytest.mark.parametrize("system", ["glicko-2", "elo", "fermi", "wager", "trueskill", "elo-mmr"])
def test_a_match_of_rosters_does_what_was_promised(
    system: str, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    made = arena("club", rating_system=system, team_size_min=2, team_size_max=2, season_rules={})
    owls, foxes = roster(made, "Owls", alice, bob), roster(made, "Foxes", charlie, dora)
    plays(made, [alice, bob], [charlie, dora], (0, 1), NOW)
    seen = stakes_between(made, charlie, [(charlie, foxes), (alice, owls)], LATER)
    assert seen
    assert [[one.name for one in line_up] for line_up in seen.line_ups] == [
        ["Charlie", "Dora"],
        ["Alice", "Bob"],
    ]
    match = plays(made, [charlie, dora], [alice, bob], (0, 1), LATER)
    assert_kept(seen, match, charlie, "win")


def test_a_limited_win_is_promised_with_what_is_left_of_it(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = arena(
        "club", rating_system="elo", season_rules={"fair_play": {"repeat_factor": 1, "per_day": 0}}
    )
    for hour in range(3):
        plays(made, [alice], [bob], (0, 1), NOW + timedelta(hours=hour))
    seen = promised(made, alice, bob)
    match = plays(made, [alice], [bob], (0, 1), LATER)
    assert match.one_sided is not None
    assert_kept(seen, match, alice, "win")


def test_the_chance_is_the_arenas_prediction(duel: Arena, alice: Player, bob: Player) -> None:
    ArenaQueue.objects.create(arena=duel, prediction={"rank_weight": 1.0, "rank_spread": 4.0})
    plays(duel, [alice], [account("Fred")], (0, 1), NOW)
    seen = promised(duel, alice, bob)
    assert seen.chance == 0.625
    assert_kept(seen, plays(duel, [alice], [bob], (0, 1), LATER), alice, "win")


@pytest.mark.parametrize("system", SYSTEMS)
def test_several_opponents_are_promised_what_each_is_alone(
    system: str, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """They are rated side by side."""
    made = arena("club", rating_system=system, season_rules={})
    with_some_history(made, alice, bob, charlie)
    season = season_of(made)
    together = own_stakes(season, alice, [bob, charlie, dora], LATER)
    assert all(together)
    for other, found in zip((bob, charlie, dora), together, strict=True):
        assert own_stakes(season, alice, [other], LATER) == [found]


def test_an_anchor_stays_whomever_they_play(alice: Player, bob: Player, charlie: Player) -> None:
    made = arena("club", season_rules={})
    with_some_history(made, alice, bob, charlie)
    season = season_of(made)
    season.anchors = [bob.pk]
    for anchored, other in zip(
        own_stakes(season, bob, [alice, charlie], LATER), (alice, charlie), strict=True
    ):
        assert anchored
        assert anchored.win.change == 0
        assert promised(made, other, bob).win.change > 0


def test_a_list_of_opponents_takes_as_many_statements_as_one(
    alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    made = arena("rungs", rating_system="ladder", season_rules={})
    others = [bob, charlie, dora, eve]
    for rank, player in enumerate([*others, alice], start=1):
        Rating.objects.create(season=season_of(made), player=player, rating=rank, games=1)

    def statements(*opponents: Player) -> int:
        with CaptureQueriesContext(connection) as made_for:
            found = own_stakes(season_of(made), alice, opponents, NOW)
        assert len(found) == len(opponents)
        return len(made_for)

    statements(bob)  # the arena is asked only once whether it has a queue
    assert statements(bob) == statements(*others)
    assert own_stakes(season_of(made), alice, [], NOW) == []
    assert len(challengeable(season_of(made), alice, NOW)) == 4
