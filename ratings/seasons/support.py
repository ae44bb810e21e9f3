"""How far matches against ranked players confirm what a player won elsewhere.

Points won from one person, or from accounts that are not ranked, say little until as many matches
against others have confirmed them.

If a rating is too high, each match against others returns a part of the excess. So the points that
a player won from opponents who are not ranked have to shrink to what they may keep. Honest players
lose as many to them as they win, once their rating is right.
"""

from __future__ import annotations

from math import ceil, log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, Integers

RETURNED = 0.04
"""The part of an excess that a match returns, as measured in Elo with K = 32."""


class Support(NamedTuple):
    """What each of a season's ``n`` players has played and won."""

    matches: Integers
    """``(n,)``."""
    against_ranked: Integers
    """``(n,)``: those against connected players, without the one met most."""
    confirming: Floats
    """``(n,)``: how much the matches against connected players count, again without the one who
    gave most of it."""
    won: Floats
    """``(n,)``: points won from opponents who are not connected, less those lost to them."""

    def enough(self, share: float, kept: float) -> Booleans:
        """Return ``(n,)`` who has the share of matches, and the points they may keep confirmed.

        With nothing to keep, points need no confirmation.
        """
        enough = self.against_ranked >= share * self.matches
        if not kept:
            return enough
        left = self.won * (1 - RETURNED) ** self.confirming
        return enough & (left <= kept)


def matches_to_confirm(won: float, kept: float) -> int:
    """Return how many matches that count fully leave no more than ``kept`` of points won."""
    if not kept or won <= kept:
        return 0
    return ceil(log(won / kept) / -log(1 - RETURNED))


def supported(games: Integers, weights: Floats, gains: Floats, connected: Booleans) -> Support:
    """Return what the ``n`` players have played and won.

    The connected opponent they met most is left out, if only the two played each other. A match of
    more players is against connected players if at least half of the opponents are, and the share
    of those who are not counts for the points. ``games`` are the ``(3, m)`` matches, sides and
    players of games: indices of the ``n`` players, or -1 for others. ``weights``
    and ``gains`` are ``(m,)``.
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
    counted = (player >= 0) & (opponents > 0)
    unknown = 1 - met[counted] / opponents[counted]
    against = counted & (2 * met >= opponents)
    duels = against & (opponents == 1)
    often, much = _met_most(match, side, player, weights, duels, players)
    return Support(
        np.bincount(player[counted], minlength=players),
        np.bincount(player[against], minlength=players) - often,
        np.bincount(player[against], weights[against], minlength=players) - much,
        np.bincount(player[counted], gains[counted] * unknown, minlength=players).astype(float),
    )


def _met_most(
    match: Integers,
    side: Integers,
    player: Integers,
    weights: Floats,
    duels: Booleans,
    players: int,
) -> tuple[Integers, Floats]:
    """Return ``(n,)`` how often each player met the opponent they met most, in ``duels``, and how
    much the matches with the opponent with whom they count most do."""
    everyone = np.bincount(match, player)[match] - np.bincount(side, player)[side]
    own, other = player[duels], everyone[duels].astype(np.int64)
    pairs, pair, counts = np.unique(
        own * max(players, 1) + other, return_inverse=True, return_counts=True
    )
    often, much = np.zeros(players, np.int64), np.zeros(players)
    np.maximum.at(often, pairs // max(players, 1), counts)
    np.maximum.at(much, pairs // max(players, 1), np.bincount(pair, weights[duels]))
    return often, much
