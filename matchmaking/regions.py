"""Regions: where the players of a match play, and how their choices widen.

Source: “Ranking in Team-Based Competitive Games”, Matchmaking: the rank filter works in parallel
with filters for region and ping. The page gives no rules for them, so these are ours. All tickets
of a match share a region. A ticket first accepts the regions of its players' choice; once it has
waited long enough, also those that its players accept later. A strict choice adds none later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.random import Generator

    from matchmaking.types import Floats, Integers

SOURCE = "Ranking in Team-Based Competitive Games: Matchmaking"


class RegionRules(Parameters):
    """The time for which choices of regions hold, and the regions that are too far away."""

    widen_after: DurationWithUnit = parameter(
        120.0,
        label="Choices hold for",
        description="How long players are matched only in the regions they chose. After that they "
        "can be matched anywhere. 0: their choice always holds. Strict choices always hold.",
        unit="seconds",
        minimum=0.0,
        maximum=1e9,
        source=SOURCE,
    )
    most_latency: float = parameter(
        0.0,
        label="Highest latency",
        description="Players are never matched in a region where their latency is higher; 0 for no "
        "limit.",
        unit="milliseconds",
        minimum=0.0,
        maximum=10_000.0,
        source=SOURCE,
    )


@dataclass(frozen=True)
class RegionChoice:
    """The regions that a ticket accepts at once, and those after it has waited."""

    now: frozenset[str]
    later: frozenset[str]


@dataclass(frozen=True, eq=False)
class Regions:
    """The choices of T tickets: ``now`` and ``later`` (T,) are indices into ``sets``."""

    now: Integers
    later: Integers
    sets: tuple[frozenset[str], ...]

    @classmethod
    def of(cls, choices: Sequence[RegionChoice | None]) -> Regions | None:
        """Return the choices of tickets in order, ``None`` if none has one.

        A ticket without a choice accepts every region of the others.
        """
        chosen = [choice for choice in choices if choice is not None]
        if not chosen:
            return None
        anywhere = frozenset().union(*(choice.now | choice.later for choice in chosen))
        given = [choice or RegionChoice(anywhere, anywhere) for choice in choices]
        sets: dict[frozenset[str], int] = {}
        now, later = (
            np.array([sets.setdefault(each, len(sets)) for each in column], dtype=np.int64)
            for column in ([one.now for one in given], [one.later for one in given])
        )
        return cls(now, later, tuple(sets))

    def take(self, tickets: Integers) -> Regions:
        """Return the choices of these tickets."""
        return Regions(self.now[tickets], self.later[tickets], self.sets)

    def at(self, waits: Floats, rules: RegionRules) -> Integers:
        """Return what each ticket accepts after its wait, (T,), as indices into ``sets``."""
        if not rules.widen_after:
            return self.now
        return np.where(waits >= rules.widen_after, self.later, self.now)


def best(
    possible: Iterable[str],
    chosen: Sequence[frozenset[str]],
    latencies: Sequence[Mapping[str, float]],
    generator: Generator,
) -> str:
    """Return the region of a match, one of those that all of its tickets accept.

    It is the one that most players chose; of several, the one with the lowest of the players'
    highest latencies, as far as they are measured; of several, chance draws one.
    """
    regions = sorted(possible)

    def worth(region: str) -> tuple[int, float]:
        votes = sum(region in one for one in chosen)
        return -votes, max((one[region] for one in latencies if region in one), default=np.inf)

    least = min(map(worth, regions))
    equal = [region for region in regions if worth(region) == least]
    return equal[int(generator.integers(len(equal)))] if len(equal) > 1 else equal[0]
