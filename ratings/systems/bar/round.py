"""BAR's pairwise encounters of one large match in linear time.

Side i's result against j depends on the difference of their ratings and on
``c^2 = spread_i + spread_j``, with ``spread = variance + beta^2``. It is as smooth in one's own
spread as in the opponent's. Every sum over the opponents is therefore computed on a grid
(``ratings.contests.grid``) for a few values of one's own spread (``Scales``), and interpolated in
between. The chance ``(1 + tanh(k (x - rating_j) / 2)) / 2``, with ``k = pi / (sqrt(3) c)``, has its
poles ``sqrt(3) c`` from the real axis. ``c`` becomes 0 where the logarithm of one spread is pi from
the other's.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.grid import Grid, Scales
from ratings.contests.logistic_round import FinishOrder
from ratings.contests.performance import LOGISTIC
from ratings.contests.shared_sum import FINENESS

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

STRIP = math.pi


def pays(rating: Floats, spread: Floats) -> bool:
    """Return whether this is less work than going pair by pair for these sides ``(s,)``."""
    low, high, step = _extent(rating, spread)
    if not Grid.fits(low, high, step):
        return False
    sums = len(Scales.of(spread, STRIP).nodes) ** 2
    return sums * Grid.between(low, high, step).length < len(rating) ** 2


def _extent(rating: Floats, spread: Floats) -> tuple[float, float, float]:
    """Return the lower and upper end of the grid and its step."""
    smallest_doubt = math.sqrt(2.0 * float(spread.min()))
    return float(rating.min()), float(rating.max()), smallest_doubt / float(LOGISTIC) / FINENESS


def encounters(rating: Floats, spread: Floats, places: Integers) -> dict[str, Floats]:
    """Return each side's means over its encounters ``(s,)``, and its pull.

    The pull is the mean of (actual - expected result) / ``c`` over all sides including itself.
    """
    count = len(rating)
    grid = Grid.between(*_extent(rating, spread))
    everyone = np.ones(count)
    finish_order = FinishOrder(places)
    opponents = [
        (their_spread, grid.transform(weights))
        for their_spread, weights in grid.spread_by_scale(rating, spread, everyone, STRIP)
    ]
    cell = grid.locate(rating)
    # Chances minus 1/2, and pulls from wins and half-wins minus the expected ones.
    lead, pull = np.zeros(count), np.zeros(count)
    for own_spread, sides, share in Scales.of(spread, STRIP).shares(spread):
        leads = np.zeros(grid.length // 2 + 1, dtype=np.complex128)
        drags = np.zeros_like(leads)
        for their_spread, weights in opponents:
            doubt = math.sqrt(own_spread + their_spread)
            chances = 0.5 * np.tanh(grid.distances() * (0.5 * LOGISTIC / doubt))
            part = weights * grid.kernel(chances)
            leads += part
            drags += part / doubt
        here = cell[0][sides], cell[1][sides]
        lead[sides] += share * grid.interpolant(leads).at(*here)
        certain = 1.0 / np.sqrt(own_spread + spread)
        surprise = (finish_order.wins(certain) - 0.5 * certain.sum())[sides]
        surprise -= grid.interpolant(drags).at(*here)
        pull[sides] += share * surprise
    others = count - 1
    return {
        "expected": 0.5 + lead / others,
        "actual": (finish_order.wins(everyone) - 0.5) / others,
        "opposition": (rating.sum() - rating) / others,
        "pull": pull / count,
    }
