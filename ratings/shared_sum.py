"""One sum over all players of a contest, for all of them at once.

In a contest of n players everyone's performance is a zero of (nearly) the same function,
``F(x) = sum_j weight_j tanh((x - mean_j) k_j / 2)``. Summing it for every player would take n^2
terms. F is smooth, though: the poles of its terms lie ``pi / k`` from the real axis. So it is known
to the last digits from its values on a grid a good deal finer than that, and so is each term as a
function of ``mean_j``. Both together give F in linear time:

1. every player's weight is spread over the 8 grid points around ``mean_j``, by the coefficients
   with which those points would interpolate there (Lagrange);
2. the grid's weights are convolved with ``tanh(x k / 2)``, by the fast Fourier transform;
3. F is interpolated from the 8 grid points around ``x``.

Players of the same k share a grid. Where there are too many different k, each player's weight is
spread over Chebyshev points in ``log k`` too, and each point has its grid: as a function of
``log k`` a term's poles lie ``pi / 2`` from the axis.

With a spacing of ``1 / (26 k)``, 82 times nearer than the poles, eight points interpolate within
3e-14 of a term; sixteen Chebyshev points on panels of width 0.7 within 1e-15.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy import fft

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.types import Floats, Integers

POINTS = 8
"""Grid points that interpolate a value."""
FINENESS = 26.0
"""Grid points in the length ``1 / k`` of the sharpest term."""
MOST_POINTS = 1 << 20
"""A grid larger than this is not made: its players are summed one by one."""
MOST_SHARPNESSES = 24
"""Different k that get a grid each."""
PANEL = 0.7
"""Widest panel in ``log k``."""
CHEBYSHEV = 16
"""Points of a panel."""


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


class SharedSum:
    """``F(x) = sum_j weight_j tanh((x - mean_j) k_j / 2)`` for ``x`` from ``low`` to ``high``.

    ``mean``, ``k`` (positive) and ``weight`` are ``(n,)``; every mean lies between the bounds.
    ``length`` is the shortest distance over which F bends.
    """

    def __init__(self, mean: Floats, k: Floats, weight: Floats, low: float, high: float) -> None:
        self.low, self.high = low, high
        self.length = 1.0 / float(k.max())
        self._step = self.length / FINENESS
        self._origin = low
        self._cells = int((high - low) / self._step) + 2
        points = self._cells + POINTS - 1
        length = int(fft.next_fast_len(2 * points - 1, real=True))  # type: ignore[no-untyped-call] # SciPy's
        cell, within = self._locate(mean)
        transform = np.zeros(length // 2 + 1, dtype=np.complex128)
        for sharpness, weights in _by_sharpness(k, weight):
            spread = self._spread(cell, within, weights)
            transform += fft.rfft(spread, length) * fft.rfft(self._kernel(sharpness, length))
        values = fft.irfft(transform, length)[:points]
        self._values = values[POINTS // 2 - 1 : POINTS // 2 + self._cells]
        self._coefficients = [
            _combined(_BASIS[:, power], values, self._cells) for power in range(POINTS)
        ]

    @staticmethod
    def fits(k: Floats, low: float, high: float) -> bool:
        """Whether a grid from ``low`` to ``high`` is of a size that can be worked with."""
        return (high - low) * float(k.max()) * FINENESS < MOST_POINTS

    def _locate(self, x: Floats) -> tuple[Integers, Floats]:
        """The cell of each ``x``, and where in it, from -0.5 to 0.5."""
        position = (x - self._origin) * (1.0 / self._step)
        cell = position.astype(np.int64)
        position -= cell
        position -= 0.5
        return cell, position

    def _spread(self, cell: Integers, within: Floats, weight: Floats) -> Floats:
        """The weights on the grid's points, by the sums of each cell's moments."""
        spread = np.zeros(self._cells + POINTS - 1)
        for power in range(POINTS):
            moment = np.bincount(cell, weights=weight, minlength=self._cells)
            for point in range(POINTS):
                spread[point : point + self._cells] += _BASIS[point, power] * moment
            weight = weight * within
        return spread

    def _kernel(self, sharpness: float, length: int) -> Floats:
        """``(length,)`` the tanh of every distance between two points, negative ones at the end."""
        points = self._cells + POINTS - 1
        kernel = np.zeros(length)
        kernel[:points] = np.tanh(np.arange(points) * (0.5 * sharpness * self._step))
        kernel[length - points + 1 :] = -kernel[points - 1 : 0 : -1]
        return kernel

    def inverse(self, value: Floats) -> Floats:
        """Roughly where F has these values, within a fraction of the grid's spacing."""
        at = self._origin + self._step * np.arange(self._cells + 1)
        return np.asarray(np.interp(value, self._values, at))

    def value(self, x: Floats) -> Floats:
        """F at each ``x``."""
        cell, within = self._locate(x)
        value = np.take(self._coefficients[-1], cell)
        for coefficients in self._coefficients[-2::-1]:
            value *= within
            value += np.take(coefficients, cell)
        return value

    def derivatives(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F and its first two derivatives at each ``x``."""
        cell, within = self._locate(x)
        value = np.take(self._coefficients[-1], cell)
        slope, half_curvature = np.zeros_like(value), np.zeros_like(value)
        for coefficients in self._coefficients[-2::-1]:
            half_curvature *= within
            half_curvature += slope
            slope *= within
            slope += value
            value *= within
            value += np.take(coefficients, cell)
        return value, slope / self._step, half_curvature * (2.0 / self._step**2)


def _combined(basis: Floats, values: Floats, cells: int) -> Floats:
    """One power's coefficient in every cell."""
    coefficient: Floats = basis[0] * values[:cells]
    for point in range(1, POINTS):
        coefficient += basis[point] * values[point : point + cells]
    return coefficient


def _by_sharpness(k: Floats, weight: Floats) -> Iterator[tuple[float, Floats]]:
    """Values of k that each have a grid, and every player's weight on it."""
    low, high = float(k.min()), float(k.max())
    if low == high:
        yield low, weight
        return
    different = np.unique(k)
    if len(different) <= MOST_SHARPNESSES:
        for one in different.tolist():
            yield one, np.where(k == one, weight, 0.0)
        return
    panels = math.ceil(math.log(high / low) / PANEL)
    width = math.log(high / low) / panels
    position = np.log(k / low) / width
    panel = np.minimum(position.astype(np.int64), panels - 1)
    angle = np.arccos(np.clip(2.0 * (position - panel) - 1.0, -1.0, 1.0))
    for number in range(panels):
        in_panel = np.where(panel == number, weight, 0.0)
        for point in range(CHEBYSHEV):
            yield _chebyshev(in_panel, angle, low * math.exp(number * width), width, point)


def _chebyshev(
    weight: Floats, angle: Floats, low: float, width: float, point: int
) -> tuple[float, Floats]:
    """One Chebyshev point of a panel: its k, and each weight times its basis polynomial there."""
    own_angle = math.pi * (point + 0.5) / CHEBYSHEV
    basis = np.full_like(weight, 1.0 / CHEBYSHEV)
    for degree in range(1, CHEBYSHEV):
        basis += (2.0 / CHEBYSHEV) * math.cos(degree * own_angle) * np.cos(degree * angle)
    return low * math.exp(0.5 * width * (1.0 + math.cos(own_angle))), weight * basis
