"""What performance a place in a contest shows, where performances are normal.

Source: the Elo-MMR paper, theorem 3.2 and the Gaussian model of section 3.1. With
``z_j = (x - mean_j) / deviation_j`` and the normal hazard ``h(z) = phi(z) / Phi(z)``, the
performance of side i is the zero of::

    sum over those who beat i of  h(-z_j) / deviation_j
    - sum over those i beats of   h(z_j) / deviation_j
    + sum over those who tie i of z_j / deviation_j

Every side ties itself. With ``split_ties`` a tie counts as half a win and half a loss. ``h`` is
taken from the scaled complementary error function, which neither under- nor overflows to anything
but the right limit, however far x lies from a mean.

Bounds. Were all ``z_j`` the same t, the sum would vanish at a t that depends only on the sums of
``1 / deviation_j`` over those beating, beaten and tied. The zero lies between the smallest and the
largest ``mean_j + t deviation_j``, as every term grows with x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import erfcx, ndtri

from ratings.rootfinding import MOST_STEPS, Search

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

_TERMS_AT_ONCE = 1 << 15
_HAZARD_AT_ZERO = float(np.sqrt(2.0 / np.pi))


def normal_performances(
    mean: Floats, deviation: Floats, places: Integers, *, split_ties: bool = False
) -> Floats:
    """``(m, s)`` performances of the sides of ``m`` contests, all arguments ``(m, s)``."""
    matches, sides = mean.shape
    performance = np.empty_like(mean)
    flat = performance.reshape(-1)
    block = max(1, _TERMS_AT_ONCE // sides)
    for start in range(0, matches * sides, block):
        equations = np.arange(start, min(start + block, matches * sides))
        match = equations // sides
        order = places[match] - places.reshape(-1)[equations, None]
        flat[equations] = _zeros(mean[match], deviation[match], order, split_ties)
    return performance


def hazard(z: Floats) -> tuple[Floats, Floats, Floats]:
    """``phi(z) / Phi(z)`` and its first two derivatives."""
    h = _HAZARD_AT_ZERO / erfcx(z * -np.sqrt(0.5))
    rest = z + h
    # Far to the left h is -z, and the rest all rounding.
    slope = np.clip(-h * rest, -1.0, 0.0)
    return h, slope, np.where(z > -1e4, h * (rest * (rest + h) - 1.0), 0.0)


def _zeros(mean: Floats, deviation: Floats, order: Integers, split_ties: bool) -> Floats:
    """``(n,)`` performances; in each row ``(n, s)`` ``order`` is positive for those beaten."""
    inverse = 1.0 / deviation
    win, loss, tie = (np.where(which, inverse, 0.0) for which in (order > 0, order < 0, order == 0))
    if split_ties:
        win, loss, tie = win + 0.5 * tie, loss + 0.5 * tie, np.zeros_like(tie)
    t = _common(*(each.sum(axis=-1) for each in (win, loss, tie)))
    around = mean + t[:, None] * deviation
    search = Search(
        x=around.mean(axis=-1),
        low=around.min(axis=-1),
        high=around.max(axis=-1),
        length=deviation.min(axis=-1),
    )
    terms = mean, inverse, win, loss, tie
    return _search(search, terms)


def _common(win: Floats, loss: Floats, tie: Floats) -> Floats:
    """``(n,)`` zeros ``t`` of ``loss h(-t) - win h(t) + tie t``."""
    likely = ndtri((win + 0.5 * tie) / (win + loss + tie))
    if not tie.any():
        return np.asarray(likely)
    low, high = -_HAZARD_AT_ZERO * loss / tie, _HAZARD_AT_ZERO * win / tie
    search = Search(np.clip(likely, low, high), low, high, np.ones_like(likely))
    terms = [each[:, None] for each in (np.zeros_like(win), np.ones_like(win), win, loss, tie)]
    return _search(search, (terms[0], terms[1], terms[2], terms[3], terms[4]))


def _search(search: Search, terms: tuple[Floats, Floats, Floats, Floats, Floats]) -> Floats:
    zeros = search.x.copy()
    open_rows = np.arange(len(zeros))
    for _ in range(MOST_STEPS):
        found = search.step(*_sum(search.x, *terms))
        zeros[open_rows] = search.x
        if found.all():
            break
        if found.any():
            left = ~found
            search.keep(left)
            open_rows = open_rows[left]
            mean, inverse, win, loss, tie = (each[left] for each in terms)
            terms = mean, inverse, win, loss, tie
    return zeros


def _sum(
    x: Floats, mean: Floats, inverse: Floats, win: Floats, loss: Floats, tie: Floats
) -> tuple[Floats, Floats, Floats]:
    """The sum over rows ``(n, s)`` and its first two derivatives by ``x``."""
    z = (x[:, None] - mean) * inverse
    won, won_slope, won_curvature = hazard(z)
    lost, lost_slope, lost_curvature = hazard(-z)
    value = (loss * lost - win * won + tie * z).sum(axis=-1)
    slope = ((tie - loss * lost_slope - win * won_slope) * inverse).sum(axis=-1)
    curvature = ((loss * lost_curvature - win * won_curvature) * inverse**2).sum(axis=-1)
    return value, slope, curvature
