"""Arithmetic that several systems share.

Every function works row by row on arrays whose first axis is the match, and sums only over the
last axis of C-contiguous arrays: NumPy then adds in the same order for one match and for many.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ratings.types import Floats, Integers

TeamStrength = Literal["mean", "sum", "max"]

SHORT = 16
"""Numbers of a row that is reduced column by column."""
_PAIRS_AT_ONCE = 1 << 20
"""Pairs of sides worked on at a time, so that a great free-for-all fits into memory."""


def chances(lead: Floats) -> tuple[Floats, Floats]:
    """The logistic chances to win and to lose of a ``lead``, both exact to the last digits.

    ``1 / (1 + exp(-lead))`` and its complement, without overflow and without the loss of digits
    of ``1 - p``. Swapping sign swaps the two bit for bit.
    """
    small = np.exp(-np.abs(lead))
    favourite = 1.0 / (1.0 + small)
    underdog = small * favourite
    ahead = lead >= 0
    return np.where(ahead, favourite, underdog), np.where(ahead, underdog, favourite)


def results(own: Integers, other: Integers) -> Floats:
    """What these places make of encounters: 1 for a win, ½ for a draw, 0 for a loss."""
    return np.asarray(np.heaviside(other - own, 0.5))


def surprise(win: Floats, loss: Floats, result: Floats) -> Floats:
    """Actual minus expected result, ``result`` being 1, ½ or 0.

    What one side gains the other loses, bit for bit.
    """
    return result * loss - (1.0 - result) * win


def limited(values: Floats, low: float, high: float) -> Floats:
    """``np.clip``, whose many options cost more than its work where arrays are small."""
    return np.minimum(np.maximum(values, low), high)


def across(operation: np.ufunc, rows: Floats) -> Floats:
    """``operation`` reduced over the last axis of ``rows``.

    Short rows are gone through column by column: by rows, NumPy takes ten times as long. Which way
    a row goes depends on its length alone.
    """
    count = rows.shape[-1]
    if not 0 < count <= SHORT:
        return np.asarray(operation.reduce(rows, axis=-1))
    result: Floats = rows[..., 0].copy()
    for column in range(1, count):
        operation(result, rows[..., column], out=result)
    return result


def side_starts(sizes: Sequence[int]) -> Integers:
    """``(s + 1,)`` where each side's participants begin, and the end of the last."""
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def per_side(values: Floats, sizes: Sequence[int], how: TeamStrength) -> Floats:
    """``(m, s)`` mean, sum or maximum of the members' ``(m, p)`` values of each side."""
    if len(sizes) == values.shape[-1]:
        return values
    if len(set(sizes)) == 1:
        members = np.ascontiguousarray(values).reshape(len(values), len(sizes), sizes[0])
        return _over_members(members, how)
    starts = side_starts(sizes)
    sides = [
        _over_members(np.ascontiguousarray(values[:, start:stop]), how)
        for start, stop in itertools.pairwise(starts.tolist())
    ]
    return np.stack(sides, axis=-1)


def per_member(values: Floats, side_of: Integers) -> Floats:
    """``(m, p)`` the side's ``(m, s)`` value for every participant, whose side is ``side_of``."""
    return values if len(side_of) == values.shape[-1] else values[:, side_of]


def _over_members(members: Floats, how: TeamStrength) -> Floats:
    if how == "max":
        return np.asarray(members.max(axis=-1))
    total = members.sum(axis=-1)
    return np.asarray(total / members.shape[-1] if how == "mean" else total)


def opponents(sides: int, matches: int) -> Iterator[tuple[slice, Integers]]:
    """For each block of sides, the ``(b, s - 1)`` numbers of their opponents, in order.

    A block is as large as memory allows; as each side is summed on its own, blocks change nothing
    in the results.
    """
    block = max(1, _PAIRS_AT_ONCE // max(1, matches * (sides - 1)))
    if block >= sides:
        yield slice(0, sides), _opponents(0, sides, sides)
        return
    for start in range(0, sides, block):
        stop = min(start + block, sides)
        yield slice(start, stop), _opponents.__wrapped__(start, stop, sides)


@lru_cache(maxsize=64)
def _opponents(start: int, stop: int, sides: int) -> Integers:
    others = np.arange(sides - 1)
    own = np.arange(start, stop)[:, None]
    return others + (others >= own)
