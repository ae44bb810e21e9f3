"""The order of seeds in a bracket."""

from __future__ import annotations


def seeds_in_bracket(count: int) -> list[int]:
    """Return the seeds from 1 in the order of a bracket for ``count`` or more, a power of two.

    1 meets the last. While the better win, the sums of the seeds in a round are equal, and 1 and 2
    meet last of all.
    """
    order = [1]
    while len(order) < count:
        sum_of_both = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, sum_of_both - one)]
    return order
