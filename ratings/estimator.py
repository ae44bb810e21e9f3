"""A classifier for scikit-learn that learns ratings from results.

Cross-validation, calibration, grid search and pipelines of scikit-learn then work with every
system. ``scikit-learn`` is needed here and nowhere else in the package.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ratings.facade import Ratings
from ratings.history import History, Match, Participant, Side
from ratings.types import WITHOUT_TIME

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise ImportError(
        "the classifier needs scikit-learn: pip install laurel-ratings[sklearn]"
    ) from None

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ratings.types import Floats

MICROSECONDS = 1_000_000


class RatingClassifier(ClassifierMixin, BaseEstimator):
    """Predicts the result of matches between two sides by the ratings of their players.

    A row of ``X`` is a match: the players of the first side, as many of the second, and optionally,
    as one column more, its time in seconds. Players are numbers or text. ``y`` is the result of the
    first side: of two classes, the greater is a win. A third class is that of draws, if ``draw``
    names it. Matches are rated in order of their times, and without times in order of the rows.
    """

    def __init__(
        self,
        system: str = "elo",
        parameters: Mapping[str, object] | None = None,
        draw: object = None,
    ) -> None:
        """Choose a system, parameters that are not its defaults, and the class of draws."""
        self.system = system
        self.parameters = parameters
        self.draw = draw

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - scikit-learn's names
        """Rate the matches from the oldest to the newest, starting with newcomers."""
        X, y = validate_data(self, X, y, dtype=None, ensure_min_features=2)  # noqa: N806 - scikit-learn's name
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        decided = [label for label in self.classes_.tolist() if label != self.draw]
        if len(decided) > 2:
            raise ValueError(
                "Only binary classification is supported, and a third class for draws: "
                f"besides those, y has {len(decided)} classes"
            )
        self.win_ = decided[-1] if decided else None
        drawn, won = (y == self.draw, y == self.win_)
        self.ratings_ = Ratings(self.system, **(self.parameters or {}))
        self.ratings_.rate_many(_history(X, (~won & ~drawn).astype(int), won.astype(int)))
        return self

    def predict_proba(self, X: Any) -> Floats:  # noqa: N803 - scikit-learn's name
        """Return the chance of each class for each match. Unknown players are newcomers."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, reset=False)  # noqa: N806 - scikit-learn's name
        level = np.zeros(len(X), dtype=np.int64)
        if len(self.classes_) == 1:
            return np.ones((len(X), 1))
        history, order = _history(X, level, level), _order(X)
        forecast = self.ratings_.forecast(history)
        draw = forecast.draw if self.draw in self.classes_.tolist() else 0.0 * forecast.draw
        spread = (forecast.draw - draw) / 2
        by_class = {self.draw: draw, self.win_: forecast.win[:, 0] + spread}
        loss = forecast.win[:, 1] + spread
        chances = np.empty((len(X), len(self.classes_)))
        for column, label in enumerate(self.classes_.tolist()):
            chances[order, column] = by_class.get(label, loss)
        return chances

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803 - scikit-learn's name
        """Return the likeliest class of each match."""
        chances = self.predict_proba(X)
        likeliest: NDArray[Any] = self.classes_[chances.argmax(axis=1)]
        return likeliest

    def __sklearn_tags__(self) -> Any:
        """Say that players are names, so that no rule between their numbers can be learnt."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.classifier_tags.multi_class = self.draw is not None
        return tags


def _order(X: NDArray[Any]) -> NDArray[np.int64]:  # noqa: N803 - scikit-learn's name
    """Return the rows in order of their times."""
    if X.shape[1] % 2 == 0:
        return np.arange(len(X))
    return np.argsort(X[:, -1].astype(np.float64), kind="stable")


def _history(
    X: NDArray[Any],  # noqa: N803 - scikit-learn's name
    first: NDArray[np.int64],
    second: NDArray[np.int64],
) -> History:
    """Return the matches with the places of both sides, in order of their times."""
    seats = X.shape[1] // 2
    timed = X.shape[1] % 2
    return History.build(
        Match(
            match_id=f"of row {row}",
            played_at_us=round(float(X[row, -1]) * MICROSECONDS) if timed else WITHOUT_TIME,
            sides=[
                Side(int(first[row]), [Participant(_name(each)) for each in X[row, :seats]]),
                Side(
                    int(second[row]),
                    [Participant(_name(each)) for each in X[row, seats : 2 * seats]],
                ),
            ],
        )
        for row in _order(X).tolist()
    )


def _name(player: object) -> str:
    """Return a player's name, the same for 7 and 7.0."""
    if isinstance(player, Real):
        number = float(player)
        return str(int(number)) if number.is_integer() else str(number)
    if isinstance(player, str):
        return str(player)  # numpy's texts are of another class
    raise TypeError(f"a player as an argument must be a string or a number; one is {player!r}")
