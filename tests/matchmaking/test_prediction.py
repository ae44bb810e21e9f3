"""Match prediction and the odds of victory."""

import numpy as np
import pytest

from matchmaking.prediction import (
    AS_PUBLISHED,
    PredictionRules,
    TeamFigures,
    odds_of_victory,
    predict,
    spread,
)

EVEN = TeamFigures(ladder=10, rank=20, rating=1500, roster=2)


def test_equal_teams_have_even_odds() -> None:
    prediction = predict(EVEN, EVEN, AS_PUBLISHED)
    assert prediction == 0
    assert odds_of_victory(prediction, "red") == odds_of_victory(prediction, "blue") == 0.5


def test_a_prediction_weighs_the_spreads() -> None:
    blue = TeamFigures(ladder=25, rank=0, rating=9999, roster=4)
    # Ladder 15 / 30 * 5, rank -20 / 40 * 1, rating without weight, roster 2 / 4 * 2, over 8.
    assert predict(EVEN, blue, AS_PUBLISHED) == pytest.approx((2.5 - 0.5 + 1) / 8)


def test_odds_are_for_the_requested_side() -> None:
    assert odds_of_victory(0.5, "blue") == 0.75
    assert odds_of_victory(0.5, "red") == 0.25
    assert odds_of_victory(-1.0, "red") == 1.0


def test_spreads_count_up_to_the_largest() -> None:
    assert spread(0, 60, 30) == 1
    assert spread(60, 0, 30) == -1
    assert spread(0, 15, 30) == 0.5


def test_any_difference_counts_in_full_if_the_spread_is_zero() -> None:
    assert [float(spread(10, blue, 0)) for blue in (5, 10, 15)] == [-1, 0, 1]


def test_without_weights_the_odds_are_even() -> None:
    blue = TeamFigures(100, 100, 3000, 5)
    assert predict(EVEN, blue, PredictionRules()) == 0


def test_many_matches_are_predicted_at_once() -> None:
    ladder = np.array([10.0, 25.0, 100.0])
    blue = TeamFigures(ladder, 20, 1500, 2)
    assert predict(EVEN, blue, AS_PUBLISHED) == pytest.approx([0, 2.5 / 8, 5 / 8])
    nothing = predict(EVEN, blue, PredictionRules())
    assert nothing.shape == (3,)
    assert not nothing.any()
