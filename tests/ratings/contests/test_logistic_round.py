"""Large free-for-alls, whose sums over all pairs are computed in linear time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.contests.logistic_round import LARGE_MATCH, Expectations, FinishOrder
from ratings.registry import build
from ratings.system import RatingSystem
from ratings.systems.bar import system as bar
from ratings.systems.fermi import system as fermi
from ratings.systems.glicko import games
from ratings.types import Batch, Outcome, States
from tests.support.rating_histories import batch_of, bits, states_of

SYSTEMS = [
    build("bar"),
    build("fermi", {"T": 150.0}),
    build("elo"),
    build("glicko"),
    build("glicko", {"form": "paper"}),
    build("glicko-2"),
    build("glicko-2", {"update": "period"}),
]
every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda one: one.name)


def a_great_match(
    spread: float, sides: int = LARGE_MATCH + 100, matches: int = 2
) -> tuple[States, Batch]:
    rng = np.random.default_rng(6)
    states = states_of(rng.normal(1500, spread, (matches, sides)))
    states.deviation[:] = rng.uniform(30, 350, (matches, sides))
    places = rng.integers(0, sides // 2, (matches, sides)).tolist()
    return states, batch_of((1,) * sides, places, weight=0.7)


def pair_by_pair(
    system: RatingSystem, states: States, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> Outcome:
    monkeypatch.setattr(fermi, "LARGE_MATCH", 10**9)
    monkeypatch.setattr(games, "LARGE_MATCH", 10**9)
    monkeypatch.setattr(bar, "LARGE_MATCH", 10**9)
    outcome = system.rate(states, batch)
    monkeypatch.undo()
    return outcome


@every_system
@pytest.mark.parametrize("spread", [1.0, 300.0, 20_000.0, 1e8])
def test_a_large_match_is_rated_as_pair_by_pair(
    system: RatingSystem, spread: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, batch = a_great_match(spread)
    great = system.rate(states, batch)
    slow = pair_by_pair(system, states, batch, monkeypatch)
    # With players further apart than in any league, moves are just as large.
    atol = 1e-8 if spread < 1000 else 1e-5
    np.testing.assert_allclose(great.after.rating, slow.after.rating, rtol=1e-12, atol=atol)
    np.testing.assert_allclose(great.after.deviation, slow.after.deviation, rtol=1e-9)
    np.testing.assert_allclose(great.after.volatility, slow.after.volatility, rtol=1e-6)
    for name, values in slow.terms.items():
        np.testing.assert_allclose(great.terms[name], values, rtol=1e-8, atol=atol, err_msg=name)


@every_system
def test_a_large_match_gives_the_same_bits_alone_and_beside_another(system: RatingSystem) -> None:
    states, batch = a_great_match(300.0)
    states.rating[1] += 5000
    together = system.rate(states, batch).after
    alone = batch_of(batch.sizes, batch.places[:1].tolist(), weight=0.7)
    assert bits(system.rate(states.take(slice(0, 1)), alone).after) == bits(
        together.take(slice(0, 1))
    )


@settings(deadline=None)
@given(
    places=st.lists(st.integers(0, 6), min_size=1, max_size=40),
    seed=st.integers(0, 100),
)
def test_wins_are_sums_over_single_opponents(places: list[int], seed: int) -> None:
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, len(places))
    expected = [
        sum(
            of * (1.0 if own < other else 0.5 if own == other else 0.0)
            for other, of in zip(places, weight, strict=True)
        )
        for own in places
    ]
    np.testing.assert_allclose(FinishOrder(np.array(places)).wins(weight), expected, atol=1e-12)


def test_expectations_and_their_slopes_are_the_sums_over_all_opponents() -> None:
    rng = np.random.default_rng(2)
    mean, x = rng.normal(0, 3, 400), rng.normal(0, 3, 50)
    k, weight = rng.uniform(0.3, 2, 400), rng.uniform(0, 1, 400)
    low, high = min(mean.min(), x.min()), max(mean.max(), x.max())
    sums = Expectations(mean, k, weight, low, high)
    win = 1 / (1 + np.exp(-k * (x[:, None] - mean)))
    np.testing.assert_allclose(sums.value(x), (weight * win).sum(axis=-1), rtol=1e-12)
    slope = (weight * k * win * (1 - win)).sum(axis=-1)
    np.testing.assert_allclose(sums.slope(x), slope, rtol=1e-10)


def test_a_match_of_ten_thousand_gives_finite_states() -> None:
    states, batch = a_great_match(300.0, sides=10_000, matches=1)
    for system in SYSTEMS:
        after = system.rate(states, batch).after
        assert np.isfinite(after.rating).all()
        if system.shows.deviation:
            assert (after.deviation > 0).all()
