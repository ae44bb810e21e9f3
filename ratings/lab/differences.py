"""The difference between the forecasts of two systems, with an interval.

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
    from ratings.types import Booleans, Floats, Integers


@dataclass(frozen=True)
class Losses:
    """The logarithmic losses of the forecasts of ``m`` matches, and their days."""

    loss: Floats
    days: Integers


def losses_of(history: History, predictions: Predictions, chosen: Booleans) -> Losses:
    """Return the losses of the ``chosen`` ``(M,)`` matches."""
    counts = np.diff(history.side_offsets)
    sides = np.repeat(chosen, counts)
    match = np.repeat(np.cumsum(chosen) - 1, counts)[sides]
    chances = Chances.of(match, history.places[sides], predictions.chance[sides])
    return Losses(losses(chances), (history.times // DAY)[chosen][: chances.matches])


def difference(one: Losses, other: Losses) -> Measured:
    """Return the mean loss of ``one`` less that of ``other``: below 0 if it forecast better.

    NaN if they are not of the same days.
    """
    if not np.array_equal(one.days, other.days) or not len(one.days):
        return Measured(np.nan, np.nan, np.nan)
    return measure(one.loss - other.loss, np.ones(len(one.loss)), one.days)
