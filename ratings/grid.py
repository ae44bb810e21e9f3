"""Smooth sums over many players, known everywhere from their values on a grid.

A sum ``sum_j weight_j g(x - mean_j, scale_j)`` over n players, wanted at n places, would take n^2
terms. Where g is smooth it takes time linear in n:

1. every player's weight is spread over the 8 grid points around ``mean_j``, by the coefficients
   with which those points would interpolate there (Lagrange);
2. the grid's weights are convolved with g, by the fast Fourier transform;
3. the sum is interpolated from the 8 grid points around ``x``.

Players of one scale share a set of weights. Where there are too many scales, each player's weight
is spread over Chebyshev points in ``log scale`` too.

How fine a grid must be follows from how far from the real axis g has its poles: with a spacing 80
times smaller, eight points interpolate within 3e-14.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import fft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.types import Complexes, Floats, Integers

POINTS = 8
"""Grid points that interpolate a value."""
MOST_CELLS = 1 << 20
"""A grid larger than this is not made: its players are summed one by one."""
MOST_SCALES = 24
"""Different scales that get weights of their own."""
PANEL = 0.7
"""Widest panel in ``log scale``."""
DIGITS = 35.0
"""``exp(-DIGITS)`` is a double's last digit."""


def _lagrange_basis() -> Floats:
    """``(POINTS, POINTS)`` coefficients by ascending powers of each point's basis polynomial.

    The points lie at ``-3.5, -2.5 .. 3.5`` from the middle of the cell that they interpolate.
    """
    points = np.arange(POINTS) - (POINTS - 1) / 2
    basis = np.empty((POINTS, POINTS))
    for number, point in enumerate(points):
        others = np.delete(points, number)
        polynomial = np.polynomial.polynomial.polyfromroots(others)
        basis[number] = polynomial / np.prod(point - others)
    return basis


_BASIS = _lagrange_basis()


@dataclass(frozen=True)
class Grid:
    """Cells of width ``step`` from ``low`` on, with points around them to interpolate from."""

    low: float
    step: float
    cells: int

    @classmethod
    def between(cls, low: float, high: float, step: float) -> Grid:
        return cls(low, step, int((high - low) / step) + 2)

    @staticmethod
    def fits(low: float, high: float, step: float) -> bool:
        """Whether a grid from ``low`` to ``high`` is of a size that can be worked with."""
        return (high - low) / step < MOST_CELLS

    @property
    def points(self) -> int:
        return self.cells + POINTS - 1

    @property
    def length(self) -> int:
        """Numbers in a transform that keeps the two ends of the grid apart."""
        return int(fft.next_fast_len(2 * self.points - 1, real=True))  # type: ignore[no-untyped-call] # SciPy's

    def distances(self) -> Floats:
        """``(2 points - 1,)`` between any two points, in the order of ``kernel``."""
        return self.step * np.arange(1.0 - self.points, self.points)

    def kernel(self, values: Floats) -> Complexes:
        """The transform that convolves with a function of these values at ``distances``."""
        wrapped = np.zeros(self.length)
        wrapped[: self.points] = values[self.points - 1 :]
        wrapped[self.length - self.points + 1 :] = values[: self.points - 1]
        return np.asarray(fft.rfft(wrapped))

    def transform(self, weights: Floats) -> Complexes:
        """Of weights on the points ``(points,)``."""
        return np.asarray(fft.rfft(weights, self.length))

    def interpolant(self, transform: Complexes) -> Interpolant:
        """The function whose values on the points have this transform."""
        values = fft.irfft(transform, self.length)[: self.points]
        return Interpolant(self, values)

    def locate(self, x: Floats) -> tuple[Integers, Floats]:
        """The cell of each ``x``, and where in it, from -0.5 to 0.5."""
        position = (x - self.low) * (1.0 / self.step)
        cell = position.astype(np.int64)
        position -= cell
        position -= 0.5
        return cell, position

    def spread(self, cell: Integers, within: Floats, weight: Floats) -> Floats:
        """``(points,)`` the weights on the points, by the sums of each cell's moments."""
        spread = np.zeros(self.points)
        for power in range(POINTS):
            moment = np.bincount(cell, weights=weight, minlength=self.cells)
            for point in range(POINTS):
                spread[point : point + self.cells] += _BASIS[point, power] * moment
            weight = weight * within
        return spread

    def spread_by_scale(
        self, mean: Floats, scale: Floats, weight: Floats, strip: float
    ) -> Iterator[tuple[float, Floats]]:
        """Scales, and the weights ``(points,)`` that each has on the points.

        ``strip`` is how far from the real axis g is smooth as a function of ``log scale``.
        """
        cell, within = self.locate(mean)
        if scale.min() == scale.max():
            yield float(scale[0]), self.spread(cell, within, weight)
            return
        different = np.unique(scale)
        if len(different) <= MOST_SCALES:
            for one in different.tolist():
                players = scale == one
                yield one, self.spread(cell[players], within[players], weight[players])
            return
        low = float(different[0])
        whole = math.log(float(different[-1]) / low)
        panels = math.ceil(whole / PANEL)
        position = np.log(scale / low) * (panels / whole)
        panel = np.minimum(position.astype(np.int64), panels - 1)
        for number in range(panels):
            players = np.flatnonzero(panel == number)
            at = 2.0 * (position[players] - number) - 1.0
            start, half = low * math.exp(number * whole / panels), 0.5 * whole / panels
            those = cell[players], within[players], weight[players]
            for node, spread in self._chebyshev(*those, at, _order(half, strip)):
                yield start * math.exp(half * (1.0 + node)), spread

    def _chebyshev(
        self, cell: Integers, within: Floats, weight: Floats, at: Floats, order: int
    ) -> Iterator[tuple[float, Floats]]:
        """Chebyshev points between -1 and 1, and the weights that players ``at`` have on each."""
        before, now = weight, weight * at
        moments = [self.spread(cell, within, before), self.spread(cell, within, now)]
        for _ in range(2, order):
            before, now = now, 2.0 * at * now - before
            moments.append(self.spread(cell, within, now))
        for point in range(order):
            angle = math.pi * (point + 0.5) / order
            spread = moments[0] / order
            for degree in range(1, order):
                spread += (2.0 / order * math.cos(degree * angle)) * moments[degree]
            yield math.cos(angle), spread


def _order(half: float, strip: float) -> int:
    """Chebyshev points for all digits on a panel of this half width."""
    ratio = strip / half
    return math.ceil(DIGITS / math.log(ratio + math.sqrt(1.0 + ratio * ratio))) + 1


class Interpolant:
    """A smooth function from its values on a grid's points."""

    def __init__(self, grid: Grid, values: Floats) -> None:
        self._grid = grid
        self._values = values
        self._coefficients = [_combined(_BASIS[:, power], values) for power in range(POINTS)]

    def inverse(self, value: Floats) -> Floats:
        """Roughly where a growing function has these values, within a fraction of a cell."""
        at_edges = self._values[POINTS // 2 - 1 : POINTS // 2 + self._grid.cells]
        edges = self._grid.low + self._grid.step * np.arange(self._grid.cells + 1)
        return np.asarray(np.interp(value, at_edges, edges))

    def value(self, x: Floats) -> Floats:
        """The function at each ``x``."""
        cell, within = self._grid.locate(x)
        value: Floats = np.take(self._coefficients[-1], cell)
        for coefficients in self._coefficients[-2::-1]:
            value *= within
            value += np.take(coefficients, cell)
        return value

    def derivatives(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """The function and its first two derivatives at each ``x``."""
        cell, within = self._grid.locate(x)
        value: Floats = np.take(self._coefficients[-1], cell)
        slope, half_curvature = np.zeros_like(value), np.zeros_like(value)
        for coefficients in self._coefficients[-2::-1]:
            half_curvature *= within
            half_curvature += slope
            slope *= within
            slope += value
            value *= within
            value += np.take(coefficients, cell)
        step = self._grid.step
        return value, slope / step, half_curvature * (2.0 / step**2)


def _combined(basis: Floats, values: Floats) -> Floats:
    """One power's coefficient in every cell."""
    cells = len(values) - POINTS + 1
    coefficient: Floats = basis[0] * values[:cells]
    for point in range(1, POINTS):
        coefficient += basis[point] * values[point : point + cells]
    return coefficient
