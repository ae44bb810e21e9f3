"""Contests in which each side's place is compared with those of its nearest opponents only."""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import pytest

from ratings.contests.nearest import Nearest
from ratings.history import History
from ratings.registry import build
from ratings.replay import final_states
from ratings.systems.elo_mmr.elo_mmx import EloMMX
from ratings.systems.elo_mmr.system import EloMMR
from tests.support.elo_mmr_by_hand import World
from tests.support.elo_mmr_worlds import agrees
from tests.support.rating_histories import batch_of, contest, states_of

NAMES = [f"player {number}" for number in range(9)]


def model_of(name: str, most: int) -> Nearest:
    system = build(name, {"most_opponents": most})
    assert isinstance(system, EloMMR | EloMMX)
    return system.model


def play_nearest(world: World, names: Sequence[str], places: Sequence[int], most: int) -> None:
    """Give each player the result of a contest of their own, against those nearest to them."""
    before, people = deepcopy(world), {}
    for name in names:
        strength = {one: before.people[one].mu if one in before.people else 1500 for one in names}
        apart = {one: abs(strength[one] - strength[name]) for one in names}
        last = sorted(apart.values())[most]
        near = [one for one in names if apart[one] <= last + 1e-6]
        alone = deepcopy(before)
        alone.play([[one] for one in near], [places[names.index(one)] for one in near])
        people[name] = alone.people[name]
    world.people |= people


@pytest.mark.parametrize("most", [1, 3, 7])
@pytest.mark.parametrize("name", ["elo-mmr", "elo-mmx"])
@pytest.mark.parametrize("split_ties", [False, True])
def test_each_rating_is_that_of_a_contest_against_the_nearest(
    name: str, most: int, split_ties: bool
) -> None:
    chance = np.random.default_rng(most)
    world, played = World(normal=name == "elo-mmx", split_ties=split_ties), []
    for turn in range(5):
        names = [str(one) for one in chance.permutation(NAMES)[: 9 - turn % 2]]
        places = [int(place) for place in chance.integers(0, 6, len(names))]
        play_nearest(world, names, places, most)
        sides = [[one] for one in names]
        played.append(contest(*sides, places=places, at=turn, match_id=str(turn)))
    given = {"parametrisation": "paper", "split_ties": split_ties, "most_opponents": most}
    history = History.build(played)
    system = build(name, given)
    agrees(world, history, final_states(system, history), tolerance=1e-6)
    everybody = final_states(build(name, {**given, "most_opponents": 0}), history)
    assert np.abs(everybody.rating - final_states(system, history).rating).max() > 1


@pytest.mark.parametrize("name", ["elo-mmr", "elo-mmx"])
def test_a_contest_has_the_same_bits_alone_and_among_others(name: str) -> None:
    chance = np.random.default_rng(5)
    system = build(name, {"most_opponents": 4})
    ratings = chance.choice(np.arange(1000.0, 2000.0, 40), (30, 12))
    places = chance.integers(0, 9, (30, 12)).tolist()
    together = system.rate(states_of(ratings), batch_of((1,) * 12, places)).after.rating
    for row in range(30):
        alone = system.rate(states_of(ratings[[row]]), batch_of((1,) * 12, [places[row]]))
        assert alone.after.rating[0].tolist() == together[row].tolist()


@pytest.mark.parametrize("name", ["elo-mmr", "elo-mmx"])
def test_in_a_large_contest_equals_are_solved_together(name: str) -> None:
    everybody, some = (model_of(name, most) for most in (0, 20))
    chance = np.random.default_rng(8)
    mean = np.concatenate([np.full(600, 1500.0), chance.uniform(800, 2200, 400)])[None]
    deviation, places = np.full(mean.shape, 200.0), chance.permutation(1000)[None]
    found = some.solve(mean, deviation, places)
    for side in (0, 7, 599, 600, 750, 999):
        apart = np.abs(mean[0] - mean[0, side])
        near = np.flatnonzero(apart <= np.sort(apart)[20])
        only = everybody.solve(mean[:, near], deviation[:, near], places[:, near])
        assert found[0, side] == pytest.approx(only[0, near.tolist().index(side)], abs=1e-7)


def test_losing_on_purpose_can_pay_with_a_limit() -> None:
    """Section 5.3: opponents that depend on the rating cost incentive-compatibility.

    By a lower rating, Alice is compared with those who lost rather than with those who won.
    """
    others, places = [1400.0, 1410.0, 1600.0, 1610.0], [[2, 3, 4, 0, 1]]

    def gain(rating: float, most: int) -> float:
        states = states_of(np.array([[rating, *others]]))
        after = build("elo-mmr", {"most_opponents": most}).rate(states, batch_of((1,) * 5, places))
        return float(after.after.rating[0, 0])

    assert gain(1499.0, 2) > gain(1511.0, 2)
    assert gain(1499.0, 0) < gain(1511.0, 0)
