"""One sum of hyperbolic tangents, evaluated for all players of a contest at once.

In a contest, everyone's performance is a zero of (nearly) the same function,
``F(x) = sum_j weight_j tanh((x - mean_j) k_j / 2)``. The poles of its terms lie ``pi / k`` from the
real axis, and ``pi / 2`` from it as functions of ``log k``, which is smooth enough for ``Grid``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.grid import Grid
from ratings.contests.rootfinding import SMALL

if TYPE_CHECKING:
    from ratings.types import Floats

FINENESS = 26.0
"""Grid points per length ``1 / k`` of the sharpest term: 82 within the distance of its poles."""


class SharedSum:
    """``F(x) = sum_j weight_j tanh((x - mean_j) k_j / 2)`` for ``x`` from ``low`` to ``high``.

    ``mean``, ``k`` (positive) and ``weight`` are ``(n,)``. Every mean lies between the bounds.
    ``near`` is the step size below which a ``Search`` ends.
    """

    def __init__(self, mean: Floats, k: Floats, weight: Floats, low: float, high: float) -> None:
        self.low, self.high = low, high
        length = 1.0 / float(k.max())
        self.near = SMALL * length
        grid = Grid.between(low, high, length / FINENESS)
        distances = grid.distances()
        transform = np.zeros(grid.length // 2 + 1, dtype=np.complex128)
        for sharpness, weights in grid.spread_by_scale(mean, k, weight, math.pi / 2):
            kernel = grid.kernel(np.tanh(distances * (0.5 * sharpness)))
            transform += grid.transform(weights) * kernel
        interpolant = grid.interpolant(transform)
        self.inverse = interpolant.inverse
        self.value = interpolant.value
        self.derivatives = interpolant.derivatives

    @staticmethod
    def fits(k: Floats, low: float, high: float) -> bool:
        """Return whether these players are close enough to each other for a grid."""
        return Grid.fits(low, high, 1.0 / (FINENESS * float(k.max())))
