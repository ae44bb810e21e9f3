"""Zeros of many increasing functions in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats

MOST_STEPS = 200
"""More than bisection alone needs for any bracket of plausible ratings."""

SMALL = 1e-4
"""A step below this fraction of the functions' length scale leaves at most the cube as error."""


@dataclass
class Search:
    """Search the zeros of increasing functions ``(n,)`` within brackets by Halley's method.

    ``near`` ``(n,)`` is ``SMALL`` times the shortest length scale of each function. Within that
    distance, a step cubes the error, so the search ends after a step below ``near``. A step that
    would leave the bracket is replaced by bisection. Each function is searched independently, so
    the result does not depend on the others.
    """

    x: Floats
    low: Floats
    high: Floats
    near: Floats

    def step(self, value: Floats, slope: Floats, curvature: Floats) -> Booleans:
        """Move on from ``x`` given the functions' derivatives there, and return which are done.

        Call this with NumPy's warnings off (``np.errstate``): a flat function divides by 0.
        """
        np.copyto(self.low, self.x, where=value < 0)
        np.copyto(self.high, self.x, where=value > 0)
        move = value / slope
        bend = move * curvature
        bend /= slope
        bend *= -0.5
        bend += 1.0
        # The bound stops a step far from the zero from reversing.
        move /= np.maximum(bend, 0.5, out=bend)
        target = self.x - move
        inside = target >= self.low
        inside &= target <= self.high
        found: Booleans = np.abs(move, out=move) <= self.near
        if np.count_nonzero(inside) < len(inside):
            middle = self.low + 0.5 * (self.high - self.low)
            nowhere = (middle <= self.low) | (middle >= self.high)
            # If a function is flat and 0, any point will do.
            flat = value == 0
            found = np.where(inside, found, nowhere) | flat
            target = np.where(flat, self.x, np.where(inside, target, middle))
        self.x = target
        return found

    def keep(self, rows: Booleans) -> None:
        """Keep only these functions."""
        self.x, self.low, self.high = self.x[rows], self.low[rows], self.high[rows]
        self.near = self.near[rows]


class Sums(Protocol):
    """Increasing functions ``(n,)`` that can be evaluated in parallel."""

    def sums(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the functions at ``x`` ``(n,)`` and their first two derivatives."""
        ...

    def rows(self, rows: Booleans) -> Self:
        """Keep only these functions."""
        ...


def zeros(functions: Sums, search: Search) -> Floats:
    """Return the ``(n,)`` zeros of the functions."""
    result: Floats = np.empty_like(search.x)
    open_rows = np.arange(len(result))
    with np.errstate(all="ignore"):
        for _ in range(MOST_STEPS):
            found = search.step(*functions.sums(search.x))
            count = np.count_nonzero(found)
            if count == len(found):
                break
            if count:
                result[open_rows[found]] = search.x[found]
                left = ~found
                search.keep(left)
                open_rows = open_rows[left]
                functions = functions.rows(left)
    result[open_rows] = search.x
    return result
