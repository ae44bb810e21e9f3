"""Rating charts: pure functions from points to SVG paths.

The plot is drawn in a box of ``WIDTH`` by ``HEIGHT`` that the page scales, so positions on the time
axis are also given as percentages, for labels that must not be scaled with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import pgettext

from league.services.core.numbers import number
from league.web.rating.plots import HEIGHT, WIDTH, multiples, nice, path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from league.services.results.records.profiles import Point

MOST_POINTS = 300
ROOM_FOR_START = 40
"""The time before the first match is the time axis divided by this."""
MOST_TIMES = 6
HOURS_SHOWN = timedelta(days=2)
"""A shorter time axis is marked with hours."""
DAYS_SHOWN = timedelta(days=60)
"""A shorter one is marked with days."""
MOST_LEVELS = 5
NARROW_PLOT, WIDE_PLOT = 240, 640
"""The width of the plot on a phone of 390 px, and on a page with room, in pixels."""
LETTER = 6.5
"""The width of a letter on an axis, in pixels, and more than that of a figure."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Judged(NamedTuple):
    """A player's rating in hindsight on one day, as people see it."""

    rating: float
    deviation: float


@dataclass(frozen=True)
class Mark:
    """A label on an axis, at a percentage of the time axis or a height from the top."""

    at: float
    label: str
    moment: str = ""
    """The time in ISO format, if its label depends on the reader's time zone."""
    kind: str = ""
    """The format in which a script writes it in that zone: ``day`` or ``hour``."""
    is_narrow: bool = True
    """Whether there is room for it on a phone."""


@dataclass(frozen=True)
class Dot:
    """A point of the line, with its position."""

    at: float
    """Percentage along the time axis."""
    height: float
    point: Point
    judged: Judged | None = None
    """In hindsight, if it was computed since that match."""


@dataclass(frozen=True)
class Chart:
    line: str
    """The rating, as the ``d`` of an SVG path."""
    band: str
    """One deviation up and down, as a closed path; empty without deviations."""
    times: list[Mark]
    levels: list[Mark]
    dots: list[Dot]
    """The points drawn, oldest first; at most ``MOST_POINTS``."""
    count: int
    """Matches in the history, drawn or not."""
    area: str = ""
    """The space under the line, as a closed path."""
    seasons: list[Mark] = field(default_factory=list)
    """The beginnings of all seasons but the first."""
    hindsight: str = ""
    """The rating in hindsight, as a path; empty without one."""
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def last(self) -> Dot:
        return self.dots[-1]

    @property
    def first(self) -> Dot:
        return self.dots[0]

    @property
    def judged(self) -> tuple[Judged, Judged] | None:
        """The first and last point of the line in hindsight."""
        found = [dot.judged for dot in self.dots if dot.judged]
        return (found[0], found[-1]) if found else None


def rating_chart(
    history: Sequence[Point],
    zone: tzinfo,
    *,
    start: Point | None = None,
    lowest_first: bool = False,
    hindsight: Mapping[int, Judged] | None = None,
    seasons: Mapping[int, str] | None = None,
    count: int | None = None,
) -> Chart | None:
    """Return the chart of a history, with times in ``zone``; None if the history is empty.

    It begins with ``start``, a little before the first match. With ``lowest_first`` ratings are
    ranks, and 1 is drawn at the top. ``hindsight`` has ratings by day since 1970 (UTC). The line
    is broken between ``seasons``, which have names. ``count`` is the number of matches if the
    history is thinned out already.
    """
    if not history:
        return None
    points = thin_out(sorted(history, key=lambda point: point.played_at))
    judged = judged_at(points, hindsight or {})
    begin, end = span(points)
    if start is not None:
        begin = min(begin, points[0].played_at - (end - begin) / ROOM_FOR_START)
        points.insert(0, start._replace(played_at=begin))
        judged.insert(0, None)
    known = [one.rating for one in judged if one]
    scale = rank_scale(points) if lowest_first else rating_scale(points, known)

    def across(moment: datetime) -> float:
        return (moment - begin) / (end - begin)

    def down(rating: float) -> float:
        return HEIGHT * (scale.top - rating) / (scale.top - scale.bottom)

    dots = [
        Dot(round(100 * across(point.played_at), 2), round(down(point.rating), 1), point, seen)
        for point, seen in zip(points, judged, strict=True)
    ]
    parts = in_seasons(dots)
    lines = [[(dot.at * WIDTH / 100, dot.height) for dot in part] for part in parts]
    if lowest_first:
        lines = [stairs(corners) for corners in lines]
    return Chart(
        line="".join(path(corners) for corners in lines),
        area="".join(under(corners) for corners in lines),
        band="".join(band(part, down) for part in parts),
        seasons=borders(parts, seasons or {}),
        times=mark_narrow(times(begin, end, zone)),
        levels=[
            Mark(round(down(level), 1), number(level, scale.decimals)) for level in scale.marked
        ],
        dots=dots,
        count=len(history) if count is None else count,
        hindsight=path(
            (dot.at * WIDTH / 100, down(dot.judged.rating)) for dot in dots if dot.judged
        )
        if known
        else "",
    )


def in_seasons(dots: Sequence[Dot]) -> list[list[Dot]]:
    """Return the dots of each season, in the order in which the seasons began."""
    found: dict[int, list[Dot]] = {}
    for dot in dots:
        found.setdefault(dot.point.season_id, []).append(dot)
    return list(found.values())


def borders(parts: Sequence[Sequence[Dot]], names: Mapping[int, str]) -> list[Mark]:
    """Return where each season but the first begins, with its name where it has room.

    Several seasons are named, in the order of time. A name that has no room up to the next
    season is left out, but the line stays.
    """
    begun = [(part[0].at, names.get(part[0].point.season_id, "")) for part in parts[1:]]
    marks = []
    for (at, name), (end, _next) in pairwise([*begun, (100.0, "")]):
        needed = LETTER * len(name) + 10
        fits = needed <= (end - at) / 100 * WIDE_PLOT
        narrow = needed <= (end - at) / 100 * NARROW_PLOT
        marks.append(Mark(at, name if fits else "", is_narrow=narrow))
    return marks


def mark_narrow(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks of an axis, and which of them have room on a phone, the first of all."""
    found: list[Mark] = []
    free = -math.inf
    for mark in marks:
        middle, half = mark.at / 100 * NARROW_PLOT, LETTER * len(mark.label) / 2 + 4
        fits = middle - half >= free
        free = middle + half if fits else free
        found.append(replace(mark, is_narrow=fits))
    return found


def judged_at(points: Sequence[Point], hindsight: Mapping[int, Judged]) -> list[Judged | None]:
    """Return the rating in hindsight at each point; none at all if they make no line."""
    found = [hindsight.get((point.played_at - EPOCH).days) for point in points]
    return found if sum(one is not None for one in found) > 1 else [None] * len(points)


def thin_out(points: Sequence[Point], most: int = MOST_POINTS) -> list[Point]:
    """Return at most ``most``: the first and last, and the extremes of equal time slices."""
    if len(points) <= most:
        return list(points)
    begin, end = span(points)
    slices = most // 2 - 2
    kept = {0, len(points) - 1}
    for _slice, part in groupby(
        range(len(points)),
        key=lambda index: int((points[index].played_at - begin) / (end - begin) * slices),
    ):
        within = list(part)
        kept.add(min(within, key=lambda index: points[index].rating))
        kept.add(max(within, key=lambda index: points[index].rating))
    return [points[index] for index in sorted(kept)]


def span(points: Sequence[Point]) -> tuple[datetime, datetime]:
    """Return the times of the first and last match; a day around a single one."""
    begin, end = points[0].played_at, points[-1].played_at
    if end - begin < timedelta(minutes=1):
        return begin - timedelta(hours=12), end + timedelta(hours=12)
    return begin, end


@dataclass(frozen=True)
class Scale:
    """The vertical axis."""

    bottom: float
    top: float
    marked: list[float]
    decimals: int


def rating_scale(points: Sequence[Point], others: Sequence[float] = ()) -> Scale:
    """Return a scale with room for all ratings, a typical band and ``others``.

    A wide band is cut off: a newcomer's deviation must not flatten the line.
    """
    lowest = min(point.rating for point in points)
    highest = max(point.rating for point in points)
    reach = sorted(point.deviation or 0.0 for point in points)[len(points) // 2]
    low, high = min([lowest - reach, *others]), max([highest + reach, *others])
    if high == low:
        low, high = low - 1, high + 1
    room = (high - low) * 0.06
    low, high = low - room, high + room
    step = nice((high - low) / MOST_LEVELS)
    return Scale(low, high, multiples(low, high, step), 0 if step >= 1 else 2)


def rank_scale(points: Sequence[Point]) -> Scale:
    """Return a scale from rank 1 at the top to the lowest rank held."""
    lowest = max(2.0, *(point.rating for point in points))
    room = (lowest - 1) * 0.06
    step = max(1.0, nice((lowest - 1) / MOST_LEVELS))
    # Rank 1 is marked, so marks that would overlap it are left out.
    others = [rank for rank in multiples(1, lowest + room, step) if rank > 1 + step / 2]
    return Scale(lowest + room, 1 - room, [1.0, *others], 0)


def stairs(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the corners of a step line: each value holds until the next match, as a rank does."""
    steps = [(to, height) for (_, height), (to, _) in pairwise(corners)]
    return [*corners[:1], *chain.from_iterable(zip(steps, corners[1:], strict=True))]


def under(corners: Sequence[tuple[float, float]]) -> str:
    """Return the space from a line down to the axis, as a closed path."""
    (first, _), (last, _) = corners[0], corners[-1]
    return f"{path(corners)}L{last:.1f} {HEIGHT}L{first:.1f} {HEIGHT}Z"


def band(dots: Sequence[Dot], down: Callable[[float], float]) -> str:
    """Return the band of one deviation above and below the line, as a closed path."""
    edges = [
        (dot.at * WIDTH / 100, dot.point.rating, dot.point.deviation)
        for dot in dots
        if dot.point.deviation is not None
    ]
    if len(edges) < 2:
        return ""
    upper = [(x, down(rating + deviation)) for x, rating, deviation in edges]
    lower = [(x, down(rating - deviation)) for x, rating, deviation in reversed(edges)]
    return path(upper + lower) + "Z"


def times(begin: datetime, end: datetime, zone: tzinfo) -> list[Mark]:
    """Return the marks of a time axis from ``begin`` to ``end``."""

    def mark(moment: datetime, label: str, kind: str = "") -> Mark:
        at = round(100 * (moment - begin) / (end - begin), 2)
        return Mark(at, label, moment.isoformat() if kind else "", kind)

    if end - begin < HOURS_SHOWN:
        return [
            mark(hour, date_format(hour, "TIME_FORMAT"), "hour") for hour in hours(begin, end, zone)
        ]
    kind = "day" if end - begin < DAYS_SHOWN else ""
    return [mark(moment, label, kind) for moment, label in dates(begin, end, zone)]


def hours(begin: datetime, end: datetime, zone: tzinfo) -> list[datetime]:
    """Return at most ``MOST_TIMES`` full hours from ``begin`` to ``end``."""
    first = begin.astimezone(zone).replace(minute=0, second=0, microsecond=0)
    steps = math.ceil((end - first) / timedelta(hours=1))
    step = next(step for step in (1, 2, 3, 4, 6, 12) if steps / step < MOST_TIMES)
    found = [first + timedelta(hours=hour) for hour in range(steps + 1)]
    return [hour for hour in found if hour.hour % step == 0 and begin <= hour <= end]


def dates(begin: datetime, end: datetime, zone: tzinfo) -> list[tuple[datetime, str]]:
    """Return at most ``MOST_TIMES`` round moments from ``begin`` to ``end``, with their labels."""
    first, last = begin.astimezone(zone), end.astimezone(zone)
    for years in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500):
        found = [
            datetime(year, 1, 1, tzinfo=zone)
            for year in range(first.year, last.year + 1)
            if year % years == 0
        ]
        found = [moment for moment in found if first <= moment <= last]
        if 3 <= len(found) <= MOST_TIMES:
            return [(moment, str(moment.year)) for moment in found]
    for months in (1, 2, 3, 6):
        found = [moment for moment in month_starts(first, last) if (moment.month - 1) % months == 0]
        if 3 <= len(found) <= MOST_TIMES:
            return [
                (moment, date_format(moment, pgettext("PHP date format on a time axis", "M Y")))
                for moment in found
            ]
    days = max(1, math.ceil((last - first).days / MOST_TIMES))
    midnight = first.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    found = [midnight + timedelta(days=days * n) for n in range(MOST_TIMES)]
    return [
        (moment, date_format(moment, pgettext("PHP date format on a time axis", "j M")))
        for moment in found
        if moment <= last
    ]


def month_starts(first: datetime, last: datetime) -> list[datetime]:
    """Return the first of each month between two moments in the same time zone."""
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    starts = (datetime(n // 12, n % 12 + 1, 1, tzinfo=first.tzinfo) for n in months)
    return [start for start in starts if first <= start <= last]
