"""Performances implied by the places of a contest, with logistic performances.

Source: Ebtekar and Liu, "Elo-MMR: A Rating System for Massive Multiplayer Competitions", WWW 2021,
Algorithm 3, phase one, and the equations of section 3.1. Side j's performance has mean ``mean_j``
and standard deviation ``deviation_j``. With ``k_j = pi / (sqrt(3) deviation_j)``, the reciprocal of
the paper's barred deviation, the performance of side i is the zero of::

    sum over those i beats or ties of  k_j (tanh((x - mean_j) k_j / 2) - 1)
    + sum over those who beat or tie i of  k_j (tanh((x - mean_j) k_j / 2) + 1)

Every side ties itself. A tie counts as a win and a loss, or as half of each with ``split_ties``.
Let K be the sum of k over the sides that i beats (w), loses to (l) or ties (t). The equation is
then ``F(x) + T(x) = K_w - K_l``, where F is the sum of ``k_j tanh((x - mean_j) k_j / 2)`` over all
sides, the same for everyone, and T the same sum over those who tie i (0 with ``split_ties``).

This gives two bounds, as every term of F and T lies between those of the sides with the smallest
and the largest ``mean_j + shift / k_j``, where ``shift = log((K_w + K_t) / (K_l + K_t))``, or
``log((2 K_w + K_t) / (2 K_l + K_t))`` with ``split_ties``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.rootfinding import Search, zeros
from ratings.contests.shared_sum import SharedSum
from ratings.contests.tanh_terms import TanhTerms
from ratings.numerics import reduce_rows
from ratings.places import best_first

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, Integers

LOGISTIC = np.pi / np.sqrt(3.0)
"""The standard deviation of the standard logistic distribution."""

MOST_DIRECT_SIDES = 128
"""Larger contests share one sum, smaller ones are summed pair by pair."""

_TERMS_AT_ONCE = 1 << 15


def logistic_performances(
    mean: Floats, deviation: Floats, places: Integers, *, split_ties: bool = False
) -> Floats:
    """Return the ``(m, s)`` performances of ``m`` contests. All arguments are ``(m, s)``."""
    k = LOGISTIC / deviation
    matches, sides = mean.shape
    if sides > MOST_DIRECT_SIDES:
        rows = range(matches)
        return np.stack([_by_shared_sum(mean[i], k[i], places[i], split_ties) for i in rows])
    performance = np.empty_like(mean)
    block = max(1, _TERMS_AT_ONCE // (sides * sides))
    for start in range(0, matches, block):
        rows_at_once = slice(start, start + block)
        performance[rows_at_once] = _by_pairs(
            mean[rows_at_once], k[rows_at_once], places[rows_at_once], split_ties
        )
    return performance


def _by_pairs(mean: Floats, k: Floats, places: Integers, split_ties: bool) -> Floats:
    """Solve each side's own sum over all sides: ``(m, s)`` equations of ``s`` terms each."""
    matches, sides = mean.shape
    equations = (matches * sides, sides)
    order = (places[:, None, :] - places[:, :, None]).reshape(equations)
    # One row per equation: each match's sides, repeated for each of its sides.
    mean_of, k_of = np.repeat(mean, sides, axis=0), np.repeat(k, sides, axis=0)
    return _zeros(mean_of, k_of, order, split_ties).reshape(matches, sides)


def zeros_by_order(mean: Floats, deviation: Floats, order: Integers, split_ties: bool) -> Floats:
    """Return ``(n,)`` performances. In rows of ``order`` ``(n, s)``, beaten sides are positive."""
    return _zeros(mean, LOGISTIC / deviation, order, split_ties)


def _zeros(mean: Floats, k: Floats, order: Integers, split_ties: bool) -> Floats:
    is_tied = order == 0
    beaten = reduce_rows(np.add, np.where(order > 0, k, 0.0))
    beating = reduce_rows(np.add, np.where(order < 0, k, 0.0))
    tied = reduce_rows(np.add, np.where(is_tied, k, 0.0))
    pull = k if split_ties else np.where(is_tied, 2.0 * k, k)
    shift = _shift(beaten, beating, tied, split_ties)
    around = mean + shift[:, None] / k
    return zeros_of_sums(TanhTerms.of(mean, k, pull, beaten - beating), around)


def _shift(beaten: Floats, beating: Floats, tied: Floats, split_ties: bool) -> Floats:
    if split_ties:
        return np.asarray(np.log((2.0 * beaten + tied) / (2.0 * beating + tied)))
    return np.asarray(np.log((beaten + tied) / (beating + tied)))


def zeros_of_sums(terms: TanhTerms, around: Floats) -> Floats:
    """Return ``(n,)`` zeros of the sums over the rows ``(n, s)`` of ``terms``.

    The search starts at the mean of each row of ``around`` ``(n, s)``, bounded by its extremes.
    """
    low, high = reduce_rows(np.minimum, around), reduce_rows(np.maximum, around)
    start = reduce_rows(np.add, around) / around.shape[-1]
    return zeros(terms, Search(start, low, high, terms.near()))


def _by_shared_sum(mean: Floats, k: Floats, places: Integers, split_ties: bool) -> Floats:
    """Return the ``(s,)`` performances in one contest of many sides, place by place."""
    by_place = best_first(places)
    mean_of, k_of, place_of = mean[by_place], k[by_place], places[by_place]
    first = np.flatnonzero(np.diff(place_of, prepend=place_of[0] - 1))
    tied = np.add.reduceat(k_of, first)
    upto = np.cumsum(tied)
    beating = upto - tied
    beaten = np.cumsum(tied[::-1])[::-1] - tied
    shift = _shift(beaten, beating, tied, split_ties)
    # The shift is largest for the first place and smallest for the last.
    low = min(float((mean_of + shift[-1] / k_of).min()), float(mean_of.min()))
    high = max(float((mean_of + shift[0] / k_of).max()), float(mean_of.max()))
    total = beaten - beating
    counts = np.diff(first, append=len(places))
    if SharedSum.fits(k, low, high):
        sums = SharedSum(mean_of, k_of, k_of, low, high)
        solved = zeros_of_shared_sum(sums, total, None if split_ties else (mean_of, k_of, first))
    else:
        place = np.repeat(np.arange(len(first)), counts)
        solved = _place_by_place(mean_of, k_of, place, total, shift, split_ties)
    performance = np.empty_like(mean)
    performance[by_place] = np.repeat(solved, counts)
    return performance


def zeros_of_shared_sum(
    sums: SharedSum, total: Floats, ties: tuple[Floats, Floats, Integers] | None = None
) -> Floats:
    """Return ``(g,)`` zeros of the shared sum minus ``total``, plus the sum over tied sides.

    ``ties`` holds mean and k of the tied sides, place by place, and the start of each place.
    """
    x = np.clip(sums.inverse(total), sums.low, sums.high)
    bounds = np.full_like(x, sums.low), np.full_like(x, sums.high)
    return zeros(_Places(sums, total, ties), Search(x, *bounds, np.full_like(x, sums.near)))


@dataclass(frozen=True)
class _Places:
    """A shared sum minus ``total`` ``(g,)``, plus the sums over each place's own sides."""

    shared: SharedSum
    total: Floats
    ties: tuple[Floats, Floats, Integers] | None

    def rows(self, rows: Booleans) -> _Places:
        """Keep only these places."""
        if self.ties is None:
            return _Places(self.shared, self.total[rows], None)
        mean, k, first = self.ties
        counts = np.diff(first, append=len(mean))
        members = np.repeat(rows, counts)
        counts = counts[rows]
        ties = mean[members], k[members], np.cumsum(counts) - counts
        return _Places(self.shared, self.total[rows], ties)

    def sums(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the sums at ``x`` ``(g,)`` and their first two derivatives."""
        value, slope, curvature = self.shared.derivatives(x)
        value -= self.total
        if self.ties is None:
            return value, slope, curvature
        own = self._own(x, *self.ties)
        return value + own[0], slope + own[1], curvature + own[2]

    @staticmethod
    def _own(x: Floats, mean: Floats, k: Floats, first: Integers) -> tuple[Floats, Floats, Floats]:
        """Return the sums over groups of different sizes, as ``TanhTerms.sums``."""
        alone = len(first) == len(mean)
        at = x if alone else np.repeat(x, np.diff(first, append=len(mean)))
        tanh = 1.0 - 2.0 / (1.0 + np.exp((at - mean) * k))
        slope = 0.5 * k * k * (1.0 - tanh * tanh)
        parts = k * tanh, slope, -slope * k * tanh
        if alone:
            return parts
        value, slope, curvature = (np.add.reduceat(part, first) for part in parts)
        return value, slope, curvature


def _place_by_place(
    mean: Floats, k: Floats, place: Integers, total: Floats, shift: Floats, split_ties: bool
) -> Floats:
    """Solve each place on its own, for ratings too far apart for a grid.

    ``place`` ``(s,)`` counts from 0.
    """
    solved = np.empty_like(total)
    block = max(1, _TERMS_AT_ONCE // len(mean))
    for start in range(0, len(total), block):
        places = np.arange(start, min(start + block, len(total)))
        rows = (len(places), len(mean))
        tied = place == places[:, None]
        terms = TanhTerms.of(
            np.broadcast_to(mean, rows),
            np.broadcast_to(k, rows),
            np.where(tied & (not split_ties), 2.0 * k, k),
            total[places],
        )
        solved[places] = zeros_of_sums(terms, mean + shift[places, None] / k)
    return solved
