"""What Elo-MMR believes of a player's strength: one normal factor and many logistic ones.

Source: the Elo-MMR paper, equation 10 and Algorithms 2 and 3. A belief is the product of a normal
distribution (``centre``, ``weight``: the reciprocal of its variance) and of one logistic factor for
each remembered performance p, to the power omega. Factor k adds ``pull tanh((s - p) slope / 2)``
to the derivative of the belief's negative logarithm, with ``slope = pi / (sqrt(3) beta)`` and
``pull = omega slope``; its weight, the paper's ``w_k``, is ``omega / beta^2``. The rating is the
zero of that derivative, and the deviation is ``1 / sqrt`` of the sum of all weights.

A row of ``States.memory`` is ``centre, weight``, then ``p, slope, pull`` of each factor, newest
first. An empty one stands for the normal distribution of rating and deviation: that of a newcomer,
and of everyone at ``rho = inf``.

Factors that weigh less than 2^-56 of the whole join the normal one, as those beyond the history's
limit do (section 5.3): no double would show the difference, and the row stays short however long a
player plays (about a hundred factors at the default parameters).

So that a player's sums run in the same order whoever else is rated, each player's factors are
padded, with factors of no pull, to a length that only their own number decides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.performance import LOGISTIC
from ratings.rootfinding import MOST_STEPS, Search
from ratings.tanh_terms import Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.types import Booleans, Floats, Integers

HEAD = 2
"""Numbers before the factors."""
FACTOR = 3
"""Numbers of a factor."""
NEGLIGIBLE = 2.0**-56
PADDED = np.array([0, 1, 2, 4, 8, 16, 24, 32, 48, 64, *range(96, 100_033, 32)])
"""Lengths that factors are padded to."""
_TERMS_AT_ONCE = 1 << 15
_TYPICAL_BEND = 1.1
"""A logistic factor's typical second derivative for its weight: two thirds of ``pi^2 / 6``."""


@dataclass(frozen=True)
class Performance:
    """One match's performances ``(n,)`` and the variance of each as a sign of strength."""

    value: Floats
    variance: Floats


@dataclass
class Beliefs:
    """The beliefs of ``n`` players; one ``length`` of factors each, newest first."""

    rating: Floats
    variance: Floats
    centre: Floats
    weight: Floats
    length: Integers
    """``(n,)`` how many factors there are."""
    memory: Floats
    """``(n, HEAD + FACTOR * most)``; the head is out of date."""
    shrunk: Floats
    """``(n,)`` what all pulls in ``memory`` are still to be multiplied by."""

    @classmethod
    def of(cls, rating: Floats, deviation: Floats, memory: Floats) -> Beliefs:
        """From ``(n,)`` states and their ``(n, width)`` memory."""
        variance = deviation**2
        if memory.shape[-1] < HEAD:
            length = np.zeros(len(rating), dtype=np.int64)
            centre, weight = rating, 1.0 / variance
        else:
            # Every number of a factor is there or none.
            absent = np.isnan(memory[:, HEAD::FACTOR])
            length = absent.shape[-1] - np.count_nonzero(absent, axis=-1)
            empty = np.isnan(memory[:, 0])
            centre = np.where(empty, rating, memory[:, 0])
            weight = np.where(empty, 1.0 / variance, memory[:, 1])
        return cls(rating, variance, centre, weight, length, memory, np.ones(len(rating)))

    def diffuse(self, variance: Floats, rho: float) -> None:
        """Let strengths drift by ``variance`` ``(n,)`` (Algorithm 2); ratings stay."""
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
        """``(FACTOR + 1, r, length)`` p, slope, pull and room for one more column.

        Padded with factors that have no slope and no pull.
        """
        there = min(FACTOR * length, self.memory.shape[-1] - HEAD)
        factors = np.zeros((len(rows), length, FACTOR))
        flat = factors.reshape(len(rows), FACTOR * length)
        flat[:, :there] = self.memory[rows, HEAD : HEAD + there]
        if (self.length[rows] < length).any():
            np.copyto(flat, 0.0, where=np.isnan(flat))
        columns = np.empty((FACTOR + 1, len(rows), length))
        columns[:FACTOR] = factors.transpose(2, 0, 1)
        return columns

    def compress(self, limit: int) -> None:
        """Fold the oldest factors into the normal one, until at most ``limit`` are left.

        Those that no longer count are folded in any case.
        """
        oldest = self._weight_of_oldest()
        long = (self.length > limit) | ((self.length > 0) & (oldest * self.variance < NEGLIGIBLE))
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
        """``(n,)`` the weight of each player's oldest factor, 0 where there is none."""
        weight = np.zeros(len(self.length))
        rows = np.flatnonzero(self.length)
        at = HEAD + FACTOR * (self.length[rows] - 1)
        slope, pull = self.memory[rows, at + 1], self.memory[rows, at + 2]
        weight[rows] = pull * self.shrunk[rows] * slope / LOGISTIC**2
        return weight

    def settle(self, performance: Performance) -> None:
        """Add a factor for each performance and find the new ratings (Algorithm 3, phase two)."""
        slope = LOGISTIC / np.sqrt(performance.variance)
        self.write(performance.value, slope, slope)
        rating = np.empty_like(self.rating)
        for portion in _portions(self.length):
            rows = np.concatenate([rows for rows, _ in portion])
            rating[rows] = self._modes(rows, [self._terms(*piece) for piece in portion])
        self.rating = rating
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / performance.variance)

    def _terms(self, rows: Integers, length: int) -> Terms:
        return Terms.completed(self.factors(rows, length))

    def _modes(self, rows: Integers, pieces: list[Terms]) -> Floats:
        """Where the beliefs of ``rows`` peak: between rating and the newest performance."""
        old, centre, weight = self.rating[rows], self.centre[rows], self.weight[rows]
        value, slope = self.memory[rows, HEAD], self.memory[rows, HEAD + 1]
        tanh = np.tanh((old - value) * (0.5 * slope))
        bend = _TYPICAL_BEND / self.variance[rows] + 0.5 * slope * slope * (1.0 - tanh * tanh)
        low, high = np.minimum(old, value), np.maximum(old, value)
        start = np.clip(old - slope * tanh / bend, low, high)
        search = Search(start, low, high, np.concatenate([terms.length for terms in pieces]))
        zeros: Floats = start.copy()
        open_rows = np.arange(len(zeros))
        for _ in range(MOST_STEPS):
            total, bent, curvature = _sums(pieces, search.x)
            total += weight * (search.x - centre)
            bent += weight
            found = search.step(total, bent, curvature)
            zeros[open_rows] = search.x
            if found.all():
                break
            if found.any():
                left = ~found
                search.keep(left)
                open_rows, centre, weight = open_rows[left], centre[left], weight[left]
                pieces = _rows_of(pieces, left)
        return zeros

    def write(self, *newest: Floats) -> None:
        """Bring the memory up to date, with one more factor if its three columns are given."""
        most = int(self.length.max(initial=0))
        start = HEAD + len(newest)
        memory = np.full((len(self.length), start + FACTOR * most), np.nan)
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
    """The rows of each padded length, shortest first."""
    which = np.searchsorted(PADDED, length)
    for each in np.flatnonzero(np.bincount(which)).tolist():
        yield np.flatnonzero(which == each), int(PADDED[each])


def _portions(length: Integers) -> Iterator[list[tuple[Integers, int]]]:
    """Rows by length in portions whose terms fit into the processor's cache."""
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


def _sums(pieces: list[Terms], x: Floats) -> Floats:
    """The pieces' sums side by side; ``x`` has their rows one piece after the other."""
    if len(pieces) == 1:
        return pieces[0].sums(x)
    sums = np.empty((3, len(x)))
    start = 0
    for piece in pieces:
        stop = start + piece.columns.shape[1]
        sums[:, start:stop] = piece.sums(x[start:stop])
        start = stop
    return sums


def _rows_of(pieces: list[Terms], rows: Booleans) -> list[Terms]:
    """The pieces with these of their rows; those without any are left out."""
    stops = np.cumsum([piece.columns.shape[1] for piece in pieces])
    parts = zip(pieces, np.split(rows, stops[:-1]), strict=True)
    return [piece.rows(some) for piece, some in parts if some.any()]
