"""The chart of a rating distribution: from counts to coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from league.services.standings.distributions import Bar, RatingDistribution

WIDTH = 1000
HEIGHT = 260
MOST_MARKS = 7


@dataclass(frozen=True)
class Column:
    """A bar of the chart."""

    at: float
    """From the left, of ``WIDTH``."""
    top: float
    """From the top, of ``HEIGHT``."""
    wide: float
    bar: Bar
    mine: bool

    @property
    def height(self) -> float:
        return HEIGHT - self.top


@dataclass(frozen=True)
class DistributionChart:
    distribution: RatingDistribution
    columns: list[Column]
    curve: str
    """The normal curve, as the ``d`` of an SVG path; empty if all ratings are equal."""
    marks: list[tuple[float, float]]
    """Marks along the axis: percentages and their ratings."""
    mine: float | None
    """The reader's rating, as a percentage along the axis."""
    width: int = WIDTH
    height: int = HEIGHT


def draw(found: RatingDistribution, mine: float | None) -> DistributionChart:
    """Return the chart of a distribution, with a mark for the rating ``mine``."""
    bars = found.bars
    low, high = bars[0].low, bars[-1].high
    tallest = max(max(bar.players, bar.normal) for bar in bars) * 1.05

    def along(rating: float) -> float:
        return WIDTH * (rating - low) / (high - low)

    def top(players: float) -> float:
        return round(HEIGHT * (1 - players / tallest), 1)

    columns = [
        Column(
            round(along(bar.low), 1),
            top(bar.players),
            round(along(bar.high) - along(bar.low), 1),
            bar,
            mine is not None and bar.low <= mine < bar.high,
        )
        for bar in bars
    ]
    curve = ""
    if found.width > 0:
        step = bars[0].high - bars[0].low
        ratings = np.linspace(low, high, 120)
        heights = np.exp(-((ratings - found.mean) ** 2) / (2 * found.width**2))
        scale = found.count * step / (found.width * np.sqrt(2 * np.pi))
        points = zip(ratings.tolist(), (scale * heights).tolist(), strict=True)
        curve = "M" + "L".join(f"{along(x):.1f} {top(y):.1f}" for x, y in points)
    every = -(-len(bars) // MOST_MARKS)
    marks = [(round(along(bar.low) / WIDTH * 100, 2), bar.low) for bar in bars[::every]]
    my_place = None if mine is None else round(min(max(along(mine), 0), WIDTH) / WIDTH * 100, 2)
    return DistributionChart(found, columns, curve, marks, my_place)
