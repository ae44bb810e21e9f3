"""Contests rated by Elo-MMR in compiled code, against the same replay with NumPy."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.compiled.numpy_loops import keep
from ratings.compiled.tanh_sums import pairwise
from ratings.lab.synthetic import free_for_all
from ratings.registry import build
from ratings.types import Floats
from tests.support.compiled_code import ELO_MMR, by_numpy, in_compiled_code
from tests.support.effort import examples
from tests.support.rating_histories import bits, random_duels


@pytest.mark.parametrize("chosen", ELO_MMR)
@pytest.mark.parametrize("entrants", [3, 5, 8, 9, 16])
def test_contests_get_the_same_bits(entrants: int, chosen: dict[str, object]) -> None:
    """With ties, ceilings, times before 1970, long gaps, and matches that count for nothing."""
    rng = np.random.default_rng(entrants)
    count, players = examples(160, 400), 40
    history = free_for_all(
        [f"player {number}" for number in range(players)],
        np.stack([rng.permutation(players)[:entrants] for _ in range(count)]),
        rng.integers(0, entrants, (count, entrants)),
    )
    history = replace(
        history,
        perf_ceilings=rng.choice([np.inf, 1400.0, 1600.0], count),
        weights=rng.choice([1.0, 0.3, 2.5, 0.0], count),
        times=history.times + np.cumsum(rng.integers(0, 10**12, count)) - 10**14,
    )
    system = build("elo-mmr", chosen)
    assert bits(in_compiled_code(system, history)) == bits(by_numpy(system, history))


@pytest.mark.parametrize("limit", [0, 100, 140])
def test_memories_of_hundreds_of_matches_get_the_same_bits(limit: int) -> None:
    """Players whose strength hardly drifts remember all matches, of which NumPy adds parts."""
    system = build("elo-mmr", {"parametrisation": "paper", "gamma": 0.01, "history_limit": limit})
    history = random_duels(700, 4)
    rated = in_compiled_code(system, history)
    assert bits(rated) == bits(by_numpy(system, history))
    remembered = (rated.memory.shape[-1] - 2) // 3
    assert remembered == limit if limit else remembered > 256


@pytest.mark.parametrize("count", [*range(8), *range(8, 136, 8), *range(160, 2_000, 32), 40_000])
def test_rows_are_added_up_as_numpy_adds(count: int) -> None:
    numbers = np.random.default_rng(count).lognormal(0.0, 9.0, (3, count + 5))
    expected = np.add.reduce(np.ascontiguousarray(numbers[:, 5:]), axis=-1)
    assert [added_up(row, 5, count) for row in numbers] == expected.tolist()


@keep
def added_up(numbers: Floats, start: int, count: int) -> float:
    return pairwise(numbers, start, count)
