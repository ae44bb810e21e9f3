"""The classifier for scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit
from sklearn.utils.estimator_checks import estimator_checks_generator

from ratings import Ratings
from ratings.estimator import RatingClassifier

DO_NOT_APPLY = {
    # They draw small whole numbers as players, so that some play against themselves.
    "check_estimators_dtypes",
    "check_classifier_data_not_an_array",
    # It needs SciPy's array API, which has to be turned on for the whole process.
    "check_array_api_input",
}
"""The checks of scikit-learn that a rating cannot pass."""
CHECKS = [
    pytest.param(estimator, check, id=f"{estimator.system}-{check.func.__name__}")
    for one in (RatingClassifier(), RatingClassifier("glicko-2"))
    for estimator, check in estimator_checks_generator(one)
    if check.func.__name__ not in DO_NOT_APPLY
]


@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_it_is_an_estimator_of_scikit_learn(
    estimator: RatingClassifier, check: Callable[[Any], None]
) -> None:
    check(estimator)


def test_the_checks_that_do_not_apply_exist() -> None:
    named = {check.func.__name__ for _, check in estimator_checks_generator(RatingClassifier())}
    assert named > DO_NOT_APPLY
    assert len(CHECKS) > 90


def season(count: int = 400) -> tuple[Any, Any, Any]:
    """Return matches of players of known strength, their results, and their chances."""
    chance = np.random.default_rng(5)
    skill = np.linspace(-300, 300, 12)
    players = np.array([chance.choice(12, 2, replace=False) for _ in range(count)])
    expected = 1 / (1 + 10 ** (-(skill[players[:, 0]] - skill[players[:, 1]]) / 400))
    return players, chance.random(count) < expected, expected


def test_chances_are_those_of_the_ratings() -> None:
    players, won, _ = season()
    model = RatingClassifier("glicko-2", {"rating_max_change": 100.0}).fit(players, won)
    ratings = Ratings("glicko-2", rating_max_change=100.0)
    for (first, second), first_won in zip(players.tolist(), won.tolist(), strict=True):
        ratings.rate([str(first), str(second)], ranks=[0, 1] if first_won else [1, 0])
    assert list(model.classes_) == [False, True]
    for row, chances in zip(players[:20], model.predict_proba(players[:20]), strict=True):
        assert chances[1] == ratings.predict([str(row[0]), str(row[1])]).win[0]
    named = RatingClassifier("glicko-2", {"rating_max_change": 100.0}).fit(
        players.astype(str).astype(object), np.where(won, "win", "loss")
    )
    assert (named.predict_proba(players.astype(str)) == model.predict_proba(players)).all()
    assert set(named.predict(players.astype(str))) == {"win", "loss"}


def test_it_learns_who_is_strong() -> None:
    players, won, expected = season(3000)
    model = RatingClassifier("elo").fit(players[:2500], won[:2500])
    late = model.predict_proba(players[2500:])[:, 1]
    assert np.abs(late - expected[2500:]).mean() < 0.08
    assert model.predict_proba([[98, 99]]).tolist() == [[0.5, 0.5]]


def test_teams_draws_and_times() -> None:
    rows = np.array([[1, 2, 3, 4, 20.0], [1, 3, 2, 4, 10.0]], dtype=object)
    model = RatingClassifier("trueskill", draw=0).fit(
        np.vstack([rows, rows, rows])[:3], np.array([1, 0, -1])
    )
    ratings = Ratings("trueskill")
    for sides, ranks, at in (
        ([("1", "3"), ("2", "4")], [0, 0], "1970-01-01T00:00:10"),
        ([("1", "2"), ("3", "4")], [0, 1], "1970-01-01T00:00:20"),
        ([("1", "2"), ("3", "4")], [1, 0], "1970-01-01T00:00:20"),
    ):
        ratings.rate(sides, ranks=ranks, at=at)
    found = model.predict_proba(np.array([[1, 2, 3, 4, 30], [1, 3, 2, 4, 25]], dtype=object))
    expected = ratings.predict([("1", "3"), ("2", "4")], at="1970-01-01T00:00:25")
    assert found[1].tolist() == [expected.win[1], expected.draw, expected.win[0]]
    assert found.sum(axis=1) == pytest.approx(1)


def test_tools_of_scikit_learn_work_with_it() -> None:
    players, won, _ = season()
    search = GridSearchCV(
        RatingClassifier("elo"),
        {"parameters": [{"max_gain": 1.0}, {"max_gain": 32.0}]},
        cv=TimeSeriesSplit(3),
        scoring="neg_log_loss",
    ).fit(players, won)
    assert search.best_params_["parameters"] == {"max_gain": 32.0}
    calibrated = CalibratedClassifierCV(search.best_estimator_, cv=TimeSeriesSplit(3))
    assert calibrated.fit(players, won).predict_proba(players).shape == (400, 2)


def test_what_is_no_match_is_refused() -> None:
    players, won, _ = season(10)
    with pytest.raises(ValueError, match="plays twice"):
        RatingClassifier().fit([[1, 1]], [0])
    with pytest.raises(ValueError, match="y has 3 classes"):
        RatingClassifier().fit(players[:4], [0, 1, 2, 1])
    with pytest.raises(ValueError, match="did you mean elo"):
        RatingClassifier("eloo").fit(players, won)
