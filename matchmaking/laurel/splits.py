"""The ways to split a set of rosters into two teams.

Up to ``EXACT`` ways (6 against 6 single players have 462) are all returned. Parties stay together.
Beyond that, ``EXACT`` random ways are returned, always the same for the same sizes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matchmaking.types import Booleans

EXACT = 2_000
"""Maximum number of ways to split a set that are all tried."""


@lru_cache(maxsize=512)
def partitions(sizes: tuple[int, ...], team_size: int) -> Booleans:
    """Return ways (K, S) to split rosters of these sizes into two teams, marking team 1.

    The first roster is always in team 1. All ways are returned up to ``EXACT``, else that many
    random ones.
    """
    ways = _count_splits(sizes[1:], team_size - sizes[0])
    if not ways:
        return np.zeros((0, len(sizes)), dtype=np.bool_)
    return _all_splits(sizes, team_size) if ways <= EXACT else _random_splits(sizes, team_size)


def _count_splits(sizes: tuple[int, ...], seats: int) -> int:
    """Count the subsets of the rosters that exactly fill these seats."""
    if seats < 0:
        return 0
    ways = [1] + [0] * seats
    for size in sizes:
        for taken in range(seats, size - 1, -1):
            ways[taken] += ways[taken - size]
    return ways[seats]


def _all_splits(sizes: tuple[int, ...], team_size: int) -> Booleans:
    partial: list[tuple[tuple[bool, ...], int]] = [((True,), team_size - sizes[0])]
    rest = sum(sizes) - sizes[0]
    for size in sizes[1:]:
        rest -= size
        partial = [
            ((*way, joins), seats - size * joins)
            for way, seats in partial
            for joins in (True, False)
            if 0 <= seats - size * joins <= rest
        ]
    return np.array([way for way, _seats in partial], dtype=np.bool_)


def _random_splits(sizes: tuple[int, ...], team_size: int) -> Booleans:
    generator = np.random.default_rng(0)
    drawn: set[tuple[bool, ...]] = set()
    for _ in range(4 * EXACT):
        seats, way = team_size - sizes[0], [False] * len(sizes)
        way[0] = True
        for ticket in (generator.permutation(len(sizes) - 1) + 1).tolist():
            if sizes[ticket] <= seats:
                way[ticket], seats = True, seats - sizes[ticket]
        if not seats:
            drawn.add(tuple(way))
        if len(drawn) == EXACT:
            break
    return np.array(sorted(drawn), dtype=np.bool_).reshape(-1, len(sizes))
