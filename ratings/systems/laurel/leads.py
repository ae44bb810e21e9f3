"""The lead between the two sides of a match: strengths, contexts and the first side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.history import NEITHER
from ratings.numerics import per_side

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.systems.laurel.memory import Memory
    from ratings.types import Batch, Floats, Integers

LUCK = 300.0
"""Rating points for each unit of luck. A lead of 400 then wins ten duels for each one lost, as with
Elo: Φ(400 / 300) is 0.909."""


class Prior(NamedTuple):
    """The participants ``(m, p)`` before a match, in rating points."""

    rating: Floats
    variance: Floats
    offset: Floats
    """Of the context."""
    offset_variance: Floats
    memory: Memory

    @property
    def strength(self) -> Floats:
        return self.rating + self.offset

    @property
    def strength_variance(self) -> Floats:
        return self.variance + self.offset_variance


def shared_contexts(contexts: Integers) -> Integers:
    """Return the contexts ``(m, p)`` of matches that have one, 0 where participants differ."""
    same = (contexts == contexts[:, :1]).all(axis=-1)
    return np.where(same[:, None], contexts, 0)


def shares(sizes: Sequence[int]) -> Floats:
    """Return ``(p,)`` each participant's share of a lead between two sides."""
    members = np.array(sizes, dtype=np.float64)
    return np.repeat(math.sqrt(members_together(sizes)) / members, sizes)


def members_together(sizes: Sequence[int]) -> float:
    """Return the harmonic mean of the sides' sizes."""
    return float(len(sizes) / (1.0 / np.array(sizes, dtype=np.float64)).sum())


def first_signs(batch: Batch) -> Floats:
    """Return ``(m,)`` 1 if the side listed first is first, -1 if the other is, else 0."""
    if batch.first is None or len(batch.sizes) != 2:
        return np.zeros(len(batch.times))
    return np.where(batch.first == NEITHER, 0.0, 1.0 - 2.0 * batch.first)


def difference(values: Floats, sizes: Sequence[int]) -> Floats:
    """Return ``(m,)`` by how much the first of two sides leads in members' ``values`` ``(m, p)``"""
    sides = per_side(values, sizes, "mean")
    return np.asarray(math.sqrt(members_together(sizes)) * (sides[:, 0] - sides[:, 1]))


def lead_variance(prior: Prior, sizes: Sequence[int]) -> Floats:
    """Return ``(m,)`` the variance of the difference of two sides' strengths."""
    sides = squares(prior.strength_variance, sizes)
    return np.asarray(members_together(sizes) * (sides[:, 0] + sides[:, 1]))


def squares(variance: Floats, sizes: Sequence[int]) -> Floats:
    """Return the variance ``(m, s)`` of the sides' means."""
    return per_side(variance, sizes, "mean") / np.array(sizes, dtype=np.float64)


def margins(batch: Batch) -> Floats:
    """Return ``(m,)`` the score's margin, above 0 if the first listed side won, NaN without one.

    A margin counts by its size, so that it does not matter whether few or many points win. One that
    contradicts the places says nothing.
    """
    size = np.abs(batch.scores[:, 0] - batch.scores[:, 1])
    sign = np.sign(batch.places[:, 1] - batch.places[:, 0])
    says = np.isfinite(size) & ((size > 0) == (sign != 0))
    return np.where(says, sign * size, np.nan)
