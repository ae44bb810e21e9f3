"""Rosters in a queue that may meet, given their rank filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from matchmaking.rank_filter import EVERYBODY, RankFilterRules, RankFilters

if TYPE_CHECKING:
    from matchmaking.line import Section
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats


_ANYWHERE = np.finfo(np.float64).max
"""The percentile of a player without one: only a filter for everybody admits them."""


def reach(filters: RankFilters, waits: Floats, rules: RankFilterRules) -> Floats:
    """Return how many percentiles each player's filter reaches after their wait, (N,)."""
    steps = np.array(rules.steps, dtype=np.float64)
    if not rules.widen_after:
        widened = np.full(len(waits), np.inf)
    else:
        # The first step wider than the choice, then one more for each further ``widen_after``.
        taken = np.floor(waits / rules.widen_after)
        place = np.searchsorted(steps, filters.reach, side="right") + taken - 1
        last = np.clip(place, 0, max(len(steps) - 1, 0)).astype(np.int64)
        wider = steps[last] if len(steps) else filters.reach
        widened = np.where(taken > 0, np.maximum(wider, filters.reach), filters.reach)
    reached = np.where(filters.strict, filters.reach, widened)
    return np.where(reached >= EVERYBODY, np.inf, reached)


class RankRanges:
    """Tickets of a queue (T of them) that may meet at one time.

    ``low`` and ``high`` (T,) are the percentiles that a roster's filter spans; ``lowest`` and
    ``highest`` (T,) are the percentiles of its members.
    """

    def __init__(self, low: Floats, high: Floats, lowest: Floats, highest: Floats) -> None:
        self.low, self.high = low, high
        self.lowest, self.highest = lowest, highest

    @classmethod
    def of(cls, queue: Queue, now: float, rules: RankFilterRules) -> RankRanges | None:
        """Return the ranges of a queue, ``None`` if nobody in it has a filter."""
        filters = queue.filters
        if filters is None or not len(queue):
            return None
        reached = reach(filters, queue.waits(now)[queue.owners], rules)
        # A filter needs a percentile as its centre.
        reached = np.where(np.isnan(filters.percentile), np.inf, reached)
        at = np.where(np.isnan(filters.percentile), 0.0, filters.percentile)
        unknown = np.where(np.isnan(filters.percentile), _ANYWHERE, 0.0)
        starts = queue.starts[:-1]
        return cls(
            low=np.minimum.reduceat(at - reached, starts),
            high=np.maximum.reduceat(at + reached, starts),
            lowest=np.minimum.reduceat(at - unknown, starts),
            highest=np.maximum.reduceat(at + unknown, starts),
        )

    def may_meet(self, ticket: int, others: Section) -> Booleans:
        """Return which of the others may be in a match with a ticket."""
        low, high = self.low[ticket], self.high[ticket]
        lowest, highest = self.lowest[ticket], self.highest[ticket]
        theirs: Booleans = (self.low[others] <= lowest) & (highest <= self.high[others])
        mine: Booleans = (low <= self.lowest[others]) & (self.highest[others] <= high)
        return theirs & mine
