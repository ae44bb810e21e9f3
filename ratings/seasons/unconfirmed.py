"""Unconfirmed points: won from opponents without a rank, and not yet confirmed against ranked ones.

Points won from accounts that nobody else has met say little. If they make a rating too high, each
match against ranked players returns a part of the excess. The match itself tells how large a part:

With a stake of K, even opponents win or lose K / 2 points. A player whose rating is e points too
high expects ``tanh(e q / 2) / 2`` more than they score, with ``q = ln(10) / 400``. So on average, a
match returns ``tanh(e q / 2)`` of its change, whoever wins. Between uneven opponents both the
change and the return are smaller. After changes that add up to c, an excess e has become e' ::

    sinh(e' q / 2) = sinh(e q / 2) exp(-c q / 2)

Uncertain ratings change a lot and return a lot, and matches that count less do less of both. So
this holds in every system, whatever it knows about a rating's certainty. Points lost to such
opponents are won back in the same way.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ratings.display import ELO_POINTS
from ratings.history import NEGLIGIBLE_WEIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ratings.types import Floats, Integers

RETURNED = 2 * ELO_POINTS
"""Changes, in points of chess, that reduce a small excess by a factor of e: ``2 / q``, or 347.
Matches that confirm nothing by the rules return a little more, which leaves a margin:
``benchmarks/farming_before_rank.py`` measures how many points are left."""
MOSTLY = 0.5
"""The share of opponents without a rank up to which a match confirms points."""
LARGEST = 500.0
"""An excess is limited to so many times ``RETURNED``, as exponentials overflow."""
SMALLEST_SHARE = 0.01
"""Wins that would count less do not count: in some systems, changes grow with the root of the
weight, so many small ones would add up."""


class Parts(NamedTuple):
    """The same as ``Part`` for many matches, ``(m,)`` each."""

    gains: Floats
    unranked: Floats
    changes: Floats
    """Absolute changes that confirm, in points, weighted by the share of ranked opponents."""


def confirming(unranked: float | Floats) -> Any:
    """Return the share of a change that confirms, given the share of opponents without a rank.

    In a match mostly against opponents without a rank, it confirms nothing.
    """
    return np.where(np.asarray(unranked) <= MOSTLY, 1.0 - np.asarray(unranked), 0.0)


def confirm(points: float | Floats, changes: float | Floats) -> Floats:
    """Return the unconfirmed points that are left after changes against ranked players.

    Both are in points of chess. ``changes`` are sums of absolute values.
    """
    excess = np.clip(np.asarray(points) / RETURNED, -LARGEST, LARGEST)
    left = np.sinh(excess) * np.exp(-np.asarray(changes) / RETURNED)
    return np.asarray(RETURNED * np.arcsinh(left))


def changes_to_confirm(points: float, kept: float) -> float:
    """Return the changes against ranked players that leave no more than ``kept`` of the points."""
    if not kept or points <= kept:
        return 0.0
    high, low = (min(one / RETURNED, LARGEST) for one in (points, kept))
    return RETURNED * (math.log(math.sinh(high)) - math.log(math.sinh(low)))


class Part(NamedTuple):
    """The effect of a match on a player's unconfirmed points."""

    gain: float
    """The change of their rating, in points of chess."""
    unranked: float
    """The share of their opponents who have no rank."""
    single: int | None = None
    """The opponent, if there was only one."""


def sum_unconfirmed(matches: Sequence[Part]) -> float:
    """Return a player's unconfirmed points after their matches, oldest first.

    A duel confirms nothing against the ranked opponent met most so far, unless it is the first.
    """
    met: Counter[int] = Counter()
    most = 0
    points = changes = 0.0
    for match in matches:
        confirms = True
        if match.single is not None and not match.unranked:
            met[match.single] += 1
            confirms = met[match.single] <= max(most, 1)
            most = max(most, met[match.single])
        if confirms:
            changes += confirming(match.unranked) * abs(match.gain)
        if match.unranked:
            points = float(confirm(points, changes)) + match.unranked * match.gain
            changes = 0.0
    return float(confirm(points, changes))


def unconfirmed_of_many(player: Integers, parts: Parts, players: int) -> Floats:
    """Return the same for ``(players,)`` from rows ``(m,)``, sorted by player and then by age.

    ``player`` are indices, in ascending order. For each, the oldest match is first. Changes that
    confirm nothing are 0.
    """
    spent = np.cumsum(parts.changes)
    starts = np.searchsorted(player, np.arange(players + 1))
    before = np.append(0.0, spent)
    since, points = before[starts[:-1]], np.zeros(players)
    rows = np.flatnonzero(parts.unranked)
    own = player[rows]
    nth = np.arange(len(rows)) - np.searchsorted(own, own)
    rows = rows[np.argsort(nth, kind="stable")]
    for at in np.split(rows, np.cumsum(np.bincount(nth))[:-1]):
        them = player[at]
        left = confirm(points[them], spent[at] - since[them])
        points[them] = left + parts.unranked[at] * parts.gains[at]
        since[them] = spent[at]
    return confirm(points, before[starts[1:]] - since)


def share_within(left: float, kept: float, gain_at: Callable[[float], float]) -> float:
    """Return how much of a win over opponents without a rank counts.

    It counts by the share ``left`` of the points that may be ``kept`` without confirmation, and
    gains no more than what is left. ``gain_at`` returns the gain for a share, which grows with it.
    """
    share = min(left / kept, 1.0)
    if share < SMALLEST_SHARE:
        return NEGLIGIBLE_WEIGHT
    if gain_at(share) <= left:
        return share
    low, high = 0, math.ceil(100 * share)
    while high - low > 1:
        percent = (low + high) // 2
        low, high = (percent, high) if gain_at(percent / 100) <= left else (low, percent)
    return low / 100 if low else NEGLIGIBLE_WEIGHT
