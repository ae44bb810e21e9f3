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

from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matchmaking.types import Booleans, Floats, Integers


SOURCE = "Ranking in Team-Based Competitive Games: Matchmaking"


EVERYBODY = 100.0
"""Percentiles from which a filter lets everybody in."""


Percentiles = Annotated[float, Field(gt=0, le=EVERYBODY)]


class RankFilterRules(Parameters):
    """How loose filters widen."""

    widen_after: DurationWithUnit = parameter(
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
