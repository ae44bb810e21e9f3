"""The chances of places: against every possible season, and against each other."""

from itertools import product
from time import process_time

import numpy as np
import numpy.typing as npt
import pytest
from django.test import Client

from league.models import Arena, Player
from league.services.competitions import chances, progress, simulating
from league.services.competitions.chances import chances_of
from league.services.competitions.forecasts.forecast import places_in_swiss, places_in_table
from league.services.competitions.pairing.round_robin import round_robin
from league.services.competitions.standings.entrant_rounds import PointsRules
from tests.support.cast import account
from tests.support.competition_steps import START, begun
from tests.support.effort import examples

FOOTBALL = PointsRules.of(3, 1, 0, 0, 3)
CHESS = PointsRules()
AHEAD = [1, 2, 0]


def some_chances(count: int, seed: int = 0) -> npt.NDArray[np.float64]:
    return np.random.default_rng(seed).dirichlet([3, 1, 2], size=count)


def test_the_chances_of_a_table_are_those_of_all_possible_seasons() -> None:
    fixtures = [(0, 1), (2, 0), (1, 2), (0, 2)]
    chances = some_chances(4)
    points = [4, 0, 3]
    exact = np.zeros((3, 3))
    for outcomes in product(range(3), repeat=4):
        likely = np.prod([chances[at, outcome] for at, outcome in enumerate(outcomes)])
        totals = np.array(points, dtype=float)
        for (home, away), outcome in zip(fixtures, outcomes, strict=True):
            totals[home] += (3, 1, 0)[outcome]
            totals[away] += (0, 1, 3)[outcome]
        # Ahead so far: 2, then 0, then 1.
        for place, entrant in enumerate(
            sorted(range(3), key=lambda one: (-totals[one], AHEAD[one]))
        ):
            exact[entrant, place] += likely
    found = places_in_table(
        points,
        fixtures,
        chances,
        FOOTBALL,
        np.random.default_rng(1),
        ahead=[5, -1, 9],
        seasons=40_000,
    )
    assert np.abs(found - exact).max() < 0.012


def test_chance_decides_between_those_who_are_level() -> None:
    found = places_in_table([1, 1, 0], [], np.empty((0, 3)), CHESS, np.random.default_rng(2))
    assert found == pytest.approx(np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0, 0, 1]]), abs=0.03)


@pytest.mark.parametrize("count", [2, 5, 20])
def test_every_place_and_every_entrant_sums_to_one(count: int) -> None:
    fixtures = [pair for pairs in round_robin(range(count), 2) for pair in pairs]
    table = places_in_table(
        [0] * count,
        fixtures,
        some_chances(len(fixtures)),
        FOOTBALL,
        np.random.default_rng(3),
        seasons=500,
    )
    swiss = places_in_swiss(
        [0] * count,
        lambda one, other: np.full((*one.shape, 3), 1 / 3),
        3,
        CHESS,
        np.random.default_rng(3),
        seasons=500,
    )
    for found in (table, swiss):
        assert found.sum(axis=0) == pytest.approx(np.ones(count))
        assert found.sum(axis=1) == pytest.approx(np.ones(count))


def test_ten_thousand_seasons_of_twenty_teams_take_less_than_a_second() -> None:
    fixtures = [pair for pairs in round_robin(range(20), 2) for pair in pairs]
    chances = some_chances(len(fixtures))
    seasons = min(10_000, examples(1_000))
    begun = process_time()
    places_in_table(
        [0] * 20, fixtures, chances, FOOTBALL, np.random.default_rng(7), seasons=seasons
    )
    assert process_time() - begun < seasons / 10_000 + 0.1


def test_the_rest_of_a_round_is_played_before_the_next() -> None:
    """The first beats everybody: they win the open game, and then against another winner."""

    def strength(one: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        win = (one < other).astype(float)
        return np.stack([win, np.zeros_like(win), 1 - win], axis=-1)

    met = np.zeros((4, 4), dtype=np.bool_)
    met[[0, 3, 1, 2], [3, 0, 2, 1]] = True
    found = places_in_swiss(
        [0, 0, 1, 0],
        strength,
        1,
        CHESS,
        np.random.default_rng(8),
        met=met,
        fixtures=[(3, 0)],
        seasons=50,
    )
    assert found[0, 0] == 1


def test_the_stronger_go_up_in_a_swiss_and_pairs_avoid_repeats() -> None:
    skill = np.array([4.0, 1.0, 0.0, -1.0, -2.0, -3.0, -4.0, -5.0])
    met = []

    def strength(one: npt.NDArray[np.intp], other: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        met.append((one[0], other[0]))
        win = 1 / (1 + np.exp(skill[other] - skill[one]))
        return np.stack([win, np.zeros_like(win), 1 - win], axis=-1)

    found = places_in_swiss(
        [0] * 8, strength, 3, CHESS, np.random.default_rng(8), seasons=examples(2_000)
    )
    expected = found @ np.arange(8)
    assert (np.diff(expected) > 0).all()
    assert found[0, 0] > 0.6


def test_a_table_shows_who_may_win_it(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    even = chances_of(one).first
    assert len(even) == 3
    assert sum(even.values()) == pytest.approx(1)
    page = client.get(one.get_absolute_url())
    assert b"Chance of finishing first" in page.content
    first = one.entrants.get(player=alice)
    one.fixtures.filter(home=first).update(result="home", decided_by="staff", decided_at=START)
    one.fixtures.filter(away=first).update(result="away", decided_by="staff", decided_at=START)
    progress.sweep(START)
    assert chances_of(one).first[first.pk] == 1


def test_chances_that_would_say_nothing_are_not_simulated(
    duel: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(simulating, "MOST_GAMES", 3 * simulating.LEAST_SEASONS - 1)
    one = begun(duel, olga, [alice, bob, charlie])
    assert chances_of(one) == chances.TOO_LONG
    assert b"There are no chances yet" in client.get(one.get_absolute_url()).content
    one.fixtures.filter(number=1).update(result="home", decided_by="staff", decided_at=START)
    progress.sweep(START)
    assert len(chances_of(one).first) == 3, "two fixtures are left"
    assert b"There are no chances yet" not in client.get(one.get_absolute_url()).content


def test_a_swiss_of_many_rounds_has_no_chances_in_no_time(
    duel: Arena, olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(simulating, "MOST_ROUNDS", 4 * 2 * simulating.LEAST_SEASONS - 1)
    players = [account(f"P{number}") for number in range(4)]
    one = begun(duel, olga, players, "swiss", play={"rounds": 3})
    assert chances_of(one) == chances.TOO_LONG
