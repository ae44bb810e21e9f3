"""What happens on a ladder between matches, and within one: events that move ranks.

Source: as ``ratings.systems.ladder.system``. Ranks are ``(n,)``, of all players of a ladder: each
of the numbers 1 to ``n`` once, and so are the new ranks that come back. Players are rows of that
array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ratings.types import Floats


def may_challenge(rank: float, other: float, challenge_range: int = 0) -> bool:
    """Whether a player of ``rank`` may challenge one of the ``other``: above them and in range.

    The range counts ranks; 0 is no limit.
    """
    ahead = rank - other
    return ahead > 0 and (challenge_range == 0 or ahead <= challenge_range)


def exchange(ranks: Floats, winner: int, loser: int, challenge_range: int = 0) -> Floats:
    """After ``winner`` beat ``loser``: they exchange ranks if the loser was one to challenge."""
    after = ranks.copy()
    if may_challenge(ranks[winner], ranks[loser], challenge_range):
        after[winner], after[loser] = ranks[loser], ranks[winner]
    return after


def exchange_each(
    ranks: Floats, events: Iterable[tuple[int, int]], challenge_range: int = 0
) -> Floats:
    """After each event ``(winner, loser)`` in turn, such as the frags of a free-for-all."""
    for winner, loser in events:
        ranks = exchange(ranks, winner, loser, challenge_range)
    return ranks


def ignore_challenge(ranks: Floats, player: int, cost: int) -> Floats:
    """After ``player`` ignored a challenge: ``cost`` ranks down, at most to the bottom.

    Each player passed moves up by one. Raises ``ValueError`` for a negative cost.
    """
    if cost < 0:
        raise ValueError(f"an ignored challenge costs 0 ranks or more, not {cost}")
    own = ranks[player]
    lowest = min(own + cost, float(len(ranks)))
    passed = (ranks > own) & (ranks <= lowest)
    after = np.where(passed, ranks - 1, ranks)
    after[player] = lowest
    return after
