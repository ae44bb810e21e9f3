"""Chances of draws in systems that have none of their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from ratings.contests import forecasting
from ratings.contests.draws import MOST, split
from ratings.facade import Ratings
from ratings.registry import SYSTEMS, build
from tests.support.rating_histories import states_of

SPLIT = [name for name, system in SYSTEMS.items() if not system.knows_draws]
shares = st.floats(0.0, MOST, exclude_min=True)
scores = st.floats(0.0, 1.0)


def constant(share: float) -> float:
    return 2.0 * share / (1.0 - share)


def both(*expected: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[one, 1.0 - one] for one in expected])


@given(expected=st.floats(1e-6, 1 - 1e-6), share=st.floats(1e-6, MOST))
def test_an_independent_root_finder_agrees(expected: float, share: float) -> None:
    """Find the log of x at which Davidson's model scores ``expected``, without the quadratic."""
    nu = constant(share)

    def excess(log_x: float) -> float:
        win, draw, loss = np.exp(log_x), nu, np.exp(-log_x)
        return float((win + 0.5 * draw) / (win + draw + loss)) - expected

    x = np.exp(brentq(excess, -40.0, 40.0, xtol=1e-14))  # type: ignore[no-untyped-call] # SciPy's
    found = split(both(expected), nu)
    total = x + nu + 1.0 / x
    assert [*found.win[0], found.draw[0]] == pytest.approx(
        [x / total, 1.0 / x / total, nu / total], rel=1e-6, abs=1e-9
    )


@given(expected=scores, share=shares)
def test_the_expected_score_stays_and_the_chances_sum_to_one(expected: float, share: float) -> None:
    found = split(both(expected), constant(share))
    win, loss = found.win[0].tolist()
    draw = float(found.draw[0])
    assert min(win, draw, loss) >= 0.0
    assert win + draw + loss == pytest.approx(1.0, abs=1e-12)
    assert win + draw / 2 == pytest.approx(expected, abs=1e-12)


@given(expected=scores, share=shares)
def test_swapping_the_sides_swaps_the_same_bits(expected: float, share: float) -> None:
    given = both(expected)
    one, other = split(given, constant(share)), split(given[:, ::-1], constant(share))
    assert other.win[:, ::-1].tobytes() == one.win.tobytes()
    assert other.draw.tobytes() == one.draw.tobytes()


@pytest.mark.parametrize("name", SPLIT)
def test_every_system_forecasts_draws_if_asked(name: str) -> None:
    ratings = np.array([[1500.0, 1500.0], [1700.0, 1500.0], [1500.0, 1700.0]])
    states, times = states_of(ratings), np.zeros(3, dtype=np.int64)
    states.volatility[:] = build(name).newcomers(1).volatility
    plain = build(name).predict(states, (1, 1), times)
    as_today = forecasting.forecast(build(name), states, (1, 1), times, None)
    assert as_today.win.tobytes() == plain.win.tobytes()
    assert as_today.draw.tobytes() == plain.draw.tobytes()
    with_draws = build(name, {"draws": 0.3})
    found = forecasting.forecast(with_draws, states, (1, 1), times, None)
    assert found.draw[0] == pytest.approx(0.3)
    assert 0 < found.draw[1] == found.draw[2] < 0.3
    assert found.win + found.draw[:, None] / 2 == pytest.approx(plain.win, abs=1e-12)


def test_only_forecasts_of_two_sides_have_draws() -> None:
    with_draws = build("elo", {"draws": 0.3})
    states, times = states_of(np.array([[1500.0, 1600.0, 1700.0]])), np.zeros(1, dtype=np.int64)
    found = forecasting.forecast(with_draws, states, (1, 1, 1), times, None)
    plain = build("elo").predict(states, (1, 1, 1))
    assert found.win.tobytes() == plain.win.tobytes()
    assert found.draw.tolist() == [0.0]


def test_the_library_predicts_draws_and_rates_as_without() -> None:
    plain, ratings = Ratings("elo"), Ratings("elo", draws=0.25, first_side=100)
    assert ratings.predict(["Ann", "Bob"]).draw == pytest.approx(0.25)
    assert ratings.predict(["Ann", "Bob"], first=0).draw < 0.25
    for one in (plain, ratings):
        one.rate(["Ann", "Bob"], ranks=[0, 0])
        one.rate(["Bob", "Cem"])
    assert ratings["Bob"] == plain["Bob"]
