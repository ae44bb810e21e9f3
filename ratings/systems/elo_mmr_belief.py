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

from ratings.performance import LOGISTIC, tanh_sum
from ratings.rootfinding import MOST_STEPS, Search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ratings.types import Booleans, Floats, Integers

HEAD = 2
"""Numbers before the factors."""
FACTOR = 3
"""Numbers of a factor."""
NEGLIGIBLE = 2.0**-56
PADDED_TO = 8
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
            entries = np.count_nonzero(~np.isnan(memory), axis=-1)
            length = np.maximum(entries - HEAD, 0) // FACTOR
            centre = np.where(entries > 0, memory[:, 0], rating)
            weight = np.where(entries > 0, memory[:, 1], 1.0 / variance)
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

    def factors(self, rows: Integers, length: int) -> tuple[Floats, Floats, Floats]:
        """``(r, length)`` p, slope and pull of these rows, padded with factors of no pull."""
        there = min(length, (self.memory.shape[-1] - HEAD) // FACTOR)
        factors = self.memory[rows, HEAD : HEAD + FACTOR * there]
        absent = np.arange(there) >= self.length[rows, None]
        performance, slope, pull = (np.zeros((len(rows), length)) for _ in range(FACTOR))
        for number, column in enumerate((performance, slope, pull)):
            column[:, :there] = factors[:, number::FACTOR]
            np.copyto(column[:, :there], 0.0, where=absent)
        pull *= self.shrunk[rows, None]
        return performance, slope, pull

    def compress(self, limit: int) -> None:
        """Fold the oldest factors into the normal one, until at most ``limit`` are left.

        Those that no longer count are folded in any case.
        """
        oldest = self._weight_of_oldest()
        long = (self.length > limit) | ((self.length > 0) & (oldest * self.variance < NEGLIGIBLE))
        for rows, length in _by_length(np.where(long, self.length, 0)):
            if not length:
                continue
            performance, slope, pull = self.factors(rows, length)
            weight = pull * slope / LOGISTIC**2
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
        new = performance.value, slope, slope
        rating = np.empty_like(self.rating)
        for rows, length in _by_length(self.length):
            for some in _portions(rows, length + 1):
                factors = self.factors(some, length)
                rating[some] = self._mode(some, factors, *(column[some] for column in new))
        self.write(*new)
        self.rating = rating
        self.variance = 1.0 / (1.0 / self.variance + 1.0 / performance.variance)

    def _mode(
        self,
        rows: Integers,
        factors: tuple[Floats, Floats, Floats],
        value: Floats,
        slope: Floats,
        pull: Floats,
    ) -> Floats:
        """Where the beliefs of ``rows`` peak with one more factor: between rating and value."""
        old = self.rating[rows]
        tanh = np.tanh((old - value) * (0.5 * slope))
        bend = _TYPICAL_BEND / self.variance[rows] + 0.5 * pull * slope * (1.0 - tanh * tanh)
        low, high = np.minimum(old, value), np.maximum(old, value)
        search = Search(
            x=np.clip(old - pull * tanh / bend, low, high),
            low=low,
            high=high,
            length=1.0 / np.maximum(slope, factors[1].max(axis=-1, initial=0.0)),
        )
        centre, weight = self.centre[rows], self.weight[rows]
        newest = value[:, None], slope[:, None], pull[:, None]
        zeros = search.x.copy()
        open_rows = np.arange(len(zeros))
        for _ in range(MOST_STEPS):
            derivatives = [
                one + other
                for one, other in zip(
                    tanh_sum(search.x, *factors), tanh_sum(search.x, *newest), strict=True
                )
            ]
            derivatives[0] += weight * (search.x - centre)
            derivatives[1] += weight
            found = search.step(*derivatives)
            zeros[open_rows] = search.x
            if found.all():
                break
            if found.any():
                left = ~found
                search.keep(left)
                open_rows, centre, weight = open_rows[left], centre[left], weight[left]
                factors = _rows_of(factors, left)
                newest = _rows_of(newest, left)
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


def _rows_of(
    columns: tuple[Floats, Floats, Floats], rows: Booleans
) -> tuple[Floats, Floats, Floats]:
    one, two, three = columns
    return one[rows], two[rows], three[rows]


def _by_length(length: Integers) -> Iterator[tuple[Integers, int]]:
    """The rows of each padded length, shortest first."""
    padded = -(-length // PADDED_TO) * PADDED_TO
    for each in np.unique(padded).tolist():
        yield np.flatnonzero(padded == each), each


def _portions(rows: Integers, terms: int) -> Iterator[Integers]:
    """Rows in portions whose terms fit into the processor's cache."""
    portion = max(1, _TERMS_AT_ONCE // terms)
    for start in range(0, len(rows), portion):
        yield rows[start : start + portion]
