"""Lengths of time in words."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.tunables.durations import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.tunables.spans import Span

TEXTS: dict[str, Callable[[int], str]] = {
    "year": lambda n: ngettext("%(count)d year", "%(count)d years", n),
    "month": lambda n: ngettext("%(count)d month", "%(count)d months", n),
    "week": lambda n: ngettext("%(count)d week", "%(count)d weeks", n),
    "day": lambda n: ngettext("%(count)d day", "%(count)d days", n),
    "hour": lambda n: ngettext("%(count)d hour", "%(count)d hours", n),
    "minute": lambda n: ngettext("%(count)d minute", "%(count)d minutes", n),
    "second": lambda n: ngettext("%(count)d second", "%(count)d seconds", n),
}
SECONDS = {"year": 31_536_000, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}


def describe_duration(duration: timedelta) -> str:
    """Return a duration in its two largest units: ``2 days``, ``1 hour 30 minutes``.

    Seconds are left out of durations of an hour or more.
    """
    left = int(duration.total_seconds())
    if left <= 0:
        return _("less than a second") if duration else _("no time")
    parts = []
    for unit, seconds in SECONDS.items():
        count, left = divmod(left, seconds)
        if count:
            parts.append((unit, count))
    if SECONDS[parts[0][0]] >= SECONDS["hour"]:
        parts = [part for part in parts if part[0] != "second"]
    return " ".join(count_units(unit, count) for unit, count in parts[:2])


def seconds_in_words(seconds: float) -> str:
    """Return a number of seconds as :func:`describe_duration`."""
    return describe_duration(timedelta(seconds=seconds))


def span_in_words(span: Span) -> str:
    """Return a span of a calendar in words: ``3 months``, ``2 weeks``, ``90 days``."""
    if span.months:
        return count_units("month", span.months)
    weeks, rest = divmod(span, UNITS["w"])
    return (
        count_units("week", int(weeks))
        if weeks and not rest
        else describe_duration(timedelta(seconds=span))
    )


def count_units(unit: str, count: int) -> str:
    """Return ``count`` of a unit, such as ``3 days``."""
    return TEXTS[unit](count) % {"count": count}
