"""The odds between entrants: against those of single matches, and of every series."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from league.models import Arena, Player, Rating, Season
from league.services.competitions import pages
from league.services.competitions.chances import chances_of
from league.services.competitions.forecasts.odds import Odds, odds_between, odds_of_series
from league.services.competitions.simulating import Simulation
from league.services.results.forecasts.stakes import expected_sides, stakes
from tests.support.cast import NOW, account, arena, roster
from tests.support.competition_steps import START, begun, crowd, opened

NEUTRAL = {"first_side": 0, "first_side_deviation": 0}
RULES: dict[str, Any] = {
    "play": {"withdrawal": "forfeit"},
    "table": {"win": 3, "draw": 1, "loss": 0},
}


def rate(season: Season, players: Sequence[Player], *, step: float, games: int = 20) -> None:
    """Give players ratings that fall by a step, and numbers of matches that do so too."""
    middle = season.system().newcomers(1).rating[0]
    deviation = season.system().newcomers(1).deviation[0] / 4
    Rating.objects.bulk_create(
        Rating(
            season=season,
            player=player,
            rating=middle + step * (len(players) / 2 - number),
            deviation=deviation,
            games=games - number,
            last_played_at=NOW,
        )
        for number, player in enumerate(players)
    )


@pytest.mark.parametrize("system", ["trueskill", "laurel", "glicko", "elo"])
@pytest.mark.parametrize("draws_allowed", [True, False])
def test_they_are_those_of_matches_between_the_expected_line_ups(
    system: str, draws_allowed: bool, olga: Player
) -> None:
    here = arena(
        "club",
        rating_system=system,
        rating_parameters=NEUTRAL if system == "laurel" else {},
        team_size_min=1,
        team_size_max=3,
        draws_allowed=draws_allowed,
    )
    season, players = here.seasons.get(), crowd(9)
    rate(season, players[::-1], step=30)
    one = opened(here, olga)
    sides = [players[:4], players[4:6], players[6:]]
    for number, side in enumerate(sides):
        mine = roster(here, f"Roster {number}", *side)
        one.entrants.create(player=side[0], roster=mine, name=mine.name, entered_at=NOW)
    entrants = list(one.entrants.with_people())
    odds = odds_between(season, entrants, START)
    assert odds is not None
    for home, away in [(0, 1), (1, 0), (0, 2), (2, 1)]:
        meeting = [(entrants[at].captain, entrants[at].roster) for at in (home, away)]
        playing = expected_sides(here, season, meeting)
        assert playing
        assert len(playing[0]) == len(playing[1]) == (2 if 1 in {home, away} else 3)
        [found] = stakes(season, [[[each.pk for each in side] for side in playing]], START)
        assert found
        assert odds.share[home, away] == pytest.approx(found.chance, abs=1e-9)
        assert odds.draw[home, away] == pytest.approx(found.draw or 0, abs=1e-9)
    has_draws = draws_allowed and system in {"trueskill", "laurel"}
    assert bool((odds.draw > 0).any()) == has_draws


def test_the_side_at_home_has_the_advantage_of_the_season() -> None:
    here = arena("home", rating_system="elo", rating_parameters={"first_side": 100})
    season, players = here.seasons.get(), crowd(3)
    rate(season, players, step=50)
    odds = odds_between(season, [Entered(player) for player in players], NOW)  # type: ignore[misc] # only their players matter
    assert odds is not None
    held = [Rating.objects.get(player=player).rating for player in players]
    for home, away in product(range(3), repeat=2):
        if home != away:
            lead = held[home] + 100 - held[away]
            assert odds.share[home, away] == pytest.approx(1 / (1 + 10 ** (-lead / 400)))
    assert odds.win[0, 1] + odds.win[1, 0] > 1.2
    even = odds.even_ground
    assert even[0, 1] == pytest.approx(even[1, 0][::-1])
    assert even.sum(axis=-1) == pytest.approx(np.ones((3, 3)))


class Entered:
    """An entrant without a roster."""

    def __init__(self, player: Player) -> None:
        self.captain, self.roster_id = player, None


def some_odds(count: int, *, draws: float = 0.3) -> Odds:
    generator = np.random.default_rng(count)
    draw = generator.uniform(0, draws, (count, count))
    return Odds(generator.uniform(0, 1, (count, count)) * (1 - draw), draw)


@pytest.mark.parametrize("best_of", [1, 3, 5])
def test_a_series_is_played_until_one_side_cannot_be_caught(best_of: int) -> None:
    odds = some_odds(3)
    chances = odds.at_home(*np.indices((3, 3)))
    exact = np.zeros((3, 3))

    def play(home: int, away: int, played: int, likely: np.ndarray) -> None:
        if played == best_of or 2 * max(home, away) > best_of:
            exact[:] += likely * (1.0 if home > away else 0.5 if home == away else 0.0)
            return
        for at, (more, fewer) in enumerate([(1, 0), (0, 0), (0, 1)]):
            play(home + more, away + fewer, played + 1, likely * chances[..., at])

    play(0, 0, 0, np.ones((3, 3)))
    assert odds_of_series(odds, best_of) == pytest.approx(exact)


def test_a_series_favours_the_stronger() -> None:
    odds = Odds(np.array([[0.6, 0.5, 1.0]]), np.zeros((1, 3)))
    assert odds_of_series(odds, 1).tolist() == [[0.6, 0.5, 1.0]]
    assert odds_of_series(odds, 3)[0] == pytest.approx([0.6**3 + 3 * 0.6**2 * 0.4, 0.5, 1.0])


def test_the_chances_of_a_table_are_those_of_all_its_seasons_with_draws(olga: Player) -> None:
    """With three points for a win, two draws are worth less than a win and a loss."""
    here = arena(
        "drawn",
        rating_system="trueskill",
        rating_parameters={"draw_probability": 0.8, "first_side": 100},
    )
    players = crowd(3)
    rate(here.seasons.get(), players, step=200)
    one = begun(here, olga, players, **RULES)
    page = pages.load(one)
    odds = Simulation(page, START).odds
    assert odds is not None
    assert odds.draw[0, 1] > 0.2
    at = {entrant.pk: number for number, entrant in enumerate(page.entrants)}
    pairs = [(at[each.home_id or 0], at[each.away_id or 0]) for each in page.fixtures]
    exact = np.zeros(3)
    for outcomes in product(range(3), repeat=3):
        totals, likely = np.zeros(3), 1.0
        for (home, away), outcome in zip(pairs, outcomes, strict=True):
            win, draw = odds.win[home, away], odds.draw[home, away]
            likely *= (win, draw, 1 - win - draw)[outcome]
            totals[home] += (3, 1, 0)[outcome]
            totals[away] += (0, 1, 3)[outcome]
        best = totals == totals.max()
        exact += likely * best / best.sum()
    first = chances_of(one).first
    found = np.array([first[entrant.pk] for entrant in page.entrants])
    assert np.abs(found - exact).max() < 0.02
    without = np.zeros(3)
    for outcomes in product(range(2), repeat=3):
        totals, likely = np.zeros(3), 1.0
        for (home, away), outcome in zip(pairs, outcomes, strict=True):
            share = odds.share[home, away]
            likely *= (share, 1 - share)[outcome]
            totals[(home, away)[outcome]] += 3
        best = totals == totals.max()
        without += likely * best / best.sum()
    assert np.abs(exact - without).max() > 0.03, "draws matter here"


def test_rosters_that_are_gone_are_their_captains(teams: Arena, olga: Player) -> None:
    one = opened(teams, olga)
    for name in ("Ann", "Ben"):
        player = account(name)
        mine = roster(teams, f"{name}’s", player)
        one.entrants.create(player=player, roster=mine, name=mine.name, entered_at=NOW)
        mine.delete()
    entrants = list(one.entrants.with_people())
    odds = odds_between(teams.seasons.get(), entrants, NOW)
    assert odds is not None
    assert odds.win[0, 1] == pytest.approx(0.5)
