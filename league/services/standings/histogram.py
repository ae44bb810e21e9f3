"""Bucket counts over (key, player id), which give the rank and page of any place in the order."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

FULL = 128
"""The most players in a bucket."""
FRESH = 64
"""The players in each new bucket."""


@dataclass(frozen=True)
class Histogram:
    """``b`` buckets of an order by (key, player id), each with its own lower bound.

    The first bucket starts before everybody. Bounds include player ids, so that even players with
    the same key fall into several buckets.
    """

    low_keys: Floats
    """``(b,)``, ascending; the first is minus infinity."""
    low_players: Integers
    """``(b,)``, ascending where keys are equal."""
    counts: Integers
    """``(b,)`` players."""

    @classmethod
    def empty(cls) -> Histogram:
        return cls(np.array([-math.inf]), np.zeros(1, np.int64), np.zeros(1, np.int64))

    @classmethod
    def of(cls, keys: Floats, players: Integers) -> Histogram:
        """Return the histogram of sorted keys and players ``(n,)``."""
        if not len(keys):
            return cls.empty()
        starts = np.arange(0, len(keys), FRESH)
        low_keys, low_players = keys[starts].copy(), players[starts].copy()
        low_keys[0], low_players[0] = -math.inf, 0
        return cls(low_keys, low_players, np.diff(starts, append=len(keys)))

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
        """``(b,)`` players before each bucket."""
        return np.cumsum(self.counts) - self.counts

    def low(self, bucket: int) -> tuple[float, int]:
        """Return the lower bound of a bucket."""
        return float(self.low_keys[bucket]), int(self.low_players[bucket])

    def buckets_of(self, keys: Floats, players: Integers) -> Integers:
        """Return the bucket of each key and player ``(n,)``."""
        first = np.searchsorted(self.low_keys, keys, side="left")
        stop = np.searchsorted(self.low_keys, keys, side="right")
        found = first - 1
        for key in np.unique(keys[stop > first]):  # keys at which some bucket starts
            rows = np.flatnonzero(keys == key)
            start, end = first[rows[0]], stop[rows[0]]
            among = np.searchsorted(self.low_players[start:end], players[rows], side="right")
            found[rows] = start + among - 1
        return found

    def bucket_of(self, key: float, player: int) -> int:
        """Return the bucket of a key and player."""
        first = int(self.low_keys.searchsorted(key, side="left"))
        stop = int(self.low_keys.searchsorted(key, side="right"))
        if first == stop:  # no bucket starts at this key
            return first - 1
        return first - 1 + int(self.low_players[first:stop].searchsorted(player, side="right"))

    def first_bucket(self, key: float) -> int:
        """Return the first bucket that may hold a key."""
        return max(int(np.searchsorted(self.low_keys, key, side="left")) - 1, 0)

    def last_bucket(self, key: float) -> int:
        """Return the last bucket that may hold a key."""
        return int(np.searchsorted(self.low_keys, key, side="right")) - 1

    def bucket_at(self, position: int) -> int:
        """Return the bucket of a position, counted from 0."""
        return int(np.searchsorted(self.ahead + self.counts, position, side="right"))

    def move(self, left: Integers, entered: Integers) -> Histogram:
        """Return the histogram after one player left each of the buckets ``left`` and one entered
        each of ``entered``."""
        size = len(self)
        change = np.bincount(entered, minlength=size) - np.bincount(left, minlength=size)
        return Histogram(self.low_keys, self.low_players, self.counts + change)

    def without_empty(self) -> Histogram:
        """Return the histogram with empty buckets merged into those before them."""
        kept = self.counts > 0
        kept[0] = True
        if kept.all():
            return self
        return Histogram(self.low_keys[kept], self.low_players[kept], self.counts[kept])

    def overfull(self) -> list[int]:
        """Return the buckets that are too large."""
        found: list[int] = np.flatnonzero(self.counts > FULL).tolist()
        return found

    def split(self, bucket: int, keys: Floats, players: Integers) -> Histogram:
        """Return the histogram with a bucket split; these are the sorted players in it."""
        pieces = Histogram.of(keys, players)
        pieces.low_keys[0], pieces.low_players[0] = self.low(bucket)
        parts = (
            (self.low_keys, pieces.low_keys),
            (self.low_players, pieces.low_players),
            (self.counts, pieces.counts),
        )
        return Histogram(
            *(np.concatenate([old[:bucket], new, old[bucket + 1 :]]) for old, new in parts)
        )
