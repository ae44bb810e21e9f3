"""Elo-MMR's beliefs about players' strengths: one normal factor and many logistic ones.

Source: the Elo-MMR paper, equation 10 and Algorithms 2 and 3. A belief is the product of a normal
distribution (``centre``, ``weight``: the reciprocal of its variance) and, for each remembered
performance p, a logistic factor to the power omega. Factor k adds ``pull tanh((s - p) slope / 2)``
to the derivative of the belief's negative logarithm, with ``slope = pi / (sqrt(3) beta)`` and
``pull = omega slope``. Its weight, the paper's ``w_k``, is ``omega / beta^2``. The rating is the
zero of that derivative, and the deviation is ``1 / sqrt`` of the sum of all weights.

A row of ``States.memory`` is ``centre, weight``, then ``p, slope, pull`` of each factor, newest
first. An empty row stands for the normal distribution of rating and deviation. Newcomers have an
empty row, and so does everyone if ``rho = inf``.

Factors that weigh less than 2^-56 of the total are merged into the normal one, like those beyond
the history limit (section 5.3). No double would show the difference, and the row stays short
however long a player plays (about a hundred factors with the default parameters).

Each player's factors are padded, with factors of no pull, to a length that depends only on their
own number. A player's sums thus run in the same order whoever else is rated.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.performance import LOGISTIC
from ratings.contests.rootfinding import Search, zeros
from ratings.contests.tanh_terms import TanhTerms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.types import Booleans, Floats, Integers

HEAD = 2
"""Number of columns before the factors."""
FACTOR = 3
"""Number of columns per factor."""
NEGLIGIBLE = 2.0**-56
ALWAYS_KEPT = 32
"""Players with no more factors than this are not checked for negligible ones."""
PADDED = np.array([0, 1, 2, 4, 8, 16, 24, 32, 48, 64, *range(96, 100_033, 32)])
"""Lengths to which factors are padded."""
_TERMS_AT_ONCE = 1 << 15
TYPICAL_BEND = 1.1
"""Typical second derivative of a logistic factor, per weight: two thirds of ``pi^2 / 6``."""


@dataclass(frozen=True)
class Performance:
    """Performances ``(n,)`` in one match, with their variances as evidence of strength."""

    value: Floats
    variance: Floats


@dataclass
class Beliefs:
    """The beliefs about ``n`` players, each with ``length`` factors, newest first."""

    rating: Floats
    variance: Floats
    centre: Floats
    weight: Floats
    length: Integers
    """``(n,)`` number of factors."""
    memory: Floats
    """``(n, HEAD + FACTOR * most)``. The head is out of date."""
    shrunk: Floats
    """``(n,)`` pending multiplier of all pulls in ``memory``."""
    forgotten: Booleans
    """``(n,)`` whether the limit merged factors, which moves the mode away from ``rating``."""

    @classmethod
    def of(cls, rating: Floats, deviation: Floats, memory: Floats) -> Beliefs:
        """Read beliefs from ``(n,)`` states and their ``(n, width)`` memory."""
        variance = deviation**2
        if memory.shape[-1] < HEAD:
            length = np.zeros(len(rating), dtype=np.int64)
            centre, weight = rating, 1.0 / variance
        else:
            # The numbers of a factor are either all present or all NaN.
            absent = np.isnan(memory[:, HEAD::FACTOR])
            length = absent.shape[-1] - np.count_nonzero(absent, axis=-1)
            empty = np.isnan(memory[:, 0])
            centre = np.where(empty, rating, memory[:, 0])
            weight = np.where(empty, 1.0 / variance, memory[:, 1])
        shrunk, forgotten = np.ones(len(rating)), np.zeros(len(rating), dtype=np.bool_)
        return cls(rating, variance, centre, weight, length, memory, shrunk, forgotten)

    def diffuse(self, variance: Floats, rho: float) -> None:
        """Let strengths drift by ``variance`` ``(n,)`` (Algorithm 2). Ratings do not change."""
        grown = self.variance + variance
        if math.isinf(rho):
            self.centre, self.weight = self.rating, 1.0 / grown
            self.length = np.zeros_like(self.length)
        else:
            kept = self.variance / grown
            kept_single = kept**rho
            old = kept_single * self.weight
            new = (1.0 - kept_single) / self.variance
            total = old + new
            share = np.divide(new, total, out=np.zeros_like(total), where=total > 0)
            self.centre = self.centre + share * (self.rating - self.centre)
            self.weight = kept * total
            self.shrunk = self.shrunk * (kept * kept_single)
        self.variance = grown

    def factors(self, rows: Integers, length: int) -> Floats:
        """Return ``(FACTOR + 1, r, length)``: p, slope, pull and room for one more column.

        Rows are padded with factors without slope and pull.
        """
        there = min(length, (self.memory.shape[-1] - HEAD) // FACTOR)
        # A slice of all rows avoids a copy.
        some: Integers | slice = slice(None) if len(rows) == len(self.length) else rows
        factors = self.memory[some, HEAD : HEAD + FACTOR * there]
        columns = np.empty((FACTOR + 1, len(rows), length))
        held = columns[:FACTOR, :, :there]
        held[:] = factors.reshape(len(rows), there, FACTOR).transpose(2, 0, 1)
        columns[:FACTOR, :, there:] = 0.0
        if (self.length[rows] < there).any():
            np.copyto(held, 0.0, where=np.isnan(held))
        return columns

    def compress(self, limit: int) -> None:
        """Merge the oldest factors into the normal one until at most ``limit`` are left.

        Negligible factors are merged in any case.
        """
        if self.length.max(initial=0) <= min(limit, ALWAYS_KEPT):
            return
        oldest = self._weight_of_oldest()
        negligible = (self.length > ALWAYS_KEPT) & (oldest * self.variance < NEGLIGIBLE)
        self.forgotten = self.length > limit
        long = self.forgotten | negligible
        for rows, length in _by_length(np.where(long, self.length, 0)):
            if not length:
                continue
            performance, slope, pull, _ = self.factors(rows, length)
            weight = self.shrunk[rows, None] * pull * slope / LOGISTIC**2
            counts = weight * self.variance[rows, None] >= NEGLIGIBLE
            last = length - np.argmax(counts[:, ::-1], axis=-1)
            kept = np.minimum(np.where(counts.any(axis=-1), last, 0), limit)
            kept = np.minimum(kept, self.length[rows])
            weight *= np.arange(length) >= kept[:, None]
            folded = weight.sum(axis=-1)
            total = self.weight[rows] + folded
            moment = (weight * (performance - self.centre[rows, None])).sum(axis=-1)
            moved = np.divide(moment, total, out=np.zeros_like(total), where=total > 0)
            self.centre[rows] += moved
            self.weight[rows] = total
            self.length[rows] = kept

    def _weight_of_oldest(self) -> Floats:
        """Return the ``(n,)`` weight of each player's oldest factor, 0 without factors."""
        weight = np.zeros(len(self.length))
        rows = np.flatnonzero(self.length)
        at = HEAD + FACTOR * (self.length[rows] - 1)
        slope, pull = self.memory[rows, at + 1], self.memory[rows, at + 2]
        weight[rows] = pull * self.shrunk[rows] * slope / LOGISTIC**2
        return weight

    def settle(self, performance: Performance) -> None:
        """Add a factor for each performance and solve for the ratings (Algorithm 3, phase two)."""
        slope = LOGISTIC / np.sqrt(performance.variance)
        self.write(performance.value, slope, slope)
        rating = np.empty_like(self.rating)
        for portion in _portions(self.length):
            rows = np.concatenate([rows for rows, _ in portion])
            rating[rows] = self._modes(rows, [self._terms(*piece) for piece in portion])
        self.rating = rating
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / performance.variance)

    def _terms(self, rows: Integers, length: int) -> TanhTerms:
        return TanhTerms.from_columns(self.factors(rows, length))

    def _modes(self, rows: Integers, pieces: list[TanhTerms]) -> Floats:
        """Return the modes of these beliefs.

        The mode lies between the rating and the newest performance, or if factors were merged
        somewhere between the centre and all performances.
        """
        old = self.rating[rows]
        value, slope = self.memory[rows, HEAD], self.memory[rows, HEAD + 1]
        tanh = np.tanh((old - value) * (0.5 * slope))
        bend = TYPICAL_BEND / self.variance[rows] + 0.5 * slope * slope * (1.0 - tanh * tanh)
        low, high = np.minimum(old, value), np.maximum(old, value)
        if (forgotten := self.forgotten[rows]).any():
            performances = self.memory[rows[forgotten], HEAD::FACTOR]
            centre = self.centre[rows[forgotten]]
            low[forgotten] = np.fmin(np.nanmin(performances, axis=-1), centre)
            high[forgotten] = np.fmax(np.nanmax(performances, axis=-1), centre)
        start = np.minimum(np.maximum(old - slope * tanh / bend, low), high)
        near = np.concatenate([terms.near() for terms in pieces])
        slopes = _Slopes(self.centre[rows], self.weight[rows], pieces)
        return zeros(slopes, Search(start, low, high, near))

    def write(self, *newest: Floats) -> None:
        """Update the memory, adding one factor of these three columns."""
        most = int(self.length.max(initial=0))
        start = HEAD + len(newest)
        memory = np.empty((len(self.length), start + FACTOR * most))
        for column, values in enumerate((self.centre, self.weight, *newest)):
            memory[:, column] = values
        factors = memory[:, start:]
        factors[:] = self.memory[:, HEAD : HEAD + FACTOR * most]
        factors[:, FACTOR - 1 :: FACTOR] *= self.shrunk[:, None]
        if int(self.length.min(initial=most)) < most:
            gone = np.repeat(np.arange(most), FACTOR) >= self.length[:, None]
            np.copyto(factors, np.nan, where=gone)
        self.memory = memory
        self.length = self.length + len(newest) // FACTOR
        self.shrunk = np.ones_like(self.shrunk)


def _by_length(length: Integers) -> Iterator[tuple[Integers, int]]:
    """Yield the rows of each padded length, shortest first."""
    which = np.searchsorted(PADDED, length)
    for each in np.flatnonzero(np.bincount(which)).tolist():
        yield np.flatnonzero(which == each), int(PADDED[each])


def _portions(length: Integers) -> Iterator[list[tuple[Integers, int]]]:
    """Group rows by length into portions whose terms fit into the processor's cache."""
    portion: list[tuple[Integers, int]] = []
    room = _TERMS_AT_ONCE
    for rows, padded in _by_length(length):
        start = 0
        while start < len(rows):
            count = min(max(room // padded, 1), len(rows) - start)
            portion.append((rows[start : start + count], padded))
            start += count
            room -= count * padded
            if room < padded:
                yield portion
                portion, room = [], _TERMS_AT_ONCE
    if portion:
        yield portion


@dataclass(frozen=True)
class _Slopes:
    """Derivatives of the beliefs' negative logarithms, in pieces with equal numbers of factors."""

    centre: Floats
    weight: Floats
    pieces: list[TanhTerms]
    """The rows of the pieces follow each other."""

    def sums(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return them and their first two derivatives at ``x`` ``(n,)``."""
        stops = itertools.accumulate(piece.columns.shape[1] for piece in self.pieces)
        starts = [0, *stops]
        parts = [
            piece.sums(x[start:stop])
            for piece, (start, stop) in zip(self.pieces, itertools.pairwise(starts), strict=True)
        ]
        value, slope, curvature = (
            parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
        )
        value += self.weight * (x - self.centre)
        slope += self.weight
        return value, slope, curvature

    def rows(self, rows: Booleans) -> _Slopes:
        """Keep only these rows, and drop empty pieces."""
        stops = list(itertools.accumulate(piece.columns.shape[1] for piece in self.pieces))
        parts = zip(self.pieces, np.split(rows, stops[:-1]), strict=True)
        pieces = [piece.rows(some) for piece, some in parts if np.count_nonzero(some)]
        return _Slopes(self.centre[rows], self.weight[rows], pieces)
