"""Walking forward: parameters fitted anew in each stretch of time, to nothing but the past.

A single split says how well parameters do that were fitted once. A league fits them again now and
then. Here the matches after the split are cut into windows of equal length, and each is forecast
with parameters that were fitted to all matches before it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import Predictions, evaluate_forecasts, predict_history
from ratings.lab.fitting import fit
from ratings.lab.trial import Window, judge
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ratings.history import History
    from ratings.lab.trial import Trial
    from ratings.system import RatingSystem
    from ratings.tunables.kinds import Value


def walk_forward(
    system: RatingSystem,
    history: History,
    first: int,
    seconds: float,
    clock: Callable[[], float],
    names: Sequence[str] = (),
    *,
    full: bool = False,
) -> Trial:
    """Judge the matches from ``first`` on, in windows of so many ``seconds``.

    ``names`` are the parameters to fit, by default those that the system says matter most. Each
    search starts from the parameters of ``system``, so no window depends on the luck of another.
    """
    began, sides = clock(), len(history.places)
    found = Predictions(
        np.full(sides, np.nan),
        np.zeros(sides, dtype=np.int64),
        np.full(sides, np.nan),
        np.zeros(len(history)),
    )
    fitted, windows = system, []
    for start, stop in _windows(history, first, seconds):
        fitted = fit(system, history.part(0, start), names).system
        known = history.part(0, stop)
        predictions = predict_history(fitted, known)
        _write(found, predictions, history, start, stop)
        chosen = np.arange(stop) >= start
        windows.append(
            Window(
                start=str(history.times[start].astype("datetime64[us]").astype("datetime64[D]")),
                matches=stop - start,
                log_loss=evaluate_forecasts(known, predictions, chosen).log_loss,
                parameters=_differences(system, fitted),
            )
        )
    trial = judge(fitted, history, found, first, clock() - began, full=full)
    return replace(trial, windows=tuple(windows))


def _windows(history: History, first: int, seconds: float) -> Iterator[tuple[int, int]]:
    """Yield the first match of each window that has any, and the one after its last."""
    length = round(seconds * MICROSECONDS_PER_SECOND)
    start, end = first, int(history.times[first])
    while start < len(history):
        end += length * max(1, -(-(int(history.times[start]) + 1 - end) // length))
        stop = int(np.searchsorted(history.times, end))
        yield start, stop
        start = stop


def _write(
    into: Predictions, predictions: Predictions, history: History, start: int, stop: int
) -> None:
    """Copy the predictions of the matches of a window."""
    rows = slice(history.side_offsets[start], history.side_offsets[stop])
    into.strength[rows] = predictions.strength[rows]
    into.games[rows] = predictions.games[rows]
    into.chance[rows] = predictions.chance[rows]
    if into.draw is not None and predictions.draw is not None:
        into.draw[start:stop] = predictions.draw[start:stop]


def _differences(before: RatingSystem, after: RatingSystem) -> dict[str, Value]:
    old = before.parameters.to_json()
    return {name: value for name, value in after.parameters.to_json().items() if value != old[name]}
