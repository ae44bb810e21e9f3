"""The calibration slope of forecasts: the power of their chances that would have fitted best.

For two sides, it is the slope of a logistic regression of the result on the forecast's log-odds,
without an intercept: the ``calibration slope`` of clinical prediction models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.evaluation import LEAST_CHANCE

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.lab.evaluation import Predictions
    from ratings.types import Booleans, Floats, Integers

STEEPEST = 20.0
"""Slopes are sought up to this."""


@dataclass(frozen=True)
class Sides:
    """The sides of some matches, and what a power of their chances would be worth."""

    chances: Floats
    """Their logarithms."""
    share: Floats
    starts: Integers
    counts: Integers

    @classmethod
    def of(cls, history: History, predictions: Predictions, chosen: Booleans) -> Sides:
        """Return the sides of the ``chosen`` ``(M,)`` matches."""
        sides = np.repeat(chosen, np.diff(history.side_offsets))
        counts = np.diff(history.side_offsets)[chosen]
        return cls.of_matches(predictions.chance[sides], history.places[sides], counts)

    @classmethod
    def of_matches(cls, chance: Floats, places: Integers, counts: Integers) -> Sides:
        """Return sides ``(S,)`` of matches of so many sides ``(M,)``, which are not empty."""
        starts = np.cumsum(counts) - counts
        best = places == np.repeat(np.minimum.reduceat(places, starts), counts)
        share = best / np.repeat(np.add.reduceat(best, starts, dtype=np.int64), counts)
        return cls(np.log(np.maximum(chance, LEAST_CHANCE)), share, starts, counts)

    def lift(self, power: float | Floats) -> Floats:
        """Return the chances to this power, or to one of each side, shared out anew."""
        lifted = power * self.chances
        lifted -= np.repeat(np.maximum.reduceat(lifted, self.starts), self.counts)
        weights: Floats = np.exp(lifted)
        weights /= np.repeat(np.add.reduceat(weights, self.starts), self.counts)
        return weights

    def derivative(self, power: float) -> float:
        """Return that of the log-likelihood, which falls as the power grows."""
        return float(((self.share - self.lift(power)) * self.chances).sum())

    def curvature(self, power: float) -> float:
        """Return how fast that derivative falls: the variance of the logarithms, at least 0."""
        weights = self.lift(power)
        mean = np.add.reduceat(weights * self.chances, self.starts)
        return float((weights * self.chances**2).sum() - (mean**2).sum())

    def best_power(self) -> float:
        """Return the zero of the derivative, NaN if there is none."""
        low, high = -STEEPEST, STEEPEST
        if self.derivative(low) <= 0 or self.derivative(high) >= 0:
            return float("nan")
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.derivative(middle) > 0 else (low, middle)
        return 0.5 * (low + high)


def slope(history: History, predictions: Predictions, chosen: Booleans) -> float:
    """Return the power b for which ``chance^b``, shared out anew, fits the ``chosen`` matches best.

    NaN if any power is as good as the other.
    """
    if not chosen.any():
        return float("nan")
    return Sides.of(history, predictions, chosen).best_power()


def slope_by_match(
    history: History, predictions: Predictions, chosen: Booleans
) -> tuple[Floats, Floats]:
    """Return two columns of the ``chosen`` matches, whose sums have the slope as their ratio.

    For other matches drawn from these, the ratio is the slope after one step of Newton's method
    from that of all. NaN if there is no slope.
    """
    matches = int(np.count_nonzero(chosen))
    power = slope(history, predictions, chosen)
    if np.isnan(power):
        return np.full(matches, np.nan), np.ones(matches)
    sides = Sides.of(history, predictions, chosen)
    weights = sides.lift(power)

    def sum_sides(values: Floats) -> Floats:
        return np.add.reduceat(values, sides.starts)

    score = sum_sides((sides.share - weights) * sides.chances)
    curvature = sum_sides(weights * sides.chances**2) - sum_sides(weights * sides.chances) ** 2
    return power * curvature + score, curvature
