"""How many stand in each stretch of an order, and so who stands at any place of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

FULL = 128
"""The most that a stretch holds."""
FRESH = 64
"""What each stretch is given when it is made."""


@dataclass(frozen=True)
class Histogram:
    """``b`` stretches of an order by (key, player), each beginning at a place of its own.

    The first begins before everybody. Even those who share one key are parted, by their ids.
    """

    low_keys: Floats
    """``(b,)``, ascending; the first is minus infinity."""
    low_players: Integers
    """``(b,)``, ascending where keys are equal."""
    counts: Integers
    """``(b,)``."""

    @classmethod
    def empty(cls) -> Histogram:
        return cls(np.array([-math.inf]), np.zeros(1, np.int64), np.zeros(1, np.int64))

    @classmethod
    def of(cls, keys: Floats, players: Integers) -> Histogram:
        """The histogram of those who stand at these places ``(n,)``, which are in order."""
        if not len(keys):
            return cls.empty()
        begins = np.arange(0, len(keys), FRESH)
        low_keys, low_players = keys[begins].copy(), players[begins].copy()
        low_keys[0], low_players[0] = -math.inf, 0
        return cls(low_keys, low_players, np.diff(begins, append=len(keys)))

    @classmethod
    def from_bytes(cls, low_keys: bytes, low_players: bytes, counts: bytes) -> Histogram:
        return cls(
            np.frombuffer(low_keys, np.float64),
            np.frombuffer(low_players, np.int64),
            np.frombuffer(counts, np.int32).astype(np.int64),
        )

    def bounds_bytes(self) -> tuple[bytes, bytes]:
        return self.low_keys.tobytes(), self.low_players.tobytes()

    def counts_bytes(self) -> bytes:
        return self.counts.astype(np.int32).tobytes()

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def total(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def ahead(self) -> Integers:
        """``(b,)`` how many stand before each stretch."""
        return np.cumsum(self.counts) - self.counts

    def low(self, stretch: int) -> tuple[float, int]:
        """Where a stretch begins."""
        return float(self.low_keys[stretch]), int(self.low_players[stretch])

    def stretches_of(self, keys: Floats, players: Integers) -> Integers:
        """``(n,)`` the stretch that each place lies in."""
        first = np.searchsorted(self.low_keys, keys, side="left")
        stop = np.searchsorted(self.low_keys, keys, side="right")
        found = first - 1
        for key in np.unique(keys[stop > first]):  # some stretch begins amid those of this key
            who = np.flatnonzero(keys == key)
            start, end = first[who[0]], stop[who[0]]
            among = np.searchsorted(self.low_players[start:end], players[who], side="right")
            found[who] = start + among - 1
        return found

    def stretch_of(self, key: float, player: int) -> int:
        """The stretch that a place lies in."""
        first = int(self.low_keys.searchsorted(key, side="left"))
        stop = int(self.low_keys.searchsorted(key, side="right"))
        if first == stop:  # none begins amid those of this key
            return first - 1
        return first - 1 + int(self.low_players[first:stop].searchsorted(player, side="right"))

    def begins_in(self, key: float) -> int:
        """The stretch in which those with this key begin."""
        return max(int(np.searchsorted(self.low_keys, key, side="left")) - 1, 0)

    def ends_in(self, key: float) -> int:
        """The stretch in which those with this key end."""
        return int(np.searchsorted(self.low_keys, key, side="right")) - 1

    def stretch_at(self, position: int) -> int:
        """The stretch of who stands at a position, from 0."""
        return int(np.searchsorted(self.ahead + self.counts, position, side="right"))

    def moved(self, left: Integers, entered: Integers) -> Histogram:
        """After somebody left each of the stretches ``left`` and entered each of ``entered``."""
        size = len(self)
        change = np.bincount(entered, minlength=size) - np.bincount(left, minlength=size)
        return Histogram(self.low_keys, self.low_players, self.counts + change)

    def without_empty(self) -> Histogram:
        """Stretches that hold nobody joined to those before them."""
        kept = self.counts > 0
        kept[0] = True
        if kept.all():
            return self
        return Histogram(self.low_keys[kept], self.low_players[kept], self.counts[kept])

    def overfull(self) -> list[int]:
        """The stretches that hold more than they should."""
        found: list[int] = np.flatnonzero(self.counts > FULL).tolist()
        return found

    def cut(self, stretch: int, keys: Floats, players: Integers) -> Histogram:
        """With a stretch cut into several; these are the places of all who stand in it."""
        pieces = Histogram.of(keys, players)
        pieces.low_keys[0], pieces.low_players[0] = self.low(stretch)
        parts = (
            (self.low_keys, pieces.low_keys),
            (self.low_players, pieces.low_players),
            (self.counts, pieces.counts),
        )
        return Histogram(
            *(np.concatenate([old[:stretch], new, old[stretch + 1 :]]) for old, new in parts)
        )
