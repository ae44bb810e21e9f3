"""Percentiles, divisions and the distribution of a population."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.percentile import (
    DIVISIONS,
    NORMAL_SHARES,
    Activity,
    Division,
    DivisionError,
    check_divisions,
    distribution,
    division_indices,
    histogram,
    is_ranked,
    percentiles,
)
from ratings.types import NEVER, States

DAY = 86_400_000_000


def everyone(count: int) -> np.ndarray:
    return np.ones(count, bool)


def test_only_players_with_enough_recent_matches_are_ranked() -> None:
    states = States.full(5, rating=1500.0)
    states.games[:] = [10, 9, 10, 10, 0]
    states.last_played[:] = [100 * DAY, 100 * DAY, 70 * DAY, 70 * DAY - 1, NEVER]
    ranked = is_ranked(Activity(), states, now=100 * DAY)
    assert ranked.tolist() == [True, False, True, False, False]
    eager = Activity(placement_matches=0)
    assert is_ranked(eager, states, now=100 * DAY).tolist() == [True, True, True, False, False]


def test_a_thousand_players_fill_a_hundred_equal_groups() -> None:
    ratings = np.random.default_rng(3).permutation(1000).astype(float)
    groups = percentiles(ratings, everyone(1000))
    assert np.bincount(groups, minlength=101).tolist() == [0] + [10] * 100
    assert groups[ratings.argmin()] == 1
    assert groups[ratings.argmax()] == 100
    assert (np.diff(groups[np.argsort(ratings)]) >= 0).all()


def test_few_players_spread_from_the_lowest_to_the_highest_group() -> None:
    assert percentiles(np.array([1.0, 2.0]), everyone(2)).tolist() == [1, 100]
    assert percentiles(np.array([3.0, 1.0, 2.0]), everyone(3)).tolist() == [100, 1, 50]
    assert percentiles(np.array([1500.0]), everyone(1)).tolist() == [100]
    assert percentiles(np.array([]), everyone(0)).tolist() == []


def test_equal_ratings_share_a_group_and_the_best_have_the_highest() -> None:
    ratings = np.array([1500.0] * 150 + [1600.0] * 40 + [1700.0] * 10)
    groups = percentiles(ratings, everyone(200))
    assert set(groups[:150]) == {1}
    assert set(groups[150:190]) == {76}
    assert set(groups[190:]) == {100}
    assert percentiles(np.full(7, 1.0), everyone(7)).tolist() == [100] * 7


def test_inactive_players_have_no_percentile_and_do_not_count() -> None:
    ratings = np.array([1.0, 2.0, 9.0, 3.0])
    among = np.array([True, True, False, True])
    assert percentiles(ratings, among).tolist() == [1, 50, 0, 100]


def test_on_a_ladder_the_first_rank_is_the_highest_percentile() -> None:
    assert percentiles(np.array([1.0, 2.0, 3.0]), everyone(3), lowest_first=True).tolist() == [
        100, 50, 1,
    ]  # fmt: skip


@given(st.lists(st.integers(0, 40), min_size=2, max_size=400))
def test_a_better_rating_never_has_a_lower_percentile(drawn: list[int]) -> None:
    ratings = np.array(drawn, float)
    groups = percentiles(ratings, everyone(len(ratings)))
    order = np.argsort(ratings, kind="stable")
    assert (np.diff(groups[order]) >= 0).all()
    assert ((groups >= 1) & (groups <= 100)).all()
    assert set(groups[ratings == ratings.max()]) == {100}
    assert groups.min() == 1 or len(set(drawn)) == 1
    for rating in set(drawn):
        assert len(set(groups[ratings == rating])) == 1


def test_divisions_are_named_ranges_of_percentiles() -> None:
    check_divisions(DIVISIONS)
    which = division_indices(np.array([0, 1, 25, 26, 98, 99, 100]), DIVISIONS)
    names = ["unranked" if at < 0 else DIVISIONS[at].name for at in which.tolist()]
    assert names == ["unranked", "Bronze", "Bronze", "Silver", "Diamond", "Master", "Master"]


@pytest.mark.parametrize(
    ("divisions", "message"),
    [
        ([], "at least one"),
        ([Division("Bronze", 2)], "Bronze, must begin at percentile 1; you gave 2"),
        ([Division("Bronze", 1), Division("Gold", 1)], "Gold must begin above Bronze"),
        ([Division("Bronze", 1), Division("Gold", 101)], "from 1 to 100; you gave 101"),
        ([Division("Bronze", 1), Division("Bronze", 5)], "two divisions are called Bronze"),
        ([Division("Bronze", 1), Division(" ", 5)], "division 2 needs a name"),
    ],
)
def test_invalid_divisions_are_rejected(divisions: list[Division], message: str) -> None:
    with pytest.raises(DivisionError, match=message):
        check_divisions(divisions)


def test_the_width_divides_by_the_number_of_players_minus_one() -> None:
    measured = distribution(np.array([1.0, 2.0, 3.0, 4.0]))
    assert (measured.count, measured.mean) == (4, 2.5)
    assert measured.variance == pytest.approx(5 / 3)
    assert measured.width == pytest.approx(math.sqrt(5 / 3))


def test_a_normal_population_has_the_shares_of_the_article() -> None:
    assert [round(100 * share, 1) for share in NORMAL_SHARES] == [68.3, 95.4, 99.7]
    population = np.random.default_rng(2).normal(1500, 500, 200_000)
    measured = distribution(population)
    assert measured.within == pytest.approx(NORMAL_SHARES, abs=0.003)
    assert measured.width == pytest.approx(500, rel=0.01)


def test_the_normal_curve_peaks_at_the_mean_and_integrates_to_one() -> None:
    measured = distribution(np.array([1000.0, 1500.0, 2000.0]))
    ratings = np.linspace(-3500, 6500, 20_001)
    curve = measured.curve(ratings)
    assert ratings[curve.argmax()] == pytest.approx(1500)
    assert np.trapezoid(curve, ratings) == pytest.approx(1.0, abs=1e-9)
    # One width from the mean it has fallen to exp(-1/2). With the printed sign it would rise.
    fallen = measured.curve(np.array([1500.0, 2000.0]))
    assert fallen[1] / fallen[0] == pytest.approx(math.exp(-0.5))


@pytest.mark.parametrize("ratings", [[], [1500.0], [1500.0, 1500.0]])
def test_a_population_without_a_width_has_no_curve(ratings: list[float]) -> None:
    measured = distribution(np.array(ratings))
    assert measured.count == len(ratings)
    assert np.isnan(measured.within).all()
    assert np.isnan(measured.curve(np.array([1500.0]))).all()


def test_a_histogram_counts_everybody_once_in_bins_at_round_numbers() -> None:
    counted = histogram(np.array([-20.0, 0.0, 99.9, 100.0, 310.0]), 100)
    assert counted.edges.tolist() == [-100, 0, 100, 200, 300, 400]
    assert counted.counts.tolist() == [1, 2, 1, 0, 1]
    assert (counted.density * np.diff(counted.edges)).sum() == pytest.approx(1)
    assert histogram(np.array([]), 50).counts.tolist() == [0]
    with pytest.raises(ValueError, match="above 0; you gave 0"):
        histogram(np.array([1.0]), 0)
