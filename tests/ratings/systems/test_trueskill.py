"""TrueSkill compared with its formulas, an integration of its model and published figures."""

import importlib
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from scipy.special import ndtr

from ratings.systems.trueskill import inference
from ratings.systems.trueskill.gaussians import above, between
from ratings.systems.trueskill.system import shares_played
from ratings.types import Batch, States
from tests.support.effort import examples
from tests.support.published import published
from tests.support.rating_histories import batch_of, bits, states_of

OWN_SCALE: dict[str, object] = {
    "initial_rating": 25.0,
    "initial_deviation": 25 / 3,
    "beta": 25 / 6,
    "drift": 25 / 300,
    "draw_probability": 0.1,
    "empty_seat": 0.0,
}


@pytest.fixture
def chance() -> np.random.Generator:
    """The same numbers for each test, in whatever order they run."""
    return np.random.default_rng(12)


def rated(
    sizes: tuple[int, ...],
    places: list[int],
    ratings: list[float] | None = None,
    deviations: list[float] | None = None,
    parameters: dict[str, object] | None = None,
) -> States:
    """Rate one match of newcomers, or of players with these ratings and deviations."""
    system = published("trueskill:elo-mmr", parameters)
    states = system.newcomers(sum(sizes)).take(np.arange(sum(sizes))[None])
    if ratings:
        states.rating[0] = ratings
    if deviations:
        states.deviation[0] = deviations
    return system.rate(states, batch_of(sizes, [places])).after


def with_seconds(batch: Batch, seconds: list[float]) -> Batch:
    return Batch(**{**vars(batch), "seconds": np.array([seconds])})


# Ratings of newcomers from the inventors' calculator and the libraries that follow it.
@pytest.mark.parametrize(
    ("sizes", "places", "ratings", "deviations"),
    [
        ((1, 1), [0, 1], [29.396, 20.604], [7.171, 7.171]),
        ((1, 1), [0, 0], [25.0, 25.0], [6.458, 6.458]),
        ((1, 1, 1), [0, 1, 2], [31.675, 25.000, 18.325], [6.656, 6.208, 6.656]),
        (
            (1,) * 8,
            list(range(8)),
            [36.771, 32.242, 29.074, 26.322, 23.678, 20.926, 17.758, 13.229],
            [5.749, 5.133, 4.943, 4.874, 4.874, 4.943, 5.133, 5.749],
        ),
        ((4, 4), [0, 1], [27.198] * 4 + [22.802] * 4, [8.059] * 8),
        ((1, 2), [0, 1], [33.730, 16.270, 16.270], [7.317, 7.317, 7.317]),
        ((1, 2), [0, 0], [31.660, 18.340, 18.340], [7.138, 7.138, 7.138]),
    ],
)
def test_newcomers_get_the_published_ratings(
    sizes: tuple[int, ...], places: list[int], ratings: list[float], deviations: list[float]
) -> None:
    after = rated(sizes, places, parameters=OWN_SCALE)
    np.testing.assert_allclose(after.rating[0], ratings, atol=0.001)
    np.testing.assert_allclose(after.deviation[0], deviations, atol=0.001)


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize(
    "sizes", [(1, 1), (1,) * 3, (1,) * 4, (1,) * 8, (5, 5), (1, 2), (3, 1, 2), (2, 2, 2, 2)]
)
def test_any_match_agrees_with_the_trueskill_library(
    sizes: tuple[int, ...], drawn: bool, chance: np.random.Generator
) -> None:
    peer = importlib.import_module("trueskill").TrueSkill()
    # That library reads shared places as tied neighbours in the order of the list.
    system = published("trueskill:elo-mmr", {**OWN_SCALE, "ties": "neighbours"})
    for _ in range(8):
        ratings, deviations = chance.uniform(15, 35, sum(sizes)), chance.uniform(1, 8, sum(sizes))
        high = 3 if drawn else 100
        places = chance.choice(high, len(sizes), replace=drawn).tolist()
        states = states_of(ratings[None])
        states.deviation[0] = deviations
        after = system.rate(states, batch_of(sizes, [places])).after
        members = [peer.create_rating(*one) for one in zip(ratings, deviations, strict=True)]
        ends = np.cumsum(sizes)
        teams = [members[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        expected = [one for team in peer.rate(teams, ranks=places, min_delta=1e-9) for one in team]
        np.testing.assert_allclose(after.rating[0], [one.mu for one in expected], atol=1e-4)
        np.testing.assert_allclose(after.deviation[0], [one.sigma for one in expected], atol=1e-4)


def test_a_duel_matches_the_closed_form_of_the_paper() -> None:
    alice, charlie = (1620.0, 110.0), (1710.0, 60.0)
    after = rated((1, 1), [0, 1], [alice[0], charlie[0]], [alice[1], charlie[1]])
    variances = [alice[1] ** 2 + 35**2, charlie[1] ** 2 + 35**2]
    c = math.sqrt(2 * 175**2 + sum(variances))
    t = (alice[0] - charlie[0] - 2.0) / c
    v = math.exp(-0.5 * t * t) / math.sqrt(2 * math.pi) / ndtr(t)
    w = v * (v + t)
    assert after.rating[0, 0] == pytest.approx(1620 + variances[0] / c * v, abs=1e-9)
    assert after.rating[0, 1] == pytest.approx(1710 - variances[1] / c * v, abs=1e-9)
    shrunk = math.sqrt(variances[0] * (1 - variances[0] / c**2 * w))
    assert after.deviation[0, 0] == pytest.approx(shrunk, abs=1e-9)


def exact_posterior(
    means: list[float], deviations: list[float], inside: object
) -> tuple[np.ndarray, np.ndarray]:
    """Return means and deviations of three skills by summing the model over a grid."""
    grid = [np.linspace(m - 7 * s, m + 7 * s, 181) for m, s in zip(means, deviations, strict=True)]
    cells = np.meshgrid(*grid, indexing="ij")
    density = np.ones_like(cells[0])
    for cell, mean, deviation in zip(cells, means, deviations, strict=True):
        density *= np.exp(-0.5 * ((cell - mean) / deviation) ** 2)
    density *= inside(*cells)  # type: ignore[operator]  # a function of three arrays
    density /= density.sum()
    got = [(density * cell).sum() for cell in cells]
    spread = [(density * (cell - m) ** 2).sum() for cell, m in zip(cells, got, strict=True)]
    return np.array(got), np.sqrt(spread)


def test_three_players_agree_with_the_model_summed_over_a_grid() -> None:
    means, performed = [1400.0, 1650.0, 1500.0], [300.0, 250.0, 400.0]
    mean, deviation = exact_posterior(means, performed, lambda a, b, c: (a > b + 2) & (b > c + 2))
    # With hardly any noise or drift, the skills are the performances.
    after = rated((1, 1, 1), [0, 1, 2], means, performed, {"beta": 0.01, "drift": 0})
    # The messages keep only means and variances, while the model itself is slightly skewed.
    np.testing.assert_allclose(after.rating[0], mean, atol=6.0)
    np.testing.assert_allclose(after.deviation[0], deviation, rtol=0.05)


def test_all_players_on_one_place_are_pulled_together_equally() -> None:
    after = rated((1,) * 5, [0, 0, 0, 0, 0], [1300.0, 1400.0, 1500.0, 1600.0, 1700.0])
    assert (np.diff(after.rating[0]) > 0).all()
    assert after.rating[0, 4] - after.rating[0, 0] < 200
    np.testing.assert_allclose(after.deviation[0], after.deviation[0, 0], rtol=1e-9)
    # As neighbours, the ends of the list are constrained on one side only.
    listed = rated((1,) * 5, [0] * 5, parameters={"ties": "neighbours"}).deviation[0]
    assert listed[0] > listed[2]


@pytest.mark.parametrize("places", ["strict", "tied", "pairs", "crowds", "upset"])
@pytest.mark.parametrize("deviation", [1.0, 350.0, 10_000.0])
def test_a_large_contest_stays_finite(places: str, deviation: float) -> None:
    rng, many = np.random.default_rng(3), examples(2_500, 10_000)
    ratings = rng.normal(1500, 350, (1, many))
    at = {
        "strict": rng.permutation(many),
        "tied": np.zeros(many),
        "pairs": rng.permutation(many) // 2,
        "crowds": rng.integers(0, 50, many),
        "upset": np.argsort(np.argsort(ratings[0])),
    }[places]
    system = published("trueskill:elo-mmr")
    states = states_of(ratings, deviation)
    after = system.rate(states, batch_of((1,) * many, [at.tolist()])).after
    assert np.isfinite(after.rating).all()
    assert (after.deviation > 0).all()
    assert (after.deviation <= math.hypot(deviation, 35) + 1e-6).all()
    forecast = system.predict(states, (1,) * many)
    assert forecast.win.sum() + forecast.draw[0] == pytest.approx(1, abs=1e-9)


def test_few_and_many_contests_pass_along_the_chain_alike(chance: np.random.Generator) -> None:
    system = published("trueskill:elo-mmr")
    states = states_of(chance.uniform(800, 2200, (40, 12)))
    places = [chance.integers(0, 9, 12).tolist() for _ in range(40)]
    assert inference.FEW < 40
    together = system.rate(states, batch_of((1,) * 12, places)).after
    for row in range(40):
        one = slice(row, row + 1)
        alone = system.rate(states.take(one), batch_of((1,) * 12, places[one])).after
        assert bits(alone) == bits(together.take(one))


def test_a_player_present_half_the_time_moves_half_as_much_as_their_team_mate() -> None:
    system = published("trueskill:elo-mmr", {"empty_seat": 1500})
    states = system.newcomers(4).take(np.arange(4)[None])
    batch = with_seconds(batch_of((2, 2), [[0, 1]]), [300.0, 600.0, 600.0, 600.0])
    outcome = system.rate(states, batch)
    half, full = outcome.terms["change"][0, :2]
    assert half == pytest.approx(full / 2)
    assert outcome.terms["played"][0].tolist() == [0.5, 1, 1, 1]
    assert outcome.after.deviation[0, 0] > outcome.after.deviation[0, 1]


def test_an_empty_seat_counts_as_a_player_of_that_rating() -> None:
    system = published("trueskill:elo-mmr", {"empty_seat": 900})
    alone = system.predict(states_of(np.array([[1500.0, 1500.0, 1500.0]])), (1, 2)).win[0]
    assert alone[0] < 0.2
    even = published("trueskill:elo-mmr", {"empty_seat": 0})
    short = even.predict(states_of(np.array([[1500.0, 1500.0, 0.0]])), (1, 2)).win[0]
    assert short[0] == pytest.approx(short[1])


def test_shares_of_time_are_relative_to_the_longest_time_played() -> None:
    seconds = np.array([[math.nan] * 3, [60.0, 30.0, 0.0], [0.0, 0.0, 0.0], [90.0, math.nan, 45.0]])
    assert shares_played(seconds).tolist() == [
        [1, 1, 1],
        [1, 0.5, 0.0001],
        [1, 1, 1],
        [1, 1, 0.5],
    ]


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 1, 1, 1, 1), (2, 3, 1)])
def test_a_forecast_for_several_sides_is_the_integral_of_the_model(
    sizes: tuple[int, ...], chance: np.random.Generator
) -> None:
    system = published("trueskill:elo-mmr", {"eps": 20.0})
    ratings = chance.uniform(1200, 1800, sum(sizes))
    deviations = 10 ** chance.uniform(1, 2.7, sum(sizes))
    states = states_of(ratings[None])
    states.deviation[0] = deviations
    groups = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    mean = [(ratings[group] - 450).sum() for group in groups]
    spread = [math.sqrt((deviations[group] ** 2 + 35**2 + 175**2).sum()) for group in groups]

    def ahead(x: float, side: int) -> float:
        others = [
            ndtr((x - 40 - mean[other]) / spread[other])
            for other in range(len(sizes))
            if other != side
        ]
        z = (x - mean[side]) / spread[side]
        here = math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) / spread[side]
        return float(here * np.prod(others))

    forecast = system.predict(states, sizes)
    for side in range(len(sizes)):
        low, high = mean[side] - 9 * spread[side], mean[side] + 9 * spread[side]
        chance = integrate.quad(ahead, low, high, args=(side,), limit=300)[0]
        assert forecast.win[0, side] == pytest.approx(chance, abs=0.001)


def test_the_forecast_of_a_draw_matches_the_draw_probability_of_equals() -> None:
    system = published("trueskill:elo-mmr", {"draw_probability": 0.25, "drift": 0})
    forecast = system.predict(states_of(np.array([[1500.0, 1500.0]]), deviation=1e-6), (1, 1))
    assert forecast.draw[0] == pytest.approx(0.25, abs=1e-9)


@pytest.mark.parametrize("chance", [5e-324, 1e-17, 1e-9])
def test_with_a_vanishing_draw_probability_a_draw_means_equal_performances(chance: float) -> None:
    before = np.array([1700.0, 1500.0, 1400.0])
    after = rated((1, 1, 1), [0, 0, 0], before.tolist(), [90.0] * 3, {"draw_probability": chance})
    variance = 90.0**2 + 35.0**2
    share = variance / (variance + 175.0**2)
    np.testing.assert_allclose(after.rating[0], before + share * (before.mean() - before))


@pytest.mark.parametrize("x", [-30.0, -5.0, -1.0, 0.0, 2.0, 4.9999, 5.0001, 8.0, 30.0])
def test_the_mean_and_variance_above_a_limit_are_exact(x: float) -> None:
    width = 40 / max(x, 1)
    moments = _integrated(
        lambda y: math.exp(-0.5 * y * y - x * y), max(0.0, -x - 12), width - min(x, 0.0)
    )
    mean, variance = above(np.array([x]))
    assert mean[0] - x == pytest.approx(moments[0], rel=1e-10, abs=1e-12)
    assert variance[0] == pytest.approx(moments[1], rel=1e-9)


def test_the_farthest_tail_has_no_holes() -> None:
    mean, variance = above(np.array([1e4, 1e8, 1e12]))
    np.testing.assert_allclose(mean, [1e4 + 1e-4, 1e8, 1e12], rtol=1e-12)
    np.testing.assert_allclose(variance, [1e-8, 1e-16, 1e-24], rtol=1e-7)
    mean, variance = above(np.array([-1e6]))
    assert (mean[0], variance[0]) == (0, 1)


@settings(max_examples=examples(12), deadline=None)
@given(middle=st.floats(-40, 40), half_width=st.floats(-8, 1.3).map(lambda power: 10**power))
def test_the_mean_and_variance_within_limits_are_exact(middle: float, half_width: float) -> None:
    nearest = min(max(0.0, middle - half_width), middle + half_width)

    def density(y: float) -> float:
        x = middle + half_width * y
        return math.exp(0.5 * (nearest - x) * (nearest + x))

    peak = (nearest - middle) / half_width
    reach = 40 / (half_width * max(1.0, abs(nearest)))
    moments = _integrated(density, max(-1.0, peak - reach), min(1.0, peak + reach))
    mean, variance = between(np.array([middle]), np.array([half_width]))
    expected = middle + half_width * moments[0]
    assert mean[0] == pytest.approx(expected, rel=1e-14, abs=1e-7 * half_width)
    assert variance[0] == pytest.approx(half_width**2 * moments[1], rel=1e-6)


def _integrated(density: object, low: float, high: float) -> tuple[float, float]:
    """Return mean and variance of a density by Simpson's rule on many points."""
    points = np.linspace(low, high, 20_001)
    values = np.array([density(float(point)) for point in points])  # type: ignore[operator]
    total = integrate.simpson(values, x=points)
    mean = integrate.simpson(values * points, x=points) / total
    return float(mean), float(integrate.simpson(values * (points - mean) ** 2, x=points) / total)


def test_the_terms_add_up_to_the_change(chance: np.random.Generator) -> None:
    system = published("trueskill:elo-mmr")
    states = states_of(chance.uniform(1200, 1800, (10, 6)))
    places = list(itertools.repeat([0, 1, 2], 10))
    terms = system.rate(states, batch_of((2, 3, 1), places)).terms
    explained = terms["share"] * (terms["performance"] - terms["strength"])
    np.testing.assert_allclose(explained, terms["change"], atol=1e-9)


def test_a_chain_of_thirty_thousand_ends_when_only_rounding_moves_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(12)
    states = states_of(rng.normal(1500, 350, (1, 30_000)))
    batch = batch_of((1,) * 30_000, [rng.permutation(30_000).tolist()])
    whole = published("trueskill:elo-mmr").rate(states, batch).after
    monkeypatch.setattr(inference, "MOST_ROUNDS", 60)
    assert bits(published("trueskill:elo-mmr").rate(states, batch).after) == bits(whole)
