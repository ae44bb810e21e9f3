"""Rank filters: players choose how far, in percentiles of the standings, their company may be.

Source: “Ranking in Team-Based Competitive Games”, Matchmaking, Rank filter. A strict filter keeps
to what was chosen; a loose one widens in steps while no match is found. A party's filter reaches
from its lowest-reaching member's to its highest-reaching member's. Two rosters may meet if every
member of each lies within the other's filter, and a match holds only rosters that may all meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from matchmaking.declarations import Declared, Duration, rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matchmaking.line import Section
    from matchmaking.ticket import Booleans, Floats, Integers, Queue

SOURCE = "Ranking in Team-Based Competitive Games: Matchmaking"
EVERYBODY = 100.0
"""Percentiles from which a filter lets everybody in."""

_ANYWHERE = np.finfo(np.float64).max
"""Stands for the percentile of a player without one: only a filter for everybody lets her in."""

Percentiles = Annotated[float, Field(gt=0, le=EVERYBODY)]


class RankFilterRules(Declared):
    """How loose filters widen."""

    widen_after: Duration = rule(
        60.0,
        label="Time of a step",
        description="How long a loose filter stays as wide as it is while no match is found; 0 to "
        "ignore loose filters.",
        unit="seconds",
        minimum=0.0,
        maximum=1e9,
        source=SOURCE,
    )
    steps: tuple[Percentiles, ...] = (2.0, 5.0, 10.0, 20.0, 50.0, EVERYBODY)
    """Percentiles that a loose filter widens to, one after the other, in rising order."""

    def clashes(self) -> dict[str, str]:
        """Steps that do not rise."""
        if list(self.steps) != sorted(set(self.steps)):
            return {"steps": "must rise"}
        return {}


@dataclass(frozen=True)
class RankFilter:
    """A player's filter: those within this many ``percentiles`` of her, ``strict`` or loosely."""

    percentiles: float
    strict: bool = False


@dataclass(frozen=True, eq=False)
class RankFilters:
    """What N players have chosen, (N,) each.

    ``percentile``: where each stands, not a number without a standing; ``reach``: percentiles
    chosen, infinite without a filter; ``strict``.
    """

    percentile: Floats
    reach: Floats
    strict: Booleans

    @classmethod
    def of(
        cls, percentiles: Sequence[float | None], filters: Sequence[RankFilter | None]
    ) -> RankFilters | None:
        """The filters of players in order; ``None`` if nobody has one."""
        if not any(filters):
            return None
        return cls(
            percentile=np.array([np.nan if at is None else at for at in percentiles], np.float64),
            reach=np.array([np.inf if it is None else it.percentiles for it in filters]),
            strict=np.array([it is not None and it.strict for it in filters]),
        )

    def take(self, players: Integers) -> RankFilters:
        """The filters of these players."""
        return RankFilters(self.percentile[players], self.reach[players], self.strict[players])


def reach(filters: RankFilters, waits: Floats, rules: RankFilterRules) -> Floats:
    """How many percentiles each player's filter reaches once she has waited, (N,)."""
    steps = np.array(rules.steps, dtype=np.float64)
    if not rules.widen_after:
        widened = np.full(len(waits), np.inf)
    else:
        # The first step that is wider than what was chosen, then one further for each time of wait.
        taken = np.floor(waits / rules.widen_after)
        place = np.searchsorted(steps, filters.reach, side="right") + taken - 1
        last = np.clip(place, 0, max(len(steps) - 1, 0)).astype(np.int64)
        wider = steps[last] if len(steps) else filters.reach
        widened = np.where(taken > 0, np.maximum(wider, filters.reach), filters.reach)
    reached = np.where(filters.strict, filters.reach, widened)
    return np.where(reached >= EVERYBODY, np.inf, reached)


class RankRanges:
    """Who may meet whom in a queue of T tickets at one time.

    ``low`` and ``high`` (T,): the percentiles that a roster's filter reaches; ``lowest`` and
    ``highest`` (T,): where its members stand.
    """

    def __init__(self, low: Floats, high: Floats, lowest: Floats, highest: Floats) -> None:
        self.low, self.high = low, high
        self.lowest, self.highest = lowest, highest

    @classmethod
    def of(cls, queue: Queue, now: float, rules: RankFilterRules) -> RankRanges | None:
        """The ranges of a queue; ``None`` if nobody in it has a filter."""
        filters = queue.filters
        if filters is None or not len(queue):
            return None
        reached = reach(filters, queue.waits(now)[queue.owners], rules)
        # Without a standing there is nothing that a filter could be around.
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
        """Which of the others a ticket may be in a match with."""
        low, high = self.low[ticket], self.high[ticket]
        lowest, highest = self.lowest[ticket], self.highest[ticket]
        theirs: Booleans = (self.low[others] <= lowest) & (highest <= self.high[others])
        mine: Booleans = (low <= self.lowest[others]) & (self.highest[others] <= high)
        return theirs & mine
