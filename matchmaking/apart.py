"""Tickets of a queue that blocks keep out of each other's matches at one time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matchmaking.blocks import BlockRules
    from matchmaking.line import Section
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers


class Apart:
    """The pairs of a queue's tickets that may not share a match at one time."""

    def __init__(self, tickets: int, pairs: Integers) -> None:
        self._tickets, self._everybody = tickets, np.arange(tickets)
        low, high = np.sort(pairs, axis=1).T
        self._codes = np.unique(low * tickets + high)
        self._involved = np.zeros(tickets, dtype=np.bool_)
        self._involved[pairs.ravel()] = True

    @classmethod
    def of(cls, queue: Queue, now: float, rules: BlockRules) -> Apart | None:
        """Return the pairs whose blocks hold now, ``None`` if there are none."""
        waits: Floats = queue.waits(now)
        pairs = queue.blocked[(waits[queue.blocked] < rules.hold).all(axis=1)]
        return cls(len(queue), pairs) if len(pairs) else None

    def may_meet(self, ticket: int, others: Section) -> Booleans:
        """Return which of the others may be in a match with a ticket."""
        numbers = self._everybody[others]
        if not self._involved[ticket]:
            return np.ones(len(numbers), dtype=np.bool_)
        return ~self._are_pairs(np.full(len(numbers), ticket), numbers)

    def among(self, tickets: Integers, chosen: Booleans) -> Booleans:
        """Return which sets (C, S) have two ``chosen`` tickets that are apart, (C,)."""
        found = np.zeros(len(tickets), dtype=np.bool_)
        involved = self._involved[tickets] & chosen
        sets = np.flatnonzero(involved.sum(axis=1) > 1)
        if len(sets):
            one, other = tickets[sets, :, np.newaxis], tickets[sets, np.newaxis]
            both = involved[sets, :, np.newaxis] & involved[sets, np.newaxis]
            found[sets] = (self._are_pairs(one, other) & both).any(axis=(1, 2))
        return found

    def from_last(self, tickets: Integers, chosen: Booleans) -> Booleans:
        """Return in which sets (C, S) the last ticket is apart from an earlier chosen one, (C,)."""
        found = np.zeros(len(tickets), dtype=np.bool_)
        sets = np.flatnonzero(self._involved[tickets[:, -1]])
        if len(sets):
            pairs = self._are_pairs(tickets[sets, :-1], tickets[sets, -1:])
            found[sets] = (pairs & chosen[sets, :-1]).any(axis=1)
        return found

    def _are_pairs(self, one: Integers, other: Integers) -> Booleans:
        codes = np.minimum(one, other) * self._tickets + np.maximum(one, other)
        places = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.asarray(self._codes[places] == codes)
