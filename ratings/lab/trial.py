"""One system on one history: what it forecast after a split, as the laboratory reports it.

Every match is predicted from the matches before it, so no result can influence its own forecast.
Matches before the split train the ratings and, if asked, the parameters. Only those after it count.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.details import Details, details
from ratings.lab.evaluation import (
    LEAST_CHANCE,
    evaluate_forecasts,
    predict_history,
    predicted_matches,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ratings.history import History
    from ratings.lab.evaluation import Predictions
    from ratings.system import RatingSystem
    from ratings.tunables.kinds import Value
    from ratings.types import Booleans, Floats, Integers

STEEPEST = 20.0
"""Slopes are sought up to this."""


@dataclass(frozen=True)
class Window:
    """A stretch of time, forecast with parameters that were fitted to all matches before it."""

    start: str
    """The day of its first match."""
    matches: int
    log_loss: float
    parameters: dict[str, Value]


@dataclass(frozen=True)
class Trial:
    """How well a system forecast the matches after a split. NaN if there were none."""

    system: str
    parameters: dict[str, Value]
    matches: int
    accuracy: float
    """Share of the matches with a single first side in which it was the favourite."""
    log_loss: float
    """Mean of ``-ln`` of the chance of the side that came first, in nats. Draws count half each."""
    brier: float
    slope: float
    """The power of the chances that would have fitted best: 1 if they were as certain as they
    should be, less if they were too certain, more if they were too cautious."""
    seconds: float
    """What rating and forecasting the whole history took."""
    details: Details | None = None
    windows: Sequence[Window] = ()
    """Those of a walk forward, whose parameters are those of the last."""

    def written(self) -> dict[str, object]:
        """Return the fields as JSON values, with ``None`` for what could not be computed.

        Details and windows are left out if there are none.
        """
        found: dict[str, object] = {
            name: value
            for name, value in asdict(self).items()
            if name not in {"details", "windows"}
        }
        if self.details:
            found["details"] = self.details.written()
        if self.windows:
            found["windows"] = [{**asdict(one)} for one in self.windows]
        return {
            name: None if isinstance(value, float) and np.isnan(value) else value
            for name, value in found.items()
        }


def split_at(history: History, split: float | int) -> int:
    """Return the first match after ``split``: a share of the matches, or a time.

    A share is from 0 to 1, a time in whole microseconds since 1970.
    """
    if isinstance(split, float):
        return int(len(history) * split)
    return int(np.searchsorted(history.times, split))


def try_system(
    system: RatingSystem,
    history: History,
    first: int,
    clock: Callable[[], float],
    progress: Callable[[int], object] | None = None,
    *,
    full: bool = False,
) -> Trial:
    """Rate ``history`` and judge the forecasts of the matches from ``first`` on.

    A ``full`` trial has details.
    """
    began = clock()
    predictions = predict_history(system, history, progress=progress)
    seconds = clock() - began
    return judged(system, history, predictions, first, seconds, full=full)


def judged(
    system: RatingSystem,
    history: History,
    predictions: Predictions,
    first: int,
    seconds: float,
    *,
    full: bool = False,
) -> Trial:
    """Return a trial of forecasts that were made of a history."""
    chosen = predicted_matches(history, predictions)
    chosen[:first] = False
    forecasts = evaluate_forecasts(history, predictions, chosen)
    return Trial(
        system=system.name,
        parameters=system.parameters.written(),
        matches=forecasts.matches,
        accuracy=forecasts.accuracy,
        log_loss=forecasts.log_loss,
        brier=forecasts.brier,
        slope=slope(history, predictions, chosen),
        seconds=seconds,
        details=details(history, predictions, chosen) if full else None,
    )


def slope(history: History, predictions: Predictions, chosen: Booleans) -> float:
    """Return the power b for which ``chance^b``, shared out anew, fits the ``chosen`` matches best.

    For two sides, it is the slope of a logistic regression of the result on the forecast's
    log-odds, without an intercept: the ``calibration slope`` of clinical prediction models. NaN if
    any power is as good as the other.
    """
    sides = np.repeat(chosen, np.diff(history.side_offsets))
    counts = np.diff(history.side_offsets)[chosen]
    if not len(counts):
        return float("nan")
    starts = np.cumsum(counts) - counts
    chances = np.log(np.maximum(predictions.chance[sides], LEAST_CHANCE))
    places = history.places[sides]
    best = places == np.repeat(np.minimum.reduceat(places, starts), counts)
    share = best / np.repeat(np.add.reduceat(best, starts, dtype=np.int64), counts)
    return _best_power(chances, share, starts, counts)


def _best_power(chances: Floats, share: Floats, starts: Integers, counts: Integers) -> float:
    """Find the zero of the derivative of the log-likelihood, which falls as the power grows."""

    def derivative(power: float) -> float:
        lifted = power * chances
        lifted -= np.repeat(np.maximum.reduceat(lifted, starts), counts)
        weights = np.exp(lifted)
        weights /= np.repeat(np.add.reduceat(weights, starts), counts)
        return float(((share - weights) * chances).sum())

    low, high = -STEEPEST, STEEPEST
    if derivative(low) <= 0 or derivative(high) >= 0:
        return float("nan")
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if derivative(middle) > 0 else (low, middle)
    return 0.5 * (low + high)
