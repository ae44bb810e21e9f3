"""Performances in a contest by its nearest opponents only.

Source: the Elo-MMR paper, section 5.3, "Adaptive subsampling". A side meets the opponents whose
expected performances are closest to its own, and all who are as close as the last of them. So
nothing depends on the order of sides, and newcomers with one rating all meet each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ratings.tunables.parameters import parameter

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

_TERMS_AT_ONCE = 1 << 15
CROWD = 128
"""More sides than this with one mean are solved in one contest, which is the same for all."""
ROUNDING = 1e-9
"""Distances that differ by this share, or number of points, are the same: sums are rounded."""


class Performances(Protocol):
    """Performances ``(m, s)`` of contests, such as ``logistic_performances``."""

    def __call__(
        self, mean: Floats, deviation: Floats, places: Integers, *, split_ties: bool = False
    ) -> Floats: ...


class Zeros(Protocol):
    """Performances ``(n,)`` of one side each. In rows of ``order`` the beaten are positive."""

    def __call__(
        self, mean: Floats, deviation: Floats, order: Integers, split_ties: bool
    ) -> Floats: ...


def most_opponents() -> Any:
    """Declare how many opponents count for each side."""
    return parameter(
        0,
        label="Most opponents",
        description="How many opponents a side’s place is compared with in larger contests: those "
        "with the nearest ratings, and all who are as near as the last of them. 0 is all. With a "
        "limit, losing on purpose can pay, as ratings decide who is compared with whom. It hardly "
        "saves time.",
        unit="sides",
        minimum=0,
        maximum=100,
        source="Elo-MMR paper, section 5.3",
        expert=True,
    )


@dataclass(frozen=True)
class Nearest:
    """A model of performances in which each side meets its ``most`` nearest opponents."""

    performances: Performances
    zeros: Zeros
    most: int
    split_ties: bool

    def solve(self, mean: Floats, deviation: Floats, places: Integers) -> Floats:
        """Return the ``(m, s)`` performances of ``m`` contests. All arguments are ``(m, s)``."""
        if not 0 < self.most < mean.shape[-1] - 1:
            return self.performances(mean, deviation, places, split_ties=self.split_ties)
        return np.stack([self._one(*row) for row in zip(mean, deviation, places, strict=True)])

    def _one(self, mean: Floats, deviation: Floats, places: Integers) -> Floats:
        by_mean = np.argsort(mean, kind="stable")
        value = mean[by_mean]
        reach = farthest(value, self.most) * (1.0 + ROUNDING) + ROUNDING
        low = np.searchsorted(value, value - reach)
        counts = np.searchsorted(value, value + reach, "right") - low
        _values, first, sizes = np.unique(value, return_index=True, return_counts=True)
        performance = np.empty_like(mean)
        for start, size in zip(first[sizes > CROWD], sizes[sizes > CROWD], strict=True):
            who = by_mean[low[start] : low[start] + counts[start]]
            contest = mean[None, who], deviation[None, who], places[None, who]
            solved = self.performances(*contest, split_ties=self.split_ties)[0]
            crowd = slice(start - low[start], start - low[start] + size)
            performance[who[crowd]] = solved[crowd]
        others = np.flatnonzero(np.repeat(sizes <= CROWD, sizes))
        for count in np.unique(counts[others]):
            equal = others[counts[others] == count]
            for begin in range(0, len(equal), block := max(1, _TERMS_AT_ONCE // int(count))):
                rows = equal[begin : begin + block]
                own, who = by_mean[rows], by_mean[low[rows, None] + np.arange(count)]
                order = places[who] - places[own, None]
                performance[own] = self.zeros(mean[who], deviation[who], order, self.split_ties)
        return performance


def farthest(value: Floats, most: int) -> Floats:
    """Return how far the last of the ``most`` nearest is from each of ``(s,)`` rising values.

    The nearest and the value itself are neighbours, so they are one of the windows around it.
    """
    reach = np.full(len(value), np.inf)
    for below in range(most + 1):
        at = np.arange(below, len(value) - most + below)
        first, last = value[at - below], value[at - below + most]
        reach[at] = np.minimum(reach[at], np.maximum(value[at] - first, last - value[at]))
    return reach
