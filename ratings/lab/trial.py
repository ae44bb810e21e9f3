"""One system on one history: what it forecast after a split, as the laboratory reports it.

Every match is predicted from the matches before it, so no result can influence its own forecast.
Matches before the split train the ratings and, if asked, the parameters. Only those after it count.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.details import Details, details
from ratings.lab.evaluation import evaluate_forecasts, predict_history, predicted_matches
from ratings.lab.slopes import slope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ratings.history import History
    from ratings.lab.evaluation import Predictions
    from ratings.system import RatingSystem
    from ratings.tunables.kinds import Value
    from ratings.types import States


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
    """The quality of a system's forecasts of the matches after a split. NaN if there were none."""

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
    """The time for rating and forecasting the whole history."""
    details: Details | None = None
    windows: Sequence[Window] = ()
    """Those of a walk forward, whose parameters are those of the last."""

    def to_json(self) -> dict[str, object]:
        """Return the fields as JSON values, with ``None`` for what could not be computed.

        Details and windows are left out if there are none.
        """
        found: dict[str, object] = {
            name: value
            for name, value in asdict(self).items()
            if name not in {"details", "windows"}
        }
        if self.details:
            found["details"] = self.details.to_json()
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
    states: States | None = None,
) -> Trial:
    """Rate ``history`` and judge the forecasts of the matches from ``first`` on.

    A ``full`` trial has details. ``states`` ``(n,)`` are those of the players before, newcomers by
    default.
    """
    began = clock()
    predictions = predict_history(system, history, states, progress)
    seconds = clock() - began
    return judge(system, history, predictions, first, seconds, full=full)


def judge(
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
        parameters=system.parameters.to_json(),
        matches=forecasts.matches,
        accuracy=forecasts.accuracy,
        log_loss=forecasts.log_loss,
        brier=forecasts.brier,
        slope=slope(history, predictions, chosen),
        seconds=seconds,
        details=details(history, predictions, chosen) if full else None,
    )
