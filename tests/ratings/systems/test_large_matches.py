"""Conformance tests of every registered rating system with matches of many sides."""

import numpy as np
import pytest

from ratings import numerics
from ratings.registry import SYSTEMS, build
from tests.support.rating_histories import batch_of, bits, states_of
from tests.support.system_properties import shape_of


@pytest.fixture
def chance() -> np.random.Generator:
    """The same numbers for each test, in whatever order they run."""
    return np.random.default_rng(20)


every_system = pytest.mark.parametrize("name", list(SYSTEMS))


@every_system
def test_a_large_free_for_all_gives_the_same_bits_in_blocks(
    name: str, monkeypatch: pytest.MonkeyPatch, chance: np.random.Generator
) -> None:
    system = build(name)
    sizes = shape_of(name, (1,) * 60, (30, 30))
    states = states_of(chance.uniform(800, 2200, (2, 60)))
    places = list(range(len(sizes)))
    batch = batch_of(sizes, [places, places[::-1]])
    whole = system.rate(states, batch)
    monkeypatch.setattr(numerics, "_PAIRS_AT_ONCE", 700)
    assert bits(system.rate(states, batch).after) == bits(whole.after)


@every_system
@pytest.mark.parametrize("played", ["in random order", "with ties", "all tied"])
def test_a_match_of_ten_thousand_gives_finite_states(name: str, played: str) -> None:
    system = build(name)
    rng = np.random.default_rng(3)
    sizes = shape_of(name, (1,) * 10_000, (5000, 5000))
    states = states_of(rng.normal(1500, 400, (1, 10_000)))
    states.deviation[:] = rng.choice([60.0, 120.0, 350.0], 10_000)
    states.volatility[:] = system.newcomers(1).volatility
    sides = len(sizes)
    places = {
        "in random order": rng.permutation(sides),
        "with ties": rng.integers(0, sides // 2, sides),
        "all tied": np.zeros(sides, dtype=np.int64),
    }[played]
    batch = batch_of(sizes, [places.tolist()])
    # One player quits at once.
    batch.seconds[0, 17], batch.quits[0, 17] = 0.0, True
    after = system.rate(states, batch).after
    assert np.isfinite(after.rating).all()
    if system.shows.deviation:
        assert np.isfinite(after.deviation).all()
        assert (after.deviation > 0).all()
