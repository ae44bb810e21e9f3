"""Zeros of many increasing functions at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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

    ``length`` ``(n,)`` is the shortest distance over which a function bends. A step of Halley's
    from within it cubes the error, so a step below ``SMALL`` lengths is the last. Where a step
    would leave the bracket, the bracket is halved instead. Every function is searched on its own:
    what is searched beside it leaves no trace.
    """

    x: Floats
    low: Floats
    high: Floats
    length: Floats

    def step(self, value: Floats, slope: Floats, curvature: Floats) -> Booleans:
        """Move on from ``x``, where the functions have these derivatives; which ones are found."""
        np.copyto(self.low, self.x, where=value < 0)
        np.copyto(self.high, self.x, where=value > 0)
        with np.errstate(all="ignore"):
            move = value / slope
            bend = move * curvature
            bend /= slope
            bend *= -0.5
            bend += 1.0
            # The bound keeps a step far from the zero from turning back.
            move /= np.maximum(bend, 0.5, out=bend)
        target = self.x - move
        inside = (target >= self.low) & (target <= self.high)
        found = np.abs(move) <= SMALL * self.length
        if not inside.all():
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
        self.length = self.length[rows]
