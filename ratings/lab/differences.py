"""The lead of one system's forecasts over another's, with an interval.

Both forecast the same matches, so what made a day hard to forecast was the same for both. The
interval of the difference is therefore much narrower than those of the two losses would suggest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.details import DAY, Measured, losses, measure
from ratings.lab.evaluation import Chances

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.lab.evaluation import Predictions
    from ratings.types import Booleans

MOST_STRETCHES = 500
"""A longer history than so many days is cut into so many stretches of several days."""


@dataclass(frozen=True)
class Losses:
    """The logarithmic losses of forecasts, summed up by stretches of days."""

    stretches: list[int]
    matches: list[int]
    loss: list[float]


def losses_by_day(history: History, predictions: Predictions, chosen: Booleans) -> Losses:
    """Return the losses of the ``chosen`` ``(M,)`` matches by day."""
    counts = np.diff(history.side_offsets)
    sides = np.repeat(chosen, counts)
    match = np.repeat(np.cumsum(chosen) - 1, counts)[sides]
    chances = Chances.of(match, history.places[sides], predictions.chance[sides])
    days = (history.times // DAY)[chosen][: chances.matches]
    if not len(days):
        return Losses([], [], [])
    first = days.min()
    length = -(-int(days.max() - first + 1) // MOST_STRETCHES)
    stretches, which = np.unique((days - first) // length, return_inverse=True)
    total = np.bincount(which, losses(chances), minlength=len(stretches))
    return Losses(stretches.tolist(), np.bincount(which).tolist(), total.tolist())


def difference(one: Losses, other: Losses) -> Measured:
    """Return the mean loss of ``one`` less that of ``other``: below 0 if it forecast better.

    NaN if they are not of the same matches.
    """
    if (one.stretches, one.matches) != (other.stretches, other.matches) or not one.matches:
        return Measured(np.nan, np.nan, np.nan)
    totals = np.array(one.loss) - np.array(other.loss)
    return measure(totals, np.array(one.matches, dtype=np.float64), np.array(one.stretches))
