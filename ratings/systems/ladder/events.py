"""Ladder events that move ranks, within a match or between matches.

Source: as ``ratings.systems.ladder.system``. Ranks ``(n,)`` of all players of a ladder hold each of
the numbers 1 to ``n`` once, and so do the new ranks that are returned. Players are indices into
that array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ratings.types import Floats


def may_challenge(rank: float, other: float, challenge_range: int = 0) -> bool:
    """Return whether a player at ``rank`` may challenge one at ``other``: above and in range.

    The range counts ranks, with 0 for no limit.
    """
    ahead = rank - other
    return ahead > 0 and (challenge_range == 0 or ahead <= challenge_range)


def exchange(ranks: Floats, winner: int, loser: int, challenge_range: int = 0) -> Floats:
    """Return the ranks after ``winner`` beat ``loser``, exchanged if a challenge was allowed."""
    after = ranks.copy()
    if may_challenge(ranks[winner], ranks[loser], challenge_range):
        after[winner], after[loser] = ranks[loser], ranks[winner]
    return after


def exchange_in_turn(
    ranks: Floats, events: Iterable[tuple[int, int]], challenge_range: int = 0
) -> Floats:
    """Return the ranks after each event ``(winner, loser)``, such as frags of a free-for-all."""
    held = ranks.tolist()
    for winner, loser in events:
        if may_challenge(held[winner], held[loser], challenge_range):
            held[winner], held[loser] = held[loser], held[winner]
    return np.array(held, dtype=np.float64)


def ignore_challenge(ranks: Floats, player: int, cost: int) -> Floats:
    """Return the ranks after ``player`` ignored a challenge and dropped ``cost`` ranks.

    Each passed player moves up by one. Raises ``ValueError`` for a negative cost.
    """
    if cost < 0:
        raise ValueError(f"ignoring a challenge must cost 0 ranks or more; you gave {cost}")
    own = ranks[player]
    lowest = min(own + cost, float(len(ranks)))
    passed = (ranks > own) & (ranks <= lowest)
    after = np.where(passed, ranks - 1, ranks)
    after[player] = lowest
    return after
