"""Sorting and numbering of places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Floats, Integers


def best_first(places: Integers) -> Integers:
    """Return the stable argsort of ``(n,)`` integers, faster by sorting value and index as one
    number."""
    count = len(places)
    bits = count.bit_length()
    if int(np.abs(places).max(initial=0)) >> (62 - bits):
        return np.argsort(places, kind="stable")
    both = (places << bits) | np.arange(count)
    both.sort()
    both &= (1 << bits) - 1
    return both


def middle_places(places: Integers) -> Floats:
    """Return ``(m, s)`` places counted from 1, with ties sharing their middle place."""
    order = np.argsort(places, axis=-1, kind="stable")
    in_order = np.take_along_axis(places, order, axis=-1)
    at = np.arange(places.shape[-1])
    changes = np.diff(in_order, axis=-1) != 0
    edge = np.ones((len(places), 1), dtype=np.bool_)
    first = np.maximum.accumulate(
        np.where(np.concatenate([edge, changes], axis=-1), at, 0), axis=-1
    )
    backwards = np.where(np.concatenate([changes, edge], axis=-1), at, at[-1])[:, ::-1]
    last = np.minimum.accumulate(backwards, axis=-1)[:, ::-1]
    middle = np.empty(places.shape)
    np.put_along_axis(middle, order, 1.0 + 0.5 * (first + last), axis=-1)
    return middle
