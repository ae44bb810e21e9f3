"""Corrected forecasts: nothing but the past, and better than what was too certain."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from ratings.lab.calibration import (
    FEWEST,
    LEAST,
    MOST,
    SPREAD,
    correct,
    fitted_power,
    known_before,
    positions,
)
from ratings.lab.slopes import Sides
from tests.support.effort import examples


def duels(count: int, sharpness: float, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return forecasts whose log-odds are ``sharpness`` times the true ones, and places."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(0.0, 1.2, count)
    won = rng.random(count) < 1 / (1 + np.exp(-odds))
    said = 1 / (1 + np.exp(-sharpness * odds))
    chance = np.stack([said, 1 - said], axis=-1).ravel()
    return chance, np.stack([~won, won], axis=-1).astype(np.int64).ravel()


def loss(chance: np.ndarray, places: np.ndarray) -> float:
    return float(-np.log(chance[places == 0]).mean())


matches = st.lists(
    st.tuples(
        st.lists(st.floats(0.01, 1.0), min_size=2, max_size=4),
        st.lists(st.integers(0, 2), min_size=4, max_size=4),
        st.integers(-1, 3),
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=examples(60), deadline=None)
@given(played=matches, data=st.data())
def test_no_result_influences_its_own_forecast_or_an_earlier_one(
    played: list[tuple[list[float], list[int], int]], data: st.DataObject
) -> None:
    counts = np.array([len(chances) for chances, _places, _step in played])
    chance = np.concatenate([np.array(chances) / sum(chances) for chances, _, _ in played])
    places = np.concatenate([places[: len(chances)] for chances, places, _ in played])
    days = np.cumsum([step for _chances, _places, step in played])
    which = data.draw(st.integers(0, len(played) - 1))
    start = int(counts[:which].sum())
    end = start + int(counts[which])
    turned = places.copy()
    turned[start:end] = 2 - turned[start:end]
    one, other = (correct(chance, some, counts, days) for some in (places, turned))
    assert one.chance[:end].tobytes() == other.chance[:end].tobytes()
    # Nor does it influence a match of the same day or an earlier one that became known later.
    for later in np.flatnonzero(days <= days[which]).tolist():
        at = slice(int(counts[:later].sum()), int(counts[: later + 1].sum()))
        assert one.chance[at].tobytes() == other.chance[at].tobytes()


@settings(max_examples=examples(30), deadline=None)
@given(played=matches)
def test_corrected_chances_sum_to_one_and_keep_their_order(
    played: list[tuple[list[float], list[int], int]],
) -> None:
    counts = np.array([len(chances) for chances, _places, _step in played])
    before = [np.array(chances) / sum(chances) for chances, _, _ in played]
    places = np.concatenate([places[: len(chances)] for chances, places, _ in played])
    found = correct(np.concatenate(before), places, counts, np.arange(len(played)))
    assert ((found.power >= LEAST) & (found.power <= MOST)).all()
    for was, now in zip(before, np.split(found.chance, np.cumsum(counts)[:-1]), strict=True):
        assert now.sum() == pytest.approx(1.0)
        order = np.argsort(was)
        assert (np.diff(now[order]) >= -1e-12).all()


@pytest.mark.parametrize("sharpness", [2.0, 0.5])
def test_forecasts_that_are_too_certain_or_too_cautious_become_better(sharpness: float) -> None:
    chance, places = duels(4000, sharpness)
    counts, days = np.full(4000, 2), np.arange(4000) // 10
    found = correct(chance, places, counts, days)
    assert found.power[-1] == pytest.approx(1 / sharpness, rel=0.1)
    assert found.power[:FEWEST].tolist() == [1.0] * FEWEST
    late = slice(1000, None)
    assert loss(found.chance[late], places[late]) < loss(chance[late], places[late]) - 0.005


def test_good_forecasts_hardly_change() -> None:
    chance, places = duels(3000, 1.0)
    found = correct(chance, places, np.full(3000, 2), np.arange(3000))
    assert found.power[-1] == pytest.approx(1.0, abs=0.08)
    assert loss(found.chance, places) < loss(chance, places) + 0.002


@pytest.mark.parametrize("count", [12, 200])
def test_the_power_is_that_of_a_penalised_logistic_regression(count: int) -> None:
    chance, places = duels(count, 1.7, seed=9)
    odds = np.log(chance[::2] / chance[1::2])
    won = places[::2] == 0

    def penalised(power: float) -> float:
        lead = np.where(won, odds, -odds)
        return float(np.logaddexp(0, -power * lead).sum() + (power - 1) ** 2 / (2 * SPREAD**2))

    wanted = minimize_scalar(  # type: ignore[no-untyped-call]
        penalised, bounds=(LEAST, MOST), method="bounded", options={"xatol": 1e-10}
    ).x
    found = fitted_power(Sides.of_matches(chance, places, np.full(count, 2)))
    assert found == pytest.approx(wanted, abs=1e-6)
    # The last match is corrected by those of earlier days, as if there were no others.
    more = np.append(chance, [0.7, 0.3]), np.append(places, [0, 1])
    last = correct(*more, np.full(count + 1, 2), np.append(np.zeros(count, np.int64), 1))
    stop = positions(count)[-1]
    part = Sides.of_matches(chance[: 2 * stop], places[: 2 * stop], np.full(stop, 2))
    lifted = 0.7 ** fitted_power(part), 0.3 ** fitted_power(part)
    assert last.chance[-2] == pytest.approx(lifted[0] / sum(lifted), abs=1e-6)


def test_matches_of_the_same_day_do_not_correct_each_other() -> None:
    assert known_before(np.array([0, 0, 1, 1, 0, 3, 2])).tolist() == [0, 0, 2, 2, 0, 5, 5]
    assert positions(FEWEST - 1) == []
    assert positions(25) == [*range(10, 26)]
    assert len(positions(50_000)) < 200


def test_certain_and_even_forecasts_change_nothing() -> None:
    places = np.tile([0, 1], 50)
    for first in (1.0, 0.5):
        chance = np.tile([first, 1 - first], 50)
        found = correct(chance, places, np.full(50, 2), np.arange(50))
        assert np.isfinite(found.chance).all()
        assert found.chance == pytest.approx(chance, abs=1e-9)
    assert (
        len(
            correct(
                np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64)
            ).chance
        )
        == 0
    )
