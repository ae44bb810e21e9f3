"""Parts of every drawn chart: round numbers, paths and labels that keep their distance."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 1000
HEIGHT = 260


def nice(step: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is at least ``step``.

    From 25 on, a quarter of a power of ten is round as well.
    """
    power = 10.0 ** math.floor(math.log10(step))
    round_ones = (1, 2, 2.5, 5, 10) if power >= 10 else (1, 2, 5, 10)
    return next(nice * power for nice in round_ones if nice * power >= step)


def multiples(low: float, high: float, step: float) -> list[float]:
    return [step * n for n in range(math.ceil(low / step), math.floor(high / step) + 1)]


def path(corners: Iterable[tuple[float, float]]) -> str:
    """Return corners as an SVG path of straight lines."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)


def keep_apart(heights: Sequence[float], least: float, height: float = HEIGHT) -> list[float]:
    """Return where labels at these heights can stand at least ``least`` apart.

    They keep their order and stay between 0 and ``height`` as long as there is room for all.
    """
    order = sorted(range(len(heights)), key=lambda nth: heights[nth])
    found = list(heights)
    floor = 0.0
    for nth in order:
        found[nth] = floor = max(found[nth], floor)
        floor += least
    ceiling = height
    for nth in reversed(order):
        found[nth] = ceiling = min(found[nth], ceiling)
        ceiling -= least
    return found
