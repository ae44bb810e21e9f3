"""The draw of groups, and the seeds of those who go on to a bracket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy  # loads its parts at their first use

from league.services.competitions.pairing.seeding import seeds_in_bracket

if TYPE_CHECKING:
    from collections.abc import Sequence

PASSES = 20
"""The most times that each tier is placed. Two or three are enough for nearly all brackets."""


def groups(entrants_by_seed: Sequence[int], count: int) -> list[list[int]]:
    """Deal entrants to groups in a snake, the best first: 1 2 3, 6 5 4, 7 8 9 and so on.

    Sizes differ by one at most, and sums of seeds by little.

    Raises:
        ValueError: a group would have fewer than two entrants.
    """
    if count < 1 or len(entrants_by_seed) < 2 * count:
        raise ValueError("each group needs two entrants")
    dealt: list[list[int]] = [[] for _ in range(count)]
    for at, entrant in enumerate(entrants_by_seed):
        row, column = divmod(at, count)
        dealt[column if row % 2 == 0 else count - 1 - column].append(entrant)
    return dealt


def groups_by_seed(tiers: Sequence[Sequence[int]]) -> list[int]:
    """Return the group of each seed, so that group mates meet as late as possible.

    ``tiers`` are the groups of the winners, of the runners-up and so on, in their order. Better
    tiers have better seeds; which group has which seed of its tier is free. As few pairs as
    possible can meet in the first round, then in the second and so on. Each tier is placed by the
    assignment of least cost, given the others, until nothing changes.
    """
    count = sum(map(len, tiers))
    if not count:
        return []
    places = np.argsort(seeds_in_bracket(count))[:count]
    meet = np.frexp(places[:, None] ^ places)[1]  # in which round two seeds can meet
    cost = np.where(meet, float(count) ** (meet.max() - meet), 0)
    seats = np.split(np.arange(count), np.cumsum([len(tier) for tier in tiers])[:-1])
    found = np.full(count, -1)
    for _ in range(PASSES):
        before = found.copy()
        for seat, tier in zip(seats, map(np.array, tiers), strict=True):
            found[seat] = -1
            of_mates = (tier[:, None] == found) @ cost[:, seat]
            order = np.arange(len(tier)) / count
            moved = (order[:, None] - order) ** 2 / count
            _rows, chosen = scipy.optimize.linear_sum_assignment(of_mates + moved)
            found[seat[chosen]] = tier
        if np.array_equal(found, before):
            break
    return [int(group) for group in found]
