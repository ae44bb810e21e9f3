"""Margins of scores as weights, against the published tables."""

import math

import numpy as np
import pytest

from ratings.contests.margins import clarity
from ratings.history import History
from ratings.registry import build
from ratings.replay import replay
from tests.support.rating_histories import bits, contest


def factor(how: str, scores: list[float], places: tuple[int, int] = (0, 1)) -> float:
    return float(clarity(np.array([scores]), np.array([places]), how)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(("goals", "wanted"), [(1, 1), (2, 1.5), (3, 1.75), (4, 1.875), (7, 2.25)])
def test_goals_count_as_in_the_world_football_elo_ratings(goals: int, wanted: float) -> None:
    assert factor("goals", [goals + 1.0, 1.0]) == wanted


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [([1, 0], 1.0), ([3, 0], 0.5 + 0.5 * 3**0.5), ([2, 1], 0.5 + 0.5 / 3**0.5), ([99, 0], 2.5)],
)
def test_a_clear_win_counts_in_proportion_to_the_score(scores: list[float], wanted: float) -> None:
    assert factor("clear", scores) == pytest.approx(wanted)


@pytest.mark.parametrize("how", ["clear", "goals", "log"])
@pytest.mark.parametrize("scores", [[1e6, 0.0], [1e308, 0.0], [1.7e308, 1e308]])
def test_no_agreed_score_counts_more_than_two_and_a_half_times(
    how: str, scores: list[float]
) -> None:
    assert factor(how, scores) == 2.5


def test_the_logarithm_of_the_margin() -> None:
    assert [factor("log", [n, 0.0]) for n in (0.5, 1.0, 3.0)] == [math.log2(1.5), 1, 2]


@pytest.mark.parametrize("how", ["clear", "goals", "log"])
@pytest.mark.parametrize(
    ("scores", "places"),
    [
        ([2.0, 2.0], (0, 0)),
        ([5.0, 1.0], (0, 0)),
        ([2.0, 2.0], (0, 1)),
        ([np.nan, 1.0], (0, 1)),
        ([-3.0, 4.0], (1, 0)),
        ([0.0, 0.0], (0, 1)),
    ],
)
def test_matches_without_a_margin_count_once(
    how: str, scores: list[float], places: tuple[int, int]
) -> None:
    assert factor(how, scores, places) == 1


@pytest.mark.parametrize("name", ["elo", "glicko-2", "trueskill", "elo-mmr", "laurel-1"])
def test_a_margin_is_a_weight(name: str) -> None:
    scored = contest(["a"], ["b"], scores=[4.0, 2.0])
    weighed = contest(["a"], ["b"], weight=1.5)
    one = replay(build(name, {"margin": "goals"}), History.build([scored])).states
    other = replay(build(name, {"margin": "none"}), History.build([weighed])).states
    assert bits(one) == bits(other)
