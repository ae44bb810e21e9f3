"""How many of a player's matches were against ranked players other than the one they met most.

Points won from one person, or from accounts that are not ranked, say little until as many matches
against others have confirmed them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Booleans, Integers


def supported(games: Integers, connected: Booleans) -> tuple[Integers, Integers]:
    """Return ``(n,)`` each player's matches, and those against connected players.

    The connected opponent they met most is left out, if only the two played each other. A match of
    more players counts if at least half of the opponents are connected. ``games`` are the
    ``(3, m)`` matches, sides and players of games: indices of the ``n`` players, or -1 for others.
    """
    players = len(connected)
    match, side, player = games
    _matches, match = np.unique(match, return_inverse=True)
    _sides, side = np.unique(side, return_inverse=True)
    known = np.append(connected, np.zeros(1, bool))[player]  # -1 is the last
    opponents = np.bincount(match)[match] - np.bincount(side)[side]
    of_match = np.bincount(match, known).astype(np.int64)[match]
    of_side = np.bincount(side, known).astype(np.int64)[side]
    met = of_match - of_side
    own = player >= 0
    counted = own & (opponents > 0)
    matches = np.bincount(player[counted], minlength=players)
    against = counted & (2 * met >= opponents)
    support = np.bincount(player[against], minlength=players)
    return matches, support - _met_most(match, side, player, against & (opponents == 1), players)


def _met_most(
    match: Integers, side: Integers, player: Integers, duels: Booleans, players: int
) -> Integers:
    """Return ``(n,)`` how often each player met the opponent they met most, in ``duels``."""
    everyone = np.bincount(match, player)[match] - np.bincount(side, player)[side]
    own, other = player[duels], everyone[duels].astype(np.int64)
    pairs, counts = np.unique(own * max(players, 1) + other, return_counts=True)
    most = np.zeros(players, np.int64)
    np.maximum.at(most, pairs // max(players, 1), counts)
    return most
