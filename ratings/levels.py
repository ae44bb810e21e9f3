"""Matches of a history that can be rated together.

A match has the level above its players' last matches, so the matches of a level share no player.
Those with the same sizes of sides have the same shape.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.types import Integers

MANY = 50
"""Players per match from which arrays are faster than lists."""


def levels(history: History) -> Integers:
    """Return ``(M,)`` levels: one above the highest earlier level of the match's players."""
    level_of = [0] * len(history.players)
    result = []
    if len(history.player) == 2 * len(history):
        player = history.player.tolist()
        for first, second in zip(player[::2], player[1::2], strict=True):
            one, other = level_of[first], level_of[second]
            level = one if one > other else other
            result.append(level)
            level_of[first] = level_of[second] = level + 1
        return np.array(result, dtype=np.int64)
    if len(history.player) > MANY * len(history):
        return _levels_of_large_matches(history)
    level_at = level_of.__getitem__
    for codes in _players_of_matches(history):
        level = max(map(level_at, codes))
        result.append(level)
        level += 1
        for code in codes:
            level_of[code] = level
    return np.array(result, dtype=np.int64)


def _levels_of_large_matches(history: History) -> Integers:
    """Compute ``levels`` with arrays, which is faster for matches with many players."""
    level_of = np.zeros(len(history.players), dtype=np.int64)
    result = np.empty(len(history), dtype=np.int64)
    for match, (start, stop) in enumerate(itertools.pairwise(history.match_offsets.tolist())):
        players = history.player[start:stop]
        result[match] = level = level_of[players].max()
        level_of[players] = level + 1
    return result


def _players_of_matches(history: History) -> list[list[int]]:
    bounds = history.match_offsets
    counts = np.diff(bounds)
    if len(counts) and counts.min() == counts.max():
        matches: list[list[int]] = history.player.reshape(len(counts), -1).tolist()
        return matches
    player = history.player.tolist()
    return [player[start:stop] for start, stop in itertools.pairwise(bounds.tolist())]


def shape_codes(history: History) -> tuple[Integers, list[tuple[int, ...]]]:
    """Return ``(M,)`` shape codes, and the side sizes for each code."""
    counts = np.diff(history.side_offsets)
    sizes = history.sizes
    if len(counts) and counts.min() == counts.max():
        rows = sizes.reshape(len(counts), -1)
        if (rows == rows[0]).all():
            return np.zeros(len(history), dtype=np.int64), [tuple(rows[0].tolist())]
    codes = np.zeros(len(history), dtype=np.int64)
    shapes: list[tuple[int, ...]] = []
    for count in np.unique(counts).tolist():
        matches = np.flatnonzero(counts == count)
        rows = sizes[history.side_offsets[matches][:, None] + np.arange(count)]
        if (rows == rows[0]).all():
            found, which = rows[:1], np.zeros(len(rows), dtype=np.int64)
        else:
            found, which = np.unique(rows, axis=0, return_inverse=True)
        codes[matches] = which.reshape(-1) + len(shapes)
        shapes += [tuple(row) for row in found.tolist()]
    return codes, shapes
