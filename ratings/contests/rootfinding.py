"""Zeros of many increasing functions at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats

MOST_STEPS = 200
"""More than bisection alone needs from any bracket of doubles that a rating can have."""

SMALL = 1e-4
"""A step this much shorter than the functions' own length leaves an error of its cube, at most."""


@dataclass
class Search:
    """Zeros of increasing functions ``(n,)``, each between two bounds, by Halley's steps.

    ``near`` ``(n,)`` is ``SMALL`` times the shortest distance over which a function bends. A step
    of Halley's from within that distance cubes the error, so a step below ``near`` is the last.
    Where a step would leave the bracket, the bracket is halved instead. Every function is searched
    on its own: what is searched beside it leaves no trace.
    """

    x: Floats
    low: Floats
    high: Floats
    near: Floats

    def step(self, value: Floats, slope: Floats, curvature: Floats) -> Booleans:
        """Move on from ``x``, where the functions have these derivatives; which ones are found.

        To be called where NumPy's warnings are off (``np.errstate``): a flat function divides by 0.
        """
        np.copyto(self.low, self.x, where=value < 0)
        np.copyto(self.high, self.x, where=value > 0)
        move = value / slope
        bend = move * curvature
        bend /= slope
        bend *= -0.5
        bend += 1.0
        # The bound keeps a step far from the zero from turning back.
        move /= np.maximum(bend, 0.5, out=bend)
        target = self.x - move
        inside = target >= self.low
        inside &= target <= self.high
        found: Booleans = np.abs(move, out=move) <= self.near
        if np.count_nonzero(inside) < len(inside):
            middle = self.low + 0.5 * (self.high - self.low)
            nowhere = (middle <= self.low) | (middle >= self.high)
            # Where a function is flat and 0, any place will do.
            flat = value == 0
            found = np.where(inside, found, nowhere) | flat
            target = np.where(flat, self.x, np.where(inside, target, middle))
        self.x = target
        return found

    def keep(self, rows: Booleans) -> None:
        """Go on with these functions only."""
        self.x, self.low, self.high = self.x[rows], self.low[rows], self.high[rows]
        self.near = self.near[rows]


class Sums(Protocol):
    """Increasing functions ``(n,)`` that can be evaluated side by side."""

    def sums(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """The functions at ``x`` ``(n,)`` and their first two derivatives."""
        ...

    def rows(self, rows: Booleans) -> Self:
        """These functions only."""
        ...


def zeros(functions: Sums, search: Search) -> Floats:
    """``(n,)`` where the functions are 0."""
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
