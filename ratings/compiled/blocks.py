"""Parts that compiled loops share: the table of players, and blocks of matches.

The matches of a block follow one another and share no player, so they can be rated side by side.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.compiled.numpy_loops import inline

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.types import Integers, States

COLUMNS = [
    ("rating", np.float64),
    ("deviation", np.float64),
    ("volatility", np.float64),
    ("games", np.int64),
    ("last_played", np.int64),
]
"""A player's numbers side by side, as each match needs all of them."""

BLOCK = 64
"""The most matches in a block: its columns fit into the L1 cache."""


def players_of(table: States) -> NDArray[np.void]:
    """Return the players ``(n,)`` of a table without memory, as rows of ``COLUMNS``."""
    players = np.empty(len(table), COLUMNS)
    for name, _type in COLUMNS:
        players[name] = getattr(table, name)
    return players


def put_back(players: NDArray[np.void], table: States) -> None:
    """Overwrite the table with these players."""
    for name, _type in COLUMNS:
        getattr(table, name)[:] = players[name]


@inline
def end_of_block(players: Integers, seen: Integers, start: int) -> int:
    """Return the end of the block of matches from ``start`` that share no player.

    ``players`` are ``(m, p)``. ``seen`` ``(n,)``, zeros at first, says which block saw each player.
    """
    end = min(start + BLOCK, len(players))
    for match in range(start, end):
        for player in players[match]:
            if seen[player] > start:
                if match == start:
                    raise ValueError("a player appears twice in a match")
                return match
            seen[player] = start + 1
    return end
