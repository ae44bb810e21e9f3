"""Sums of hyperbolic tangents and their zeros, for compiled code.

This is the arithmetic of ``ratings.contests.tanh_terms`` and ``rootfinding`` for one row, operation
by operation, with rows added up in the order in which NumPy adds them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.compiled.numpy_loops import NumpyLoop, apply, inline, numpy_loop, place_of
from ratings.contests.rootfinding import MOST_STEPS, SMALL
from ratings.numerics import SHORT

if TYPE_CHECKING:
    from ratings.types import Floats

EXP = place_of(np.exp)
LANES, AT_ONCE = 8, 128
"""NumPy's way to add up a row: so many sums side by side, and so many numbers before it halves."""
DEEPEST = 64
"""More than any row can be halved."""


class Terms(NamedTuple):
    """One row of ``TanhTerms`` of at most ``room`` terms, and what its sums need."""

    mean: Floats
    k: Floats
    pull: Floats
    parts: Floats
    """``(3, room)`` the terms of the sum and of its first two derivatives."""
    exp: NumpyLoop


def terms_of(room: int) -> Terms:
    """Return an empty row. ``room`` is a multiple of 8."""
    mean, k, pull = np.zeros((3, room))
    return Terms(mean, k, pull, np.zeros((3, room)), numpy_loop(EXP, room))


@inline
def pairwise(numbers: Floats, start: int, count: int) -> float:
    """Add up ``count`` numbers in the order of ``np.add.reduce``, which halves long rows.

    Numba's files cannot keep a function that calls itself, so the halves are on a stack.
    """
    if count <= AT_ONCE:
        return _short(numbers, start, count)
    starts, counts = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    done, first_halves = np.zeros(DEEPEST, np.int64), np.empty(DEEPEST)
    starts[0], counts[0] = start, count
    at, total = 0, 0.0
    while at >= 0:
        half = counts[at] // 2
        half -= half % LANES
        if counts[at] <= AT_ONCE:
            total = _short(numbers, starts[at], counts[at])
            at -= 1
        elif done[at] == 0:
            done[at] = 1
            starts[at + 1], counts[at + 1], done[at + 1] = starts[at], half, 0
            at += 1
        elif done[at] == 1:
            done[at], first_halves[at] = 2, total
            starts[at + 1], counts[at + 1], done[at + 1] = starts[at] + half, counts[at] - half, 0
            at += 1
        else:
            total = first_halves[at] + total
            at -= 1
    return total


@inline
def _short(numbers: Floats, start: int, count: int) -> float:
    """Add up fewer than 8 numbers in order, or a multiple of 8 in eight lanes."""
    if count < LANES:
        total = 0.0
        for at in range(start, start + count):
            total += numbers[at]
        return total
    part = numbers[start : start + LANES].copy()
    for at in range(start + LANES, start + count, LANES):
        for lane in range(LANES):
            part[lane] += numbers[at + lane]
    return float(
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]))
    )


@inline
def _sum(numbers: Floats, count: int, padded: int) -> float:
    """Add up a row as ``reduce_rows`` does. The numbers from ``count`` to ``padded`` are 0."""
    if padded > SHORT:
        return float(pairwise(numbers, 0, padded))
    total = numbers[0]
    for at in range(1, count):
        total += numbers[at]
    return float(total)


@inline
def sums(terms: Terms, count: int, padded: int, x: float) -> tuple[float, float, float]:
    """Return the sum at ``x`` and its first two derivatives, as ``TanhTerms.sums`` does."""
    exp, value, slope, curvature = terms.exp, terms.parts[0], terms.parts[1], terms.parts[2]
    for at in range(count):
        exp.given[at] = (x - terms.mean[at]) * terms.k[at]
    apply(exp, count)
    for at in range(count):
        k, pull = terms.k[at], terms.pull[at]
        minus_tanh = 2.0 / (exp.found[at] + 1.0) - 1.0
        bend = (1.0 - minus_tanh * minus_tanh) * (k * pull * 0.5)
        value[at] = minus_tanh * -pull
        slope[at] = bend
        curvature[at] = bend * minus_tanh * k
    for at in range(count, padded):
        value[at] = slope[at] = curvature[at] = 0.0
    return (
        _sum(value, count, padded),
        _sum(slope, count, padded),
        _sum(curvature, count, padded),
    )


@inline
def zero_of(
    terms: Terms,
    count: int,
    padded: int,
    total: float,
    normal: tuple[float, float],
    bracket: tuple[float, float, float],
) -> float:
    """Return the zero of the sum minus ``total``, plus a line, as ``rootfinding.zeros`` does.

    ``normal`` are zero and slope of the line, ``bracket`` where to start, and the bounds.
    """
    centre, weight = normal
    x, low, high = bracket
    steepest = terms.k[0]
    for at in range(1, count):
        steepest = max(steepest, terms.k[at])
    near = SMALL / steepest
    for _ in range(MOST_STEPS):
        value, slope, curvature = sums(terms, count, padded, x)
        value -= total
        if weight != 0.0:
            value += weight * (x - centre)
            slope += weight
        if value < 0:
            low = x
        if value > 0:
            high = x
        move = value / slope
        bend = move * curvature / slope * -0.5 + 1.0
        bend = max(bend, 0.5)
        move /= bend
        target = x - move
        if low <= target <= high:
            x = target
            if abs(move) <= near:
                break
            continue
        if value == 0:
            break
        middle = low + 0.5 * (high - low)
        x = middle
        if middle <= low or middle >= high:
            break
    return x
