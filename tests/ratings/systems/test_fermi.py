"""Kreimeier's Fermi rating, its population and its display."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History
from ratings.numerics import chances
from ratings.replay import replay
from ratings.systems.fermi.display import TOP, chance_from_fixed_range, expected_gain, fixed_range
from ratings.systems.fermi.population import day_one, decay_ratings, measured_mean, measured_width
from ratings.tunables.reading import ParameterError
from tests.support.published import published
from tests.support.rating_histories import batch_of, contest, duel, states_of

WIDTHS = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])


def expectancy(lead: float) -> float:
    """Return the chance to win with a lead in the system fermi, at T = 1."""
    states = states_of(np.array([[lead, 0.0]]))
    return float(published("fermi:kreimeier").predict(states, (1, 1)).win[0, 0])


def missing(before: list[float], after: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    """Return the exact change of a sum."""
    return math.fsum([*before, *(-after).tolist()])


def test_beating_an_equal_moves_half_of_the_largest_gain_from_the_loser() -> None:
    states = replay(published("fermi:kreimeier"), History.build([duel("Alice", "Charlie")])).states
    assert states.rating.tolist() == [0.5, -0.5]


def test_the_expectancy_rises_from_0_through_a_half_to_1() -> None:
    assert expectancy(-800.0) == pytest.approx(0, abs=1e-300)
    assert expectancy(0.0) == 0.5
    assert expectancy(800.0) == 1


@given(lead=st.floats(-700, 700))
def test_players_who_trade_places_trade_their_chances(lead: float) -> None:
    win, loss = chances(np.array([lead]))
    other_win, other_loss = chances(np.array([-lead]))
    assert (win[0], loss[0]) == (other_loss[0], other_win[0])
    assert win[0] + loss[0] == pytest.approx(1, abs=1e-15)
    assert expectancy(lead) + expectancy(-lead) == pytest.approx(1, abs=1e-15)


@given(lead=st.floats(-30, 30), more=st.floats(0.01, 30))
def test_a_greater_lead_is_always_a_better_chance(lead: float, more: float) -> None:
    assert expectancy(lead + more) > expectancy(lead) or expectancy(lead) > 1 - 1e-12


def test_a_higher_temperature_makes_the_same_lead_mean_less() -> None:
    states = states_of(np.array([[2.0, 0.0]]))
    chance = [
        published("fermi:kreimeier", {"T": T}).predict(states, (1, 1)).win[0, 0]
        for T in (0.1, 0.5, 1, 2, 5, 1e6)
    ]
    assert chance == sorted(chance, reverse=True)
    assert chance[2] == pytest.approx(1 / (1 + math.exp(-2)))
    assert chance[-1] == pytest.approx(0.5, abs=1e-6)


def test_newcomers_start_at_the_mean_and_preserve_it() -> None:
    system = published("fermi:kreimeier", {"mean": 12.5})
    assert system.newcomers(3, population=100).rating.tolist() == [12.5] * 3
    played = [duel("Alice", "Charlie"), contest(["Bob"], ["Dora"], ["Eve"], match_id="2")]
    assert measured_mean(replay(system, History.build(played)).states.rating) == 12.5


def test_the_width_is_the_standard_deviation_over_n_minus_1() -> None:
    ratings = np.random.default_rng(1).normal(1500, 300, 500)
    assert measured_width(ratings) == pytest.approx(statistics.stdev(ratings.tolist()), rel=1e-14)
    assert measured_width(np.array([3.0, 5.0])) == pytest.approx(math.sqrt(2))
    assert measured_width(np.array([3.0])) == 0


@settings(deadline=None)
@given(
    count=st.integers(2, 300),
    seed=st.integers(0, 10_000),
    mean=st.sampled_from([0.0, 1500.0, -0.1]),
    width=st.sampled_from([1e-3, 1.0, 350.0]),
)
def test_day_one_ratings_have_the_given_average(
    count: int, seed: int, mean: float, width: float
) -> None:
    ratings = day_one(count, np.random.default_rng(seed), mean=mean, width=width)
    again = day_one(count, np.random.default_rng(seed), mean=mean, width=width)
    assert ratings.tobytes() == again.tobytes()
    assert len(set(ratings.tolist())) > count / 2
    finest = float(np.abs(ratings).min())
    assert abs(missing([mean] * count, ratings)) <= math.ulp(finest) / 2


def test_day_one_ratings_have_the_given_width() -> None:
    ratings = day_one(20_000, np.random.default_rng(4), mean=1500, width=350)
    assert measured_width(ratings) == pytest.approx(350, rel=0.02)
    alone = day_one(1, np.random.default_rng(4), mean=1500, width=350)
    assert alone.tolist() == [1500]
    assert day_one(3, np.random.default_rng(4), mean=7, width=0).tolist() == [7] * 3
    with pytest.raises(ValueError, match="must be 0 or more rating points"):
        day_one(3, np.random.default_rng(4), mean=0, width=-1)


def test_absent_players_decay_towards_the_mean_and_active_players_share_the_difference() -> None:
    ratings = np.array([20.0, -10.0, 4.0, -14.0])
    after = decay_ratings(ratings, np.array([1, 2, 0, 0]), mean=0.0)
    assert after.tolist() == pytest.approx([18.0, -8.1, 4.05, -13.95])


def test_decay_never_crosses_the_mean() -> None:
    ratings = np.array([100.0, -100.0, 30.0, -30.0])
    after = decay_ratings(ratings, np.array([500, 500, 0, 0]), mean=0.0)
    assert 0 <= after[0] < 1e-15
    assert -1e-15 < after[1] <= 0


@settings(deadline=None)
@given(
    ratings=st.lists(st.floats(-5000, 5000), min_size=2, max_size=60),
    data=st.data(),
    mean=st.sampled_from([0.0, 1500.0, 0.3]),
    decay=st.floats(0, 1),
)
def test_decay_preserves_the_sum_to_the_last_possible_bit(
    ratings: list[float], data: st.DataObject, mean: float, decay: float
) -> None:
    count = len(ratings)
    periods = np.array(data.draw(st.lists(st.integers(0, 4), min_size=count, max_size=count)))
    after = decay_ratings(np.array(ratings), periods, mean=mean, decay=decay)
    active = after[periods == 0]
    if len(active) in {0, count}:
        assert after.tolist() == ratings
    else:
        assert abs(missing(ratings, after)) <= math.ulp(float(np.abs(active).min())) / 2


def test_two_periods_at_once_equal_two_single_periods() -> None:
    ratings = np.random.default_rng(2).normal(0, 300, 40)
    away = np.arange(40) % 3 == 0
    one = decay_ratings(ratings, away.astype(np.int64), mean=0.0, decay=0.25)
    one_after_the_other = decay_ratings(one, away.astype(np.int64), mean=0.0, decay=0.25)
    at_once = decay_ratings(ratings, 2 * away, mean=0.0, decay=0.25)
    np.testing.assert_allclose(at_once, one_after_the_other, rtol=1e-12)


def test_decay_must_be_a_fraction() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        decay_ratings(np.zeros(2), np.array([0, 1]), mean=0.0, decay=1.5)


def test_a_population_without_width_is_split_at_its_mean() -> None:
    displayed = fixed_range(np.array([3.0, 2.0, 1.0]), mean=2.0, width=0.0)
    assert displayed.tolist() == [10_000, 5_000, 0]


@pytest.mark.parametrize(("width", "display_scale"), [(-1.0, 0.5), (1.0, 0.0)])
def test_invalid_display_settings_are_rejected(width: float, display_scale: float) -> None:
    with pytest.raises(ValueError, match="display scale above 0"):
        fixed_range(WIDTHS, mean=0, width=width, display_scale=display_scale)


def test_displayed_ratings_give_the_chances_if_the_display_width_is_the_temperature() -> None:
    own, other = np.meshgrid(np.linspace(-8, 8, 33), np.linspace(-8, 8, 33))
    expected, _loss = chances(own - other)
    displayed = [
        fixed_range(ratings, mean=0, width=2.0, display_scale=0.5) for ratings in (own, other)
    ]
    np.testing.assert_allclose(chance_from_fixed_range(*displayed), expected, rtol=1e-9)


def test_the_ends_of_the_range_are_certain_except_against_themselves() -> None:
    ends = np.array([TOP, TOP, 0.0, 0.0, TOP])
    against = np.array([5000.0, 0.0, 1.0, 0.0, TOP])
    assert chance_from_fixed_range(ends, against).tolist() == [1, 1, 0, 0.5, 0.5]
    with pytest.raises(ValueError, match="from 0 to 10000"):
        chance_from_fixed_range(np.array([-1.0]), np.array([5.0]))


def test_the_expected_gain_is_largest_against_an_equal() -> None:
    chance = np.linspace(0, 1, 101)
    gain = expected_gain(chance, max_gain=32)
    assert gain.max() == gain[50] == 8
    assert gain[0] == gain[100] == 0
    np.testing.assert_allclose(gain, gain[::-1], atol=1e-15)


def test_the_lowest_temperature_is_a_hard_threshold() -> None:
    """Kreimeier's T to 0: only a win over somebody better, or a loss to somebody worse, counts."""
    system = published("fermi:kreimeier", {"T": 0.000_001})
    with pytest.raises(ParameterError):
        published("fermi:kreimeier", {"T": 0.000_000_9})
    states = states_of(np.array([[0.01, 0.0]]))
    expected = system.predict(states, (1, 1))
    np.testing.assert_array_equal(expected.win, [[1.0, 0.0]])
    for places, change in (([0, 1], 0.0), ([1, 0], -1.0)):
        outcome = system.rate(states, batch_of((1, 1), [places]))
        np.testing.assert_allclose(outcome.terms["change"], [[change, -change]], atol=1e-9)
