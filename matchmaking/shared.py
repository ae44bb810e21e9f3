"""Wishes that all tickets of a match have to share: a game mode, and a region where there are
any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matchmaking.line import Section
    from matchmaking.regions import RegionRules
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Integers

    Wanted = frozenset[str]


@dataclass(frozen=True, eq=False)
class Shared:
    """The wishes of each of T tickets: ``codes`` (T,) are indices into ``sets``.

    Tickets that want nothing meet each other if ``nothing_is_shared``, otherwise nobody.
    """

    codes: Integers
    sets: tuple[Wanted, ...]
    nothing_is_shared: bool = False

    @classmethod
    def modes(cls, queue: Queue) -> Shared:
        """Return the game modes of a queue's tickets."""
        return cls(queue.mode_codes, queue.mode_sets, nothing_is_shared=True)

    @classmethod
    def regions(cls, queue: Queue, now: float, rules: RegionRules) -> Shared | None:
        """Return the regions that a queue's tickets accept now, ``None`` if none has any."""
        if queue.regions is None:
            return None
        return cls(queue.regions.at(queue.waits(now), rules), queue.regions.sets)

    def by_all(self, tickets: Iterable[int]) -> Wanted:
        """Return what all of these tickets want."""
        return frozenset.intersection(*(self.sets[self.codes[one]] for one in tickets))

    def fits(self, tickets: Sequence[int], others: Section) -> Booleans:
        """Return which of the others want something that all of these tickets want."""
        common = self.by_all(tickets)
        nothing = self.nothing_is_shared and not common
        fitting = [bool(wanted & common) or (nothing and not wanted) for wanted in self.sets]
        return np.asarray(np.array(fitting, dtype=np.bool_)[self.codes[others]])

    def groups(self) -> list[list[int]]:
        """Return the codes of tickets that share one thing, for each thing and for nothing.

        Groups that are part of another one are left out.
        """
        things: list[str | None] = [*sorted(frozenset().union(*self.sets))]
        groups: list[frozenset[int]] = []
        for thing in [None, *things] if self.nothing_is_shared else things:
            group = frozenset(
                code
                for code, wanted in enumerate(self.sets)
                if (thing in wanted if thing is not None else not wanted)
            )
            groups = [each for each in groups if not each <= group]
            if not any(group <= each for each in groups):
                groups.append(group)
        return [sorted(group) for group in groups]
