"""Performances implied by the places of a contest, with normally distributed performances.

Source: the Elo-MMR paper, theorem 3.2 and the Gaussian model of section 3.1. With
``z_j = (x - mean_j) / deviation_j`` and the normal hazard ``h(z) = phi(z) / Phi(z)``, the
performance of side i is the zero of::

    sum over those who beat i of  h(-z_j) / deviation_j
    - sum over those i beats of   h(z_j) / deviation_j
    + sum over those who tie i of z_j / deviation_j

Every side ties itself. With ``split_ties`` a tie counts as half a win and half a loss. ``h`` is
computed from the scaled complementary error function, which reaches the right limits however far x
is from a mean.

Bounds. If all ``z_j`` were the same t, the sum would vanish at a t that depends only on the sums of
``1 / deviation_j`` over the sides beating, beaten and tied. Every term grows with x, so the zero
lies between the smallest and the largest ``mean_j + t deviation_j``.

Large contests. Unlike the logistic sums of ``performance``, these sums differ between places by
more than a constant. But from one place to the next, only one opponent moves from beaten to
beating, so places are solved in blocks. Opponents of the same block are summed one by one, all
others on a ``Grid`` whose transform is updated from block to block. ``Phi`` has its zeros 2.8
deviations from the real axis, and 0.97 from it as a function of ``log deviation``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import scipy

from ratings.contests.grid import Grid, Scales
from ratings.contests.rootfinding import SMALL, Search, zeros
from ratings.places import best_first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.contests.grid import Interpolant
    from ratings.types import Booleans, Complexes, Floats, Integers

MOST_DIRECT_SIDES = 256
"""Larger contests are solved in blocks, smaller ones pair by pair."""
BLOCK = 64
"""Sides of a block. Ties that cross its end make it larger."""
FINENESS = 30.0
"""Grid points per deviation: 84 within the distance of the zeros of Phi."""
STRIP = 0.97

_TERMS_AT_ONCE = 1 << 15
_HAZARD_AT_ZERO = float(np.sqrt(2.0 / np.pi))


def normal_performances(
    mean: Floats, deviation: Floats, places: Integers, *, split_ties: bool = False
) -> Floats:
    """Return the ``(m, s)`` performances of ``m`` contests. All arguments are ``(m, s)``."""
    if mean.shape[-1] > MOST_DIRECT_SIDES:
        rows = zip(mean, deviation, places, strict=True)
        return np.stack([_large_contest(*row, split_ties=split_ties) for row in rows])
    return _pair_by_pair(mean, deviation, places, split_ties=split_ties)


def _pair_by_pair(mean: Floats, deviation: Floats, places: Integers, *, split_ties: bool) -> Floats:
    """Solve each side's own sum over all sides, ``(m, s)``."""
    matches, sides = mean.shape
    performance = np.empty_like(mean)
    flat = performance.reshape(-1)
    block = max(1, _TERMS_AT_ONCE // sides)
    for start in range(0, matches * sides, block):
        equations = np.arange(start, min(start + block, matches * sides))
        match = equations // sides
        order = places[match] - places.reshape(-1)[equations, None]
        flat[equations] = zeros_by_order(mean[match], deviation[match], order, split_ties)
    return performance


def hazard(z: Floats) -> tuple[Floats, Floats, Floats]:
    """Return ``phi(z) / Phi(z)`` and its first two derivatives."""
    h = _HAZARD_AT_ZERO / scipy.special.erfcx(z * -np.sqrt(0.5))
    rest = z + h
    # Far to the left, h is -z and the rest is rounding error.
    slope = np.clip(-h * rest, -1.0, 0.0)
    return h, slope, np.where(z > -1e4, h * (rest * (rest + h) - 1.0), 0.0)


def zeros_by_order(mean: Floats, deviation: Floats, order: Integers, split_ties: bool) -> Floats:
    """Return ``(n,)`` performances. In rows of ``order`` ``(n, s)``, beaten sides are positive."""
    terms = HazardTerms.of(mean, deviation, order, split_ties)
    t = _common_z(*terms.columns[2:].sum(axis=-1))
    around = mean + t[:, None] * deviation
    search = Search(
        x=around.mean(axis=-1),
        low=around.min(axis=-1),
        high=around.max(axis=-1),
        near=SMALL * deviation.min(axis=-1),
    )
    return zeros(terms, search)


def _common_z(win: Floats, loss: Floats, tie: Floats) -> Floats:
    """Return ``(n,)`` zeros ``t`` of ``loss h(-t) - win h(t) + tie t``."""
    likely = scipy.special.ndtri((win + 0.5 * tie) / (win + loss + tie))
    if not tie.any():
        return np.asarray(likely)
    low, high = -_HAZARD_AT_ZERO * loss / tie, _HAZARD_AT_ZERO * win / tie
    search = Search(np.clip(likely, low, high), low, high, np.full_like(likely, SMALL))
    columns = np.stack([np.zeros_like(win), np.ones_like(win), win, loss, tie])[..., None]
    return zeros(HazardTerms(columns), search)


@dataclass(frozen=True)
class HazardTerms:
    """Terms ``(n, s)`` of ``n`` sums, split by whether the opponent is beaten, beating or tied."""

    columns: Floats
    """``(5, n, s)``: means, reciprocal deviations, and the latter masked by beaten, beating and
    tied opponents."""
    outside: Interpolant | None = None
    """The contribution of opponents outside the terms to every sum."""

    @classmethod
    def of(
        cls,
        mean: Floats,
        deviation: Floats,
        order: Integers,
        split_ties: bool,
        outside: Interpolant | None = None,
    ) -> HazardTerms:
        inverse = 1.0 / deviation
        win, loss, tie = (
            np.where(which, inverse, 0.0) for which in (order > 0, order < 0, order == 0)
        )
        if split_ties:
            win, loss, tie = win + 0.5 * tie, loss + 0.5 * tie, np.zeros_like(tie)
        return cls(np.stack([mean, inverse, win, loss, tie]), outside)

    def rows(self, rows: Booleans) -> HazardTerms:
        """Keep only these rows."""
        return HazardTerms(self.columns[:, rows], self.outside)

    def sums(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the sums at ``x`` ``(n,)`` and their first two derivatives."""
        mean, inverse, win, loss, tie = self.columns
        z = (x[:, None] - mean) * inverse
        won, won_slope, won_curvature = hazard(z)
        lost, lost_slope, lost_curvature = hazard(-z)
        value = (loss * lost - win * won + tie * z).sum(axis=-1)
        slope = ((tie - loss * lost_slope - win * won_slope) * inverse).sum(axis=-1)
        curvature = ((loss * lost_curvature - win * won_curvature) * inverse**2).sum(axis=-1)
        if self.outside is None:
            return value, slope, curvature
        rest = self.outside.derivatives(x)
        return value + rest[0], slope + rest[1], curvature + rest[2]


def _large_contest(
    mean: Floats, deviation: Floats, places: Integers, *, split_ties: bool
) -> Floats:
    """Return the ``(s,)`` performances in one contest of many sides."""
    by_place = best_first(places)
    mean_of, deviation_of, place_of = mean[by_place], deviation[by_place], places[by_place]
    low, high = _bounds(mean_of, deviation_of, place_of, split_ties)
    step = float(deviation.min()) / FINENESS
    if not Grid.fits(low, high, step):
        rows = mean[None], deviation[None], places[None]
        return np.asarray(_pair_by_pair(*rows, split_ties=split_ties)[0])
    outside = _OutsideBlock(Grid.between(low, high, step), mean_of, deviation_of)
    performance_of, last = np.empty_like(mean), high
    for start, stop in _blocks(place_of):
        block = slice(start, stop)
        place, first = np.unique(place_of[block], return_index=True)
        order = place_of[block] - place[:, None]
        shape = order.shape
        terms = HazardTerms.of(
            np.broadcast_to(mean_of[block], shape),
            np.broadcast_to(deviation_of[block], shape),
            order,
            split_ties,
            outside.take(start, stop),
        )
        # A lower place never shows a better performance.
        count = len(place)
        bounds = np.full(count, low), np.full(count, high)
        near = np.full(count, SMALL * float(deviation.min()))
        solved = zeros(terms, Search(np.full(count, last), *bounds, near))
        last = float(solved[-1])
        performance_of[block] = np.repeat(solved, np.diff(first, append=stop - start))
    performance = np.empty_like(mean)
    performance[by_place] = performance_of
    return performance


def _bounds(
    mean: Floats, deviation: Floats, places: Integers, split_ties: bool
) -> tuple[float, float]:
    """Return bounds of all performances and means. Arguments are ordered by place."""
    inverse = 1.0 / deviation
    whole, ends = inverse.sum(), []
    for end in (places[-1], places[0]):
        tied = inverse[places == end].sum()
        others = np.zeros(1) + whole - tied
        win, loss = (others, 0 * others) if end == places[0] else (0 * others, others)
        half = 0.5 * tied if split_ties else 0.0
        t = _common_z(win + half, loss + half, np.zeros(1) + tied - 2 * half)
        ends.append(mean + t * deviation)
    low, high = ends
    return (
        float(min(low.min(), mean.min(), high.min())),
        float(max(high.max(), mean.max(), low.max())),
    )


def _blocks(places: Integers) -> Iterator[tuple[int, int]]:
    """Yield start and end of blocks of at least ``BLOCK`` sides, keeping ties together."""
    start, count = 0, len(places)
    while start < count:
        last = places[min(start + BLOCK, count) - 1]
        stop = int(np.searchsorted(places, last, side="right"))
        yield start, stop
        start = stop


class _OutsideBlock:
    """The contribution of sides outside the current block to its sums.

    At first, all sides are behind the block. ``take`` moves on to the next block, adding the
    previous one to the sides ahead.
    """

    def __init__(self, grid: Grid, mean: Floats, deviation: Floats) -> None:
        self._grid, self._mean, self._deviation = grid, mean, deviation
        self._scales = Scales.of(deviation, STRIP)
        z = grid.distances() / self._scales.nodes[:, None]
        inverse = 1.0 / self._scales.nodes[:, None]
        self._behind = grid.kernels(-hazard(z)[0] * inverse)
        self._before = grid.kernels(hazard(-z)[0] * inverse)
        self._transform = np.zeros(grid.length // 2 + 1, dtype=np.complex128)
        self._taken = np.zeros_like(self._behind)
        for start in range(0, len(mean), _SPREAD_AT_ONCE):
            some = self._spread(start, start + _SPREAD_AT_ONCE)
            self._transform += (some * self._behind).sum(axis=0)

    def _spread(self, start: int, stop: int) -> Complexes:
        some = slice(start, stop)
        weights = self._scales.basis(self._deviation[some])
        return self._grid.transforms(self._mean[some], weights)

    def take(self, start: int, stop: int) -> Interpolant:
        """Move on to this block, and return the contribution of all sides outside it."""
        self._transform += (self._taken * self._before).sum(axis=0)
        self._taken = self._spread(start, stop)
        self._transform -= (self._taken * self._behind).sum(axis=0)
        return self._grid.interpolant(self._transform)


_SPREAD_AT_ONCE = 1 << 12
