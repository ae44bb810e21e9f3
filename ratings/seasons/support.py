"""The support of a player's gains by matches against ranked players.

Points won from one person, or from accounts that are not ranked, say little until matches against
others have confirmed them (:mod:`ratings.seasons.unconfirmed`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.seasons.unconfirmed import MOSTLY, Parts, confirming, unconfirmed_of_many

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats, Integers

NEARLY = 1e-6
"""Wins approach the points that may be kept by ever smaller steps, and sums are rounded."""

RANKED = 3.0
"""A ranked player's wins over others are limited, so they can have more unconfirmed points only
because somebody else is now ranked or no longer. This alone should rarely cost a rank."""
LAST = 10
"""Matches that tell how much a player's rating usually changes."""


class Games(NamedTuple):
    """A season's games, a row for each player of each."""

    sides: Integers
    """``(3, m)``: match, side and player, an index of the players known, or -1 for others."""
    order: Integers
    """``(m,)``: in which the matches were rated."""
    gains: Floats
    """``(m,)``: changes of ratings, in points of chess."""


class Support(NamedTuple):
    """The matches and wins of each of a season's ``n`` players."""

    matches: Integers
    """``(n,)``."""
    against_ranked: Integers
    """``(n,)``: those against connected players, without the one met most."""
    unconfirmed: Floats
    """``(n,)``: points won from opponents who are not connected, as far as matches against
    connected ones have not returned them."""
    usual: Floats
    """``(n,)``: the mean of the last changes that can confirm points, at most ``LAST``. NaN without
    any."""

    def enough(self, share: float, kept: float, ranked: Booleans) -> Booleans:
        """Return ``(n,)`` who has the share of matches, and the points they may keep confirmed.

        Those who are ``ranked`` may have ``RANKED`` times as many unconfirmed points. With nothing
        to keep, points need no confirmation.
        """
        enough = self.against_ranked >= share * self.matches
        if not kept:
            return enough
        most = np.where(ranked, RANKED, 1.0) * kept
        return enough & (self.unconfirmed <= most + NEARLY)


def measure_support(games: Games, connected: Booleans) -> Support:
    """Return what the ``n`` players have played and won.

    The connected opponent they met most is left out, if only the two played each other. For points,
    it is the one met most until then, without the first of their matches. A match of more players
    is against connected players if at least half of the opponents are, and the share of those who
    are not counts for the points.
    """
    players = len(connected)
    match, side, player = games.sides
    _matches, match = np.unique(match, return_inverse=True)
    _sides, side = np.unique(side, return_inverse=True)
    known = np.append(connected, np.zeros(1, bool))[player]  # -1 is the last
    opponents = np.bincount(match)[match] - np.bincount(side)[side]
    of_match = np.bincount(match, known).astype(np.int64)[match]
    of_side = np.bincount(side, known).astype(np.int64)[side]
    everyone = np.bincount(match, player)[match] - np.bincount(side, player)[side]
    rows = np.flatnonzero((player >= 0) & (opponents > 0))
    rows = rows[np.lexsort((games.order[rows], player[rows]))]
    own, gains = player[rows], games.gains[rows]
    unranked = 1 - (of_match - of_side)[rows] / opponents[rows]
    against = unranked <= MOSTLY
    duels = against & (opponents[rows] == 1)
    others = everyone[rows][duels].astype(np.int64)
    _pairs, pair = np.unique(own[duels] * max(players, 1) + others, return_inverse=True)
    met = _times(pair)
    often = np.zeros(players, np.int64)
    np.maximum.at(often, own[duels], met)
    changes = confirming(unranked) * np.abs(gains)
    changes[duels] *= met <= np.maximum(_most_before(own[duels], met), 1)
    return Support(
        np.bincount(own, minlength=players),
        np.bincount(own[against], minlength=players) - often,
        unconfirmed_of_many(own, Parts(gains, unranked, changes), players),
        _usual(own[changes > 0], changes[changes > 0], players),
    )


def _times(values: Integers) -> Integers:
    """Return ``(m,)`` how often each value has come up so far."""
    in_order = np.argsort(values, kind="stable")
    begins = np.searchsorted(values[in_order], values[in_order])
    times = np.empty(len(values), np.int64)
    times[in_order] = np.arange(len(values)) - begins + 1
    return times


def _most_before(player: Integers, met: Integers) -> Integers:
    """Return ``(m,)`` the largest of each player's earlier values, 0 for the first. Players
    ascend."""
    size = int(met.max(initial=0)) + 1
    largest = np.maximum.accumulate(player * size + met)
    before = np.append(-1, largest[:-1])[: len(met)]
    return np.maximum(before - player * size, 0)


def _usual(player: Integers, changes: Floats, players: int) -> Floats:
    """Return ``(n,)`` the mean of each player's last changes, which come by player and time."""
    ends = np.searchsorted(player, np.arange(1, players + 1))
    begins = np.maximum(np.searchsorted(player, np.arange(players)), ends - LAST)
    sums = np.append(0.0, np.cumsum(changes))
    count = ends - begins
    return np.where(count > 0, (sums[ends] - sums[begins]) / np.maximum(count, 1), np.nan)
