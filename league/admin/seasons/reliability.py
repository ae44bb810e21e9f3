"""Plots of how often sides came first, by the chance that was forecast for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.humanize.templatetags.humanize import intcomma

from league.services.core.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LOWEST = 100.0
"""The lower edge of the plot. Its y coordinates grow downwards."""


@dataclass(frozen=True)
class Point:
    """Sides with about the same chance, in the reliability plot."""

    x: float
    y: float
    size: float
    sides: str
    forecast: str
    came: str


def points_of(bins: Sequence[Mapping[str, Any]]) -> list[Point]:
    """Return a point for each range of chances: x is the forecast, y how often sides came first."""
    most = max((one["sides"] for one in bins), default=1)
    return [
        Point(
            round(LOWEST * one["predicted"], 1),
            round(LOWEST - LOWEST * one["observed"], 1),
            round(2 + 3 * (one["sides"] / most) ** 0.5, 1),
            intcomma(one["sides"]),
            percent(one["predicted"]),
            percent(one["observed"]),
        )
        for one in bins
    ]
