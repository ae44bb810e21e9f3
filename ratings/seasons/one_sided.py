"""One-sided results: how much a player can win from the same opponents.

Agreed wins over an accomplice move points in one direction, and nobody else's results confirm
them. So what a player has won from an opponent is taken from a budget, and every match against
others restores a part of it. A further win counts by what is left. Losses give back what they
cost, and count fully.

The budget is some even wins (:mod:`ratings.seasons.even_wins`), so it limits players of every
rating system alike, whatever its parameters. Among honest players it is full again before a pair
meets next, or nearly so. Someone who plays only one opponent can never win more than the budget
from them.

In a match of more than two sides, a player wins from those placed below. Each of these has a budget
of their own, and what is left is averaged. The others in a match restore what is won from one, so
friends who always play together hardly notice it.

For a player connected to the league, all opponents without a rank are one, from whom they can have
so many unconfirmed points (:mod:`ratings.seasons.unconfirmed`).
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from ratings.history import NEGLIGIBLE_WEIGHT
from ratings.seasons.unconfirmed import SMALLEST_SHARE, Part, share_within, sum_unconfirmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ratings.seasons.fair_play import FairPlay

    GainAt = Callable[[float], float]

HALF_YEAR = 182 * 86_400
"""Seconds after which a match no longer counts for the budget."""


class Earlier(NamedTuple):
    """The effect of an earlier match on a player's budget."""

    wins: float
    """The change of their rating in even wins. It is read only if opponents are the same."""
    points: float
    """The same in points of chess."""
    same: float
    """The share of their opponents in it who are opponents now."""
    others: float
    """The share of them who are not, and restore the budget."""
    unranked: float = 0.0
    """The share of them who have no rank, for a player who is connected."""
    single: int | None = None
    """The opponent, if there was only one."""


def share_left(rules: FairPlay, earlier: Iterable[Earlier]) -> float:
    """Return the share of the budget that is left after a player's earlier matches, oldest first.

    Each match against others restores a part.
    """
    budget = left = rules.same_opponents
    for match in earlier:
        won = match.same * min(match.wins, 1.0) if match.same else 0.0
        left = min(left - won + match.others * rules.restored, budget)
    share = left / budget
    return min(share, 1.0) if share >= SMALLEST_SHARE else NEGLIGIBLE_WEIGHT


def share_of_unranked(
    kept: float, earlier: Iterable[Earlier | EarlierOfMany], gain_at: GainAt
) -> float:
    """Return how much a connected player's win over opponents without a rank counts.

    ``gain_at`` returns what they would win from these, in points of chess, for a share. They may
    have ``kept`` such points without confirmation.
    """
    parts = [Part(match.points, match.unranked, match.single) for match in earlier]
    return share_within(kept - sum_unconfirmed(parts), kept, gain_at)


class EarlierOfMany(NamedTuple):
    """The effect of an earlier match on a player's budget before one of more than two sides."""

    wins: float
    points: float
    opponents: int
    unknown: int
    """The number of opponents without a rank, for a player who is connected."""
    single: int | None
    again: Sequence[int]
    """The opponents who play now."""

    @property
    def unranked(self) -> float:
        """The share of the opponents without a rank."""
        return self.unknown / self.opponents

    def against(self, opponent: int) -> Earlier:
        """Return what it means for points won from an opponent."""
        same = int(opponent in self.again)
        others = self.opponents - self.unknown - same
        return Earlier(self.wins, self.points, same / self.opponents, others / self.opponents)


def share_left_of_many(
    rules: FairPlay,
    kept: float,
    earlier: Sequence[EarlierOfMany],
    ranked: Iterable[int],
    unranked: int,
    gain_at: GainAt,
) -> float:
    """Return the share left of a player's budgets for those placed below, on average.

    For a connected player ``unranked`` of them have no rank, and ``ranked`` are the others. For
    anybody else, ``ranked`` are all.
    """
    shares = [share_left(rules, (one.against(opponent) for one in earlier)) for opponent in ranked]
    if unranked:
        shares += [share_of_unranked(kept, earlier, gain_at)] * unranked
    return fmean(shares)
