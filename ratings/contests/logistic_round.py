"""Pairwise logistic ratings of one large match in linear time.

``E(x, j) = 1 / (1 + exp(-k_j (x - mean_j)))`` is the chance of a player at ``x`` to beat opponent
``j``. The pairwise systems need ``sum_j weight_j E(x, j)`` at every player's ``x``. As ``E`` equals
``(1 + tanh(k_j (x - mean_j) / 2)) / 2``, this is a shared sum (``ratings.contests.shared_sum``).
The actual results are a running total over the places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.shared_sum import SharedSum
from ratings.places import best_first

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

LARGE_MATCH = 500
"""Sides from which this is faster than rating pair by pair."""


class Expectations:
    """``sum_j weight_j E(x, j)`` for ``x`` from ``low`` to ``high``. Arrays are ``(n,)``."""

    def __init__(self, mean: Floats, k: Floats, weight: Floats, low: float, high: float) -> None:
        self._half = 0.5 * float(weight.sum())
        self._sum = SharedSum(mean, k, 0.5 * weight, low, high)

    @staticmethod
    def fits(k: Floats, low: float, high: float) -> bool:
        """Return whether a grid can cover this span with the largest ``k``."""
        return SharedSum.fits(k, low, high)

    def value(self, x: Floats) -> Floats:
        """Return the sum at each ``x``."""
        return self._half + self._sum.value(x)

    def slope(self, x: Floats) -> Floats:
        """Return ``sum_j weight_j k_j E (1 - E)`` at each ``x``, to about 1e-11 of its maximum."""
        return self._sum.derivatives(x)[1]


class FinishOrder:
    """The finishing order of one match, from places ``(n,)``."""

    def __init__(self, places: Integers) -> None:
        self._order = best_first(places)
        sorted_places = places[self._order]
        starts = np.flatnonzero(np.diff(sorted_places, prepend=sorted_places[0] - 1))
        self._bounds = np.append(starts, len(places))

    def wins(self, weight: Floats) -> Floats:
        """Return ``(n,)`` total weights of those each player beat, plus half of those they tied.

        Everyone ties with themselves.
        """
        up_to = np.concatenate([[0.0], np.cumsum(weight[self._order])])
        better, through = up_to[self._bounds[:-1]], up_to[self._bounds[1:]]
        by_place = up_to[-1] - 0.5 * (better + through)
        result = np.empty(len(weight))
        result[self._order] = np.repeat(by_place, np.diff(self._bounds))
        return result
