"""One-sided results: how much a player can win from the same opponents.

Agreed wins over an accomplice move points in one direction, and nobody else's results confirm
them. So what a player has won from an opponent is taken from a budget, and every match against
others restores a part of it. A further win counts by what is left. Losses give back what they
cost, and count fully.

Among honest players the budget is full again before a pair meets next, or nearly so. Who plays
only one opponent can never win more than the budget from them.

In a match of more than two sides, a player wins from those placed below. Each of these has a budget
of their own, and what is left is averaged. The others in a match restore what is won from one, so
friends who always play together hardly notice it.
"""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.history import NEGLIGIBLE_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ratings.seasons.fair_play import FairPlay
    from ratings.types import Floats

HALF_YEAR = 182 * 86_400
"""Seconds after which a match no longer counts for the budget."""
SMALLEST_SHARE = 0.01
"""Wins that would count less do not count: in some systems changes go with the root of the weight,
so that many of them would count like one."""
SETTLED_DEVIATION = 110.0
"""Up to this deviation a change counts in full. A newcomer's first changes are ten times those of
a settled player, in Glicko with its default 350."""


class Earlier(NamedTuple):
    """What an earlier match of a player means for their budget."""

    gain: float
    """The change of their rating."""
    deviation: float | None
    """Their deviation before it."""
    same: float
    """The share of their opponents in it who are opponents now."""
    others: float
    """The share of them who are not, and restore the budget."""


def settled_gain(earlier: Earlier, scale: float) -> float:
    """Return the gain in points of chess, as if the player had been settled.

    Newcomers win many points at once, which later matches correct as fast.
    """
    gain = earlier.gain / scale
    if not earlier.deviation:
        return gain
    return gain * min(1.0, (SETTLED_DEVIATION * scale / earlier.deviation) ** 2)


def settled_gains(gains: Floats, deviations: Floats, scale: float) -> Floats:
    """Return the same for ``(m,)`` gains, whose deviations are 0 where there are none."""
    most = SETTLED_DEVIATION * scale
    return gains / scale * np.minimum(1.0, (most / np.maximum(deviations, most)) ** 2)


def share_left(
    budget: float, restored: float, earlier: Iterable[Earlier], scale: float = 1.0
) -> float:
    """Return the share of the budget that is left after a player's earlier matches, oldest first.

    Each match against others restores so many points.
    """
    left = budget
    for match in earlier:
        gained = match.same * settled_gain(match, scale) if match.same else 0.0
        left = min(left - gained + match.others * restored, budget)
    share = left / budget
    return min(share, 1.0) if share >= SMALLEST_SHARE else NEGLIGIBLE_WEIGHT


class EarlierOfMany(NamedTuple):
    """What an earlier match of a player means before one of more than two sides."""

    gain: float
    deviation: float | None
    opponents: int
    unknown: int
    """How many of the opponents are not connected, for a connected player."""
    again: Sequence[int]
    """Which of the opponents play now."""

    def against(self, opponent: int, *, unknown: bool) -> Earlier:
        """Return what it means for points won from an opponent.

        All opponents who are ``unknown``, not connected though the player is, are the same one.
        """
        same = self.unknown if unknown else int(opponent in self.again)
        others = self.opponents - self.unknown - (0 if unknown else same)
        return Earlier(self.gain, self.deviation, same / self.opponents, others / self.opponents)


def share_left_of_many(
    rules: FairPlay,
    earlier: Sequence[EarlierOfMany],
    below: Mapping[int, bool],
    scale: float = 1.0,
) -> float:
    """Return the share left of a player's budgets for those placed ``below``, on average.

    The values of ``below`` say who is not connected though the player is.
    """
    return fmean(
        share_left(
            rules.one_sided,
            rules.restored_unranked if unknown else rules.restored,
            (match.against(opponent, unknown=unknown) for match in earlier),
            scale,
        )
        for opponent, unknown in below.items()
    )
