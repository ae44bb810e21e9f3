"""Performances in contests of every size, compared with sums over every opponent."""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr

from ratings.contests import performance
from ratings.contests.first_place import first_place_chances
from ratings.contests.normal_performance import normal_performances
from ratings.contests.normal_sum import expected_places
from ratings.contests.performance import logistic_performances
from ratings.contests.shared_sum import SharedSum
from ratings.places import middle_places
from ratings.types import Floats, Integers
from tests.support.effort import spread

Draw = Callable[[np.random.Generator, int], Any]

DEVIATIONS: dict[str, Draw] = {
    "all alike": lambda rng, n: np.full(n, 250.0),
    "of three kinds": lambda rng, n: rng.choice([210.0, 250.0, 400.0], n),
    "all different": lambda rng, n: rng.uniform(200, 450, n),
    "wildly different": lambda rng, n: np.exp(rng.uniform(np.log(50), np.log(5000), n)),
}
PLACES: dict[str, Draw] = {
    "no ties": lambda rng, n: rng.permutation(n),
    "many ties": lambda rng, n: rng.integers(0, max(2, n // 5), n),
    "a great tie in the middle": lambda rng, n: np.clip(rng.permutation(n), n // 4, n // 2),
    "all tied": lambda rng, n: np.zeros(n, dtype=np.int64),
}


def logistic_zero(
    mean: Floats, deviation: Floats, places: Integers, own: int, split_ties: bool
) -> float:
    """Solve the paper's sum over all opponents of one side by bisection and secants."""
    bar = deviation * math.sqrt(3) / math.pi

    def q(x: float) -> float:
        tanh = np.tanh((x - mean) / (2 * bar))
        beaten, beating = places > places[own], places < places[own]
        tied = places == places[own]
        total = ((tanh - 1) / bar)[beaten].sum() + ((tanh + 1) / bar)[beating].sum()
        return float(total + (1 if split_ties else 2) * (tanh / bar)[tied].sum())

    far = 40 * deviation.max()
    found = brentq(q, mean.min() - far, mean.max() + far, xtol=1e-10, rtol=1e-15)  # type: ignore[no-untyped-call] # SciPy's
    return float(found)


@pytest.mark.parametrize(
    ("sides", "deviations", "placing"),
    spread(list(product([2, 7, 128, 129, 600], DEVIATIONS, PLACES)), 14),
)
def test_performances_are_the_zeros_of_the_sums_over_every_opponent(
    sides: int, deviations: str, placing: str
) -> None:
    rng = np.random.default_rng(2)
    mean = rng.normal(1500, 350, sides)
    deviation, places = DEVIATIONS[deviations](rng, sides), PLACES[placing](rng, sides)
    for split_ties in (False, True):
        solved = logistic_performances(
            mean[None], deviation[None], places[None], split_ties=split_ties
        )[0]
        for own in {0, sides // 2, int(np.argmin(places)), int(np.argmax(places))}:
            expected = logistic_zero(mean, deviation, places, own, split_ties)
            assert solved[own] == pytest.approx(expected, abs=1e-7), own


def test_a_contest_has_the_same_sums_on_a_grid_and_pair_by_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(2)
    sides = 500
    mean, deviation = rng.normal(1500, 350, (2, sides)), rng.uniform(200, 450, (2, sides))
    places = np.stack([rng.permutation(sides), rng.integers(0, 50, sides)])
    on_grid = logistic_performances(mean, deviation, places)
    monkeypatch.setattr(performance, "MOST_DIRECT_SIDES", sides)
    pair_by_pair = logistic_performances(mean, deviation, places)
    np.testing.assert_allclose(on_grid, pair_by_pair, rtol=0, atol=1e-8)


def test_players_too_far_apart_for_a_grid_are_summed_one_by_one() -> None:
    rng = np.random.default_rng(2)
    sides = 200
    mean, deviation = rng.normal(0, 1e7, sides), np.full(sides, 200.0)
    places = rng.integers(0, 150, sides)
    solved = logistic_performances(mean[None], deviation[None], places[None])[0]
    low, high = float(mean.min()), float(mean.max())
    assert not SharedSum.fits(math.pi / math.sqrt(3) / deviation, low, high)
    k = math.pi / math.sqrt(3) / 200
    for own in range(0, sides, 20):
        tanh = np.tanh((solved[own] - mean) * k / 2)
        won, lost = places > places[own], places < places[own]
        wanted = np.count_nonzero(won) - np.count_nonzero(lost)
        got = tanh.sum() + tanh[places == places[own]].sum()
        assert got == pytest.approx(wanted, abs=1e-6)


def test_the_shared_sum_is_the_sum_of_its_terms_to_the_last_digits() -> None:
    rng = np.random.default_rng(2)
    for deviations in DEVIATIONS.values():
        mean, k = rng.normal(1500, 350, 300), 1.8 / deviations(rng, 300)
        weight = rng.uniform(0, 1, 300)
        low, high = float(mean.min()) - 500, float(mean.max()) + 500
        sums = SharedSum(mean, k, weight, low, high)
        x = np.linspace(low, high, 1001)
        tanh = np.tanh((x[:, None] - mean) * k / 2)
        whole = weight.sum()
        np.testing.assert_allclose(sums.value(x), (weight * tanh).sum(-1), atol=3e-13 * whole)
        value, slope, curvature = sums.derivatives(x)
        assert value.tobytes() == sums.value(x).tobytes()
        bent = weight * k / 2 * (1 - tanh**2)
        np.testing.assert_allclose(slope, bent.sum(-1), atol=1e-9 * whole * k.max())
        np.testing.assert_allclose(
            curvature, -(bent * k * tanh).sum(-1), atol=1e-6 * whole * k.max() ** 2
        )


def normal_zero(
    mean: Floats, deviation: Floats, places: Integers, own: int, split_ties: bool
) -> float:
    def q(x: float) -> float:
        z = (x - mean) / deviation
        log_density = -0.5 * z**2 - 0.5 * math.log(2 * math.pi)
        win, loss = np.exp(log_density - log_ndtr(z)), -np.exp(log_density - log_ndtr(-z))
        drew = 0.5 * (win + loss) if split_ties else -z
        order = places - places[own]
        terms = np.where(order > 0, win, np.where(order < 0, loss, drew)) / deviation
        return float(terms.sum())

    far = 20 * deviation.max()
    found = brentq(q, mean.min() - far, mean.max() + far, xtol=1e-10, rtol=1e-15)  # type: ignore[no-untyped-call] # SciPy's
    return float(found)


@pytest.mark.parametrize(
    ("sides", "deviations", "placing"),
    spread(list(product([2, 7, 256, 257, 600], DEVIATIONS, PLACES)), 14),
)
def test_normal_performances_are_the_zeros_of_the_sums_over_every_opponent(
    sides: int, deviations: str, placing: str
) -> None:
    rng = np.random.default_rng(2)
    mean = rng.normal(1500, 350, sides)
    deviation, places = DEVIATIONS[deviations](rng, sides), PLACES[placing](rng, sides)
    for split_ties in (False, True):
        solved = normal_performances(
            mean[None], deviation[None], places[None], split_ties=split_ties
        )[0]
        for own in {0, sides // 2, int(np.argmin(places)), int(np.argmax(places))}:
            expected = normal_zero(mean, deviation, places, own, split_ties)
            assert solved[own] == pytest.approx(expected, abs=4e-10 * deviation.max()), own


@pytest.mark.parametrize("lead", [1e3, 1e5, 1e8])
def test_normal_performances_stay_finite_where_every_chance_underflows(lead: float) -> None:
    mean = np.array([[0.0, lead], [0.0, lead]])
    places = np.array([[0, 1], [1, 0]])
    solved = normal_performances(mean, np.full((2, 2), 100.0), places)
    assert np.isfinite(solved).all()
    # A win of the underdog is between the two. A win of the favourite is no news.
    assert 0 < solved[0, 0] < lead
    np.testing.assert_allclose(solved[1], mean[1], atol=1e3 / lead)


@pytest.mark.parametrize("players", [2, 9, 128, 400])
@pytest.mark.parametrize("deviations", list(DEVIATIONS))
def test_expected_places_are_sums_of_chances(players: int, deviations: str) -> None:
    rng = np.random.default_rng(2)
    rating, spread = rng.normal(1500, 350, (2, players)), DEVIATIONS[deviations](rng, players)
    got = expected_places(rating, np.stack([spread, spread]))
    lead = rating[:, None, :] - rating[:, :, None]
    expected = ndtr(lead / np.hypot(spread, spread[:, None])).sum(-1)
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * players)


def test_places_count_from_one_and_ties_share_the_middle() -> None:
    got = middle_places(np.array([[7, 3, 3, 9], [5, 5, 5, 5], [3, 2, 1, 0]]))
    assert got.tolist() == [[3, 1.5, 1.5, 4], [2.5] * 4, [4, 3, 2, 1]]


def test_the_chance_to_come_first_integrates_all_densities() -> None:
    mean, deviation = np.array([1500.0, 1700.0, 1650.0]), np.array([200.0, 90.0, 320.0])

    def normal(x: float, own: int) -> float:
        others = [other for other in range(3) if other != own]
        z = (x - mean) / deviation
        below = math.prod(float(ndtr(z[other])) for other in others)
        density = math.exp(-0.5 * z[own] ** 2) / math.sqrt(2 * math.pi) / deviation[own]
        return float(density * below)

    def logistic(x: float, own: int) -> float:
        scale = deviation * math.sqrt(3) / math.pi
        below = 1 / (1 + np.exp(-(x - mean) / scale))
        others = [other for other in range(3) if other != own]
        density = below[own] * (1 - below[own]) / scale[own]
        return float(density * math.prod(below[other] for other in others))

    for kind, density in (("normal", normal), ("logistic", logistic)):
        exact = [quad(density, -1500, 4500, args=(own,), limit=200)[0] for own in range(3)]
        got = first_place_chances(mean[None], deviation[None], kind)[0]  # type: ignore[arg-type] # both kinds
        np.testing.assert_allclose(got, exact, atol=1e-6)


def test_the_chance_of_two_sides_follows_from_their_difference() -> None:
    mean, deviation = np.array([[1500.0, 1620.0]]), np.array([[150.0, 210.0]])
    lead = -120 / math.hypot(150, 210)
    assert first_place_chances(mean, deviation, "normal")[0, 0] == pytest.approx(float(ndtr(lead)))
    logistic = 1 / (1 + math.exp(-lead * math.pi / math.sqrt(3)))
    assert first_place_chances(mean, deviation, "logistic")[0, 0] == pytest.approx(logistic)
