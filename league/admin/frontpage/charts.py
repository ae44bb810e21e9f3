"""The charts of the admin's first page, as shapes for its template."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.services.core.durations import seconds_in_words
from league.services.core.numbers import percent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from league.services.frontpage.days import Calibration, Day, LastDays

WIDTH, HEIGHT = 300, 80
"""Of the drawing, in its own units."""
GAP = 2
PERCENT = 100
LOWEST_POINT = 52
"""Favourites who won less than half of their matches are drawn at the lower edge."""


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    width: float
    height: float
    label: str
    """The day, for the table."""
    value: str
    """Its meaning in words."""


@dataclass(frozen=True)
class Chart:
    """Bars over the last days, with a heading and the value of a full bar."""

    name: str
    title: str
    text: str
    """The chart in a sentence."""
    bars: list[Bar]
    top: str
    """The value at the top."""


def bars(days: Sequence[date], values: Sequence[float | None], top: float,
         says: Callable[[float], str]) -> list[Bar]:  # fmt: skip
    """Return a bar for each day that has a value."""
    step = WIDTH / len(days)
    return [
        Bar(
            round(at * step, 1),
            round(HEIGHT - HEIGHT * value / top, 1),
            round(step - GAP, 1),
            round(HEIGHT * value / top, 1),
            date_format(day, "DATE_FORMAT"),
            says(value),
        )
        for at, (day, value) in enumerate(zip(days, values, strict=True))
        if value is not None and top
    ]


def charts(last: LastDays) -> list[Chart]:
    """Return the charts of the last days that have anything to show."""
    found = [matches(last.days), waits(last.days), fairness(last.days)]
    return [chart for chart in found if chart.bars]


def matches(days: Sequence[Day]) -> Chart:
    counts: list[float | None] = [day.matches for day in days]
    most, total = max(day.matches for day in days), sum(day.matches for day in days)
    text = ngettext(
        "%(count)s match was rated in the last %(days)d days.",
        "%(count)s matches were rated in the last %(days)d days.",
        total,
    )
    return Chart(
        "matches",
        _("Matches per day"),
        text % {"count": intcomma(total), "days": len(days)},
        bars([day.day for day in days], counts, most, lambda value: intcomma(int(value))),
        intcomma(most),
    )


def waits(days: Sequence[Day]) -> Chart:
    found = [day.wait for day in days]
    known = [wait for wait in found if wait is not None]
    most = max(known, default=0)
    return Chart(
        "waits",
        _("Waits in queues"),
        _("Half of those who found a match waited at most this long."),
        bars([day.day for day in days], found, most, seconds_in_words),
        seconds_in_words(most),
    )


def fairness(days: Sequence[Day]) -> Chart:
    """The chance of favourites beyond even: a match is fair if the bar is low."""
    found = [day.favourite - 0.5 if day.favourite is not None else None for day in days]
    most = max((each for each in found if each is not None), default=0.0)
    return Chart(
        "fairness",
        _("Fairness"),
        _("The favourite’s average chance to win. In even matches it is 50 %."),
        bars([day.day for day in days], found, most, lambda value: percent(0.5 + value)),
        percent(0.5 + most),
    )


@dataclass(frozen=True)
class Point:
    """Matches whose favourite had about the same chance, in the square of the calibration."""

    x: float
    y: float
    size: float
    range: str
    games: str
    chance: str
    won: str


def calibration(found: Sequence[Calibration]) -> list[Point]:
    """Return a point for each range of chances: the forecast to the right, the outcome up."""
    most = max((one.games for one in found), default=1)
    return [
        Point(
            round(PERCENT * one.chance, 1),
            round(min(PERCENT - PERCENT * one.won, LOWEST_POINT), 1),
            round(2 + 3 * (one.games / most) ** 0.5, 1),
            _("%(low)d to %(high)d %%") % {"low": one.low, "high": one.high},
            intcomma(one.games),
            percent(one.chance),
            percent(one.won),
        )
        for one in found
    ]
