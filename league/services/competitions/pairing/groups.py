"""The draw of groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


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
