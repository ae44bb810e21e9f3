"""Rank filters: how far from a player, in percentiles of the standings, others in a match may be.

Source: “Ranking in Team-Based Competitive Games”, Matchmaking, Rank filter. A strict filter never
changes; a loose one widens in steps while no match is found. A party's filter spans from the lowest
to the highest percentile that any member's filter reaches. Two rosters may meet if every member of
each is within the other's filter, and all rosters in a match must be able to meet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matchmaking.types import Booleans, Floats, Integers


SOURCE = "Ranking in Team-Based Competitive Games: Matchmaking"


EVERYBODY = 100.0
"""Percentiles from which a filter admits everybody."""


Percentiles = Annotated[float, Field(gt=0, le=EVERYBODY)]


class RankFilterRules(Parameters):
    """The widening of loose filters."""

    widen_after: DurationWithUnit = parameter(
        60.0,
        label="Time per step",
        description="How long a loose filter keeps its width while no match is found; 0 to ignore "
        "loose filters.",
        unit="seconds",
        minimum=0.0,
        maximum=1e9,
        source=SOURCE,
    )
    steps: tuple[Percentiles, ...] = (2.0, 5.0, 10.0, 20.0, 50.0, EVERYBODY)
    """Percentiles that a loose filter widens to, in rising order."""

    def clashes(self) -> dict[str, Sentence]:
        """Refuse steps that do not rise."""
        if list(self.steps) != sorted(set(self.steps)):
            return {"steps": Sentence("must rise")}
        return {}


@dataclass(frozen=True)
class RankFilter:
    """A player's filter: within this many ``percentiles`` of them, ``strict`` or loose."""

    percentiles: float
    strict: bool = False


@dataclass(frozen=True, eq=False)
class RankFilters:
    """The filters of N players, (N,) each.

    ``percentile`` is the player's place in the standings (NaN without one), ``reach`` the chosen
    percentiles (infinite without a filter).
    """

    percentile: Floats
    reach: Floats
    strict: Booleans

    @classmethod
    def of(
        cls, percentiles: Sequence[float | None], filters: Sequence[RankFilter | None]
    ) -> RankFilters | None:
        """Return the filters of players in order, ``None`` if nobody has one."""
        return cls.from_lists(percentiles, filters) if any(filters) else None

    @classmethod
    def from_lists(
        cls, percentiles: Sequence[float | None], filters: Sequence[RankFilter | None]
    ) -> RankFilters:
        """Return the filters and percentiles of players in order, even if nobody has a filter."""
        return cls(
            percentile=np.array([np.nan if at is None else at for at in percentiles], np.float64),
            reach=np.array(
                [np.inf if it is None else it.percentiles for it in filters], np.float64
            ),
            strict=np.array([it is not None and it.strict for it in filters], np.bool_),
        )

    def take(self, players: Integers) -> RankFilters:
        """Return the filters of these players."""
        return RankFilters(self.percentile[players], self.reach[players], self.strict[players])
