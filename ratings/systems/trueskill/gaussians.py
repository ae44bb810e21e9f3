"""Truncated normal distributions, accurate to the last digits for any truncation.

When a side that was certain to lose wins, the truncation is many deviations out in the tail. The
textbook's ``1 - Φ(x)`` is 0 there and its quotients are 0/0. The forms here never divide by a
vanishing number.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import scipy

if TYPE_CHECKING:
    from ratings.types import Floats

FAR_OUT = 5.0
"""From this many deviations, the continued fraction is the better form of the tail."""
FRACTIONS = 40
"""Depth of that continued fraction: full precision at ``FAR_OUT``."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
WIDEST = 8.5
STEEPEST = 40.0
"""Interval half widths, and slopes across a half width, up to which the 64 nodes are exact. Beyond
them, the weight of the interval's far end is below a double's precision."""
# Some megabytes of doubles at a time, whatever the number of matches.
CELLS_AT_ONCE = 1 << 19


def above(x: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a standard normal known to be above ``x``.

    The mean is ``φ(x) / (1 - Φ(x))``, also called hazard or inverse Mills ratio.
    """
    near = np.minimum(x, FAR_OUT)
    # For very low x nothing is cut off: erfcx is infinite there and the mean 0.
    mean = math.sqrt(2.0 / math.pi) / scipy.special.erfcx(near * math.sqrt(0.5))
    variance = 1.0 - mean * (mean - near)
    tail = x > FAR_OUT
    if tail.any():
        mean[tail], variance[tail] = _tail(x[tail])
    return mean, variance


def _tail(x: Floats) -> tuple[Floats, Floats]:
    """Do the same for large ``x``, with ``mean = x + 1/(x + 2/(x + 3/(x + …)))``."""
    deeper = np.zeros_like(x)
    for number in range(FRACTIONS, 1, -1):
        deeper = number / (x + deeper)
    excess = 1.0 / (x + deeper)
    return x + excess, excess * (deeper - excess)


def between(middle: Floats, half_width: Floats) -> tuple[Floats, Floats]:
    """Return mean and variance of a standard normal within ``half_width`` of ``middle``."""
    shape = middle.shape
    away, width = np.abs(middle).ravel(), half_width.ravel()
    one_sided = (width > WIDEST) | (away * width > STEEPEST)
    mean, variance = np.empty_like(away), np.empty_like(away)
    if one_sided.any():
        mean[one_sided], variance[one_sided] = above((away - width)[one_sided])
    rest = np.flatnonzero(~one_sided)
    for start in range(0, len(rest), CELLS_AT_ONCE // len(NODES)):
        some = rest[start : start + CELLS_AT_ONCE // len(NODES)]
        mean[some], variance[some] = _by_quadrature(away[some], width[some])
    return np.copysign(1.0, middle) * mean.reshape(shape), variance.reshape(shape)


def _by_quadrature(middle: Floats, half_width: Floats) -> tuple[Floats, Floats]:
    """Integrate by Gauss-Legendre nodes: sums of positive terms, so nothing cancels."""
    slope, bend = (middle * half_width)[:, None], (0.5 * half_width**2)[:, None]
    exponent = -NODES * (slope + bend * NODES)
    density = WEIGHTS * np.exp(exponent - exponent.max(axis=-1, keepdims=True))
    total = density.sum(axis=-1)
    centre = (density * NODES).sum(axis=-1) / total
    spread = (density * (NODES - centre[:, None]) ** 2).sum(axis=-1) / total
    return middle + half_width * centre, half_width**2 * spread
