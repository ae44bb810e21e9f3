"""Arithmetic shared by several systems.

Every function works row by row on arrays whose first axis is the match, and sums only over the
last axis of C-contiguous arrays. NumPy then adds in the same order for one match and for many.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ratings.types import Floats, Integers

TeamStrength = Literal["mean", "sum", "max", "min"]

SHORT = 16
"""Rows up to this length are reduced column by column."""
ADDED_IN_ORDER = 7
"""Up to this many numbers of a row, NumPy adds one after another, as compiled code does."""
_PAIRS_AT_ONCE = 1 << 20
"""Pairs of sides processed at a time, so that a large free-for-all fits into memory."""


def chances(lead: Floats) -> tuple[Floats, Floats]:
    """Return the logistic chances to win and to lose with a ``lead``.

    They are ``1 / (1 + exp(-lead))`` and its complement, without overflow and without the lost
    digits of ``1 - p``. Negating the lead swaps the two bit for bit.
    """
    small = np.exp(-np.abs(lead))
    favourite = 1.0 / (1.0 + small)
    underdog = small * favourite
    ahead = lead >= 0
    return np.where(ahead, favourite, underdog), np.where(ahead, underdog, favourite)


def encounter_results(own: Integers, other: Integers) -> Floats:
    """Return the results of encounters by their places: 1 for a win, ½ for a draw, 0 for a loss."""
    return np.asarray(np.heaviside(other - own, 0.5))


def surprise(win: Floats, loss: Floats, result: Floats) -> Floats:
    """Return the actual minus the expected result, where ``result`` is 1, ½ or 0.

    One side's gain is exactly the other side's loss.
    """
    return result * loss - (1.0 - result) * win


def clip(values: Floats, low: float | Floats, high: float | Floats) -> Floats:
    """Clip values. ``np.clip`` has so many options that it is slow on small arrays."""
    return np.minimum(np.maximum(values, low), high)


def reduce_rows(operation: np.ufunc, rows: Floats) -> Floats:
    """Reduce the last axis of ``rows`` with ``operation``.

    Short rows are reduced column by column, as NumPy is ten times slower row by row. The choice
    depends only on the length of a row.
    """
    count = rows.shape[-1]
    if not 0 < count <= SHORT:
        return np.asarray(operation.reduce(rows, axis=-1))
    result: Floats = rows[..., 0].copy()
    for column in range(1, count):
        operation(result, rows[..., column], out=result)
    return result


def side_starts(sizes: Sequence[int]) -> Integers:
    """Return ``(s + 1,)`` the start of each side's participants, and the end of the last."""
    starts = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def per_side(values: Floats, sizes: Sequence[int], how: TeamStrength) -> Floats:
    """Return the ``(m, s)`` mean, sum, maximum or minimum of each side's values ``(m, p)``."""
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
    """Return ``(m, p)`` each participant's value from their side's ``(m, s)``."""
    return values if len(side_of) == values.shape[-1] else values[:, side_of]


def _over_members(members: Floats, how: TeamStrength) -> Floats:
    if how == "max":
        return np.asarray(members.max(axis=-1))
    if how == "min":
        return np.asarray(members.min(axis=-1))
    total = members.sum(axis=-1)
    return np.asarray(total / members.shape[-1] if how == "mean" else total)


def opponents(sides: int, matches: int) -> Iterator[tuple[slice, Integers]]:
    """Yield blocks of sides with the ``(b, s - 1)`` indices of their opponents, in order.

    A block is as large as memory allows. Each side is summed on its own, so the blocks do not
    affect the results.
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
