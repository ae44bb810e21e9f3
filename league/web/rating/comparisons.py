"""Charts that compare the rating curves of several players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.services.core.numbers import number
from league.web.rating.charts import (
    Mark,
    mark_narrow,
    rank_scale,
    rating_scale,
    span,
    stairs,
    thin_out,
    times,
)
from league.web.rating.plots import HEIGHT, WIDTH, keep_apart, path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from league.models import Player
    from league.services.results.records.profiles import Point

MOST_ON_A_CURVE = 160
LABEL = 15
"""The height of a label, in pixels."""
MOST_ROWS = 24
"""The number of rows in the table below a comparison."""


@dataclass(frozen=True)
class Curve:
    """One player's rating in a comparison."""

    player: Player
    line: str
    """The ``d`` of an SVG path."""
    end: tuple[float, float]
    """Its end point: a percentage along the time axis, and a height from the top."""
    label: float
    """The height of its last value, which keeps its distance from the others."""
    first: float
    last: float
    highest: float
    """The best rating, which is the lowest rank on a ladder."""
    matches: int


@dataclass(frozen=True)
class RatingsAtTime:
    """The ratings of all players at a time, ``None`` before their first match."""

    at: datetime
    ratings: list[float | None]


@dataclass(frozen=True)
class Comparison:
    curves: list[Curve]
    times: list[Mark]
    levels: list[Mark]
    rows: list[RatingsAtTime]
    width: int = WIDTH
    height: int = HEIGHT


def comparison(
    histories: Sequence[tuple[Player, Sequence[Point]]], zone: tzinfo, *, lowest_first: bool
) -> Comparison | None:
    """Return the curves of players in one chart, with times in ``zone``; None without a match."""
    known = [
        (player, sorted(points, key=lambda one: one.played_at))
        for player, points in histories
        if points
    ]
    if not known:
        return None
    together = sorted(
        (point for _player, points in known for point in points), key=lambda one: one.played_at
    )
    begin, end = span(together)
    scale = rank_scale(together) if lowest_first else rating_scale(flat(together))

    def across(moment: datetime) -> float:
        return (moment - begin) / (end - begin)

    def down(rating: float) -> float:
        return HEIGHT * (scale.top - rating) / (scale.top - scale.bottom)

    best = min if lowest_first else max
    ends = [down(points[-1].rating) for _player, points in known]
    curves = []
    for (player, points), label in zip(known, keep_apart(ends, LABEL), strict=True):
        drawn = thin_out(points, MOST_ON_A_CURVE)
        corners = [(WIDTH * across(one.played_at), down(one.rating)) for one in drawn]
        last = points[-1]
        curves.append(
            Curve(
                player=player,
                line=path(stairs(corners) if lowest_first else corners),
                end=(round(100 * across(last.played_at), 2), round(down(last.rating), 1)),
                label=round(label, 1),
                first=points[0].rating,
                last=last.rating,
                highest=best(one.rating for one in points),
                matches=len(points),
            )
        )
    return Comparison(
        curves=curves,
        times=mark_narrow(times(begin, end, zone)),
        levels=[
            Mark(round(down(level), 1), number(level, scale.decimals)) for level in scale.marked
        ],
        rows=rows([points for _player, points in known], begin, end),
    )


def flat(points: Sequence[Point]) -> list[Point]:
    """Return points without deviations, as several curves have no bands."""
    return [point._replace(deviation=None) for point in points]


def rows(
    histories: Sequence[Sequence[Point]], begin: datetime, end: datetime
) -> list[RatingsAtTime]:
    """Return the ratings at evenly spaced times, each as of the latest match until then."""
    steps = [begin + (end - begin) * step / MOST_ROWS for step in range(MOST_ROWS + 1)]
    found = [RatingsAtTime(at, []) for at in steps]
    for points in histories:
        held: float | None = None
        nth = 0
        for row in found:
            while nth < len(points) and points[nth].played_at <= row.at:
                held = points[nth].rating
                nth += 1
            row.ratings.append(held)
    return found
