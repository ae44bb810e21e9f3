"""Arithmetic that several systems share, beside NumPy's own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.numerics import SHORT, clip, encounter_results, reduce_rows, surprise
from ratings.places import best_first


@pytest.mark.parametrize("count", [1, 2, 5, SHORT, SHORT + 1, 40])
@pytest.mark.parametrize("operation", [np.add, np.minimum, np.maximum])
def test_rows_are_reduced_as_numpy_reduces_them(operation: np.ufunc, count: int) -> None:
    rows = np.random.default_rng(1).normal(0, 100, (3, 50, count))
    got = reduce_rows(operation, rows)
    np.testing.assert_allclose(got, operation.reduce(rows, axis=-1), rtol=1e-13, atol=1e-11)
    # A row gives the same bits alone.
    assert reduce_rows(operation, rows[1:2, 7:8]).tobytes() == got[1:2, 7:8].tobytes()


def test_an_empty_row_adds_up_to_0() -> None:
    assert reduce_rows(np.add, np.empty((3, 0))).tolist() == [0.0, 0.0, 0.0]


@given(places=st.lists(st.integers(-3, 5) | st.integers(-(2**62), 2**62), min_size=1, max_size=40))
def test_players_are_sorted_by_place_and_then_by_position(places: list[int]) -> None:
    expected = sorted(range(len(places)), key=places.__getitem__)
    assert best_first(np.array(places)).tolist() == expected


def test_one_sides_surprise_is_the_negative_of_the_others() -> None:
    rng = np.random.default_rng(4)
    win = rng.uniform(0, 1, 1000)
    own, other = rng.integers(0, 3, (2, 1000))
    result = encounter_results(own, other)
    assert set(result.tolist()) == {0.0, 0.5, 1.0}
    assert (result[own < other] == 1).all()
    gained = surprise(win, 1 - win, result)
    lost = surprise(1 - win, win, encounter_results(other, own))
    assert (gained == -lost).all()
    np.testing.assert_allclose(gained, result - win, atol=1e-15)


def test_values_are_clipped_on_both_sides() -> None:
    assert clip(np.array([-3.0, 0.5, 9.0]), -1.0, 2.0).tolist() == [-1.0, 0.5, 2.0]
