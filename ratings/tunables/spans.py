"""Lengths of time for calendars: durations such as ``4h`` or ``90d``, or calendar months.

Months are those of the calendar, so only a date and its time zone tell how long they last.
"""

from __future__ import annotations

import calendar
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pydantic_core import core_schema

from ratings.tunables.durations import UNITS, format_duration, parse_duration

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from pydantic_core import CoreSchema

EXAMPLES = "1 month, 3 months, 2 weeks, 90d or 4h"
MONTH = 30 * UNITS["d"]
"""The seconds that a month stands for where spans are compared."""

_WORDS = re.compile(r"\s*(\d{1,6})\s*(day|week|month|year)s?\s*", re.IGNORECASE | re.ASCII)
_SECONDS = {"day": UNITS["d"], "week": UNITS["w"]}
_MONTHS = {"month": 1, "year": 12}


class Span(float):
    """A number of seconds, or of calendar months, whose seconds are only an estimate."""

    months: int

    def __new__(cls, seconds: float, months: int = 0) -> Span:
        span = super().__new__(cls, seconds)
        span.months = months
        return span

    @classmethod
    def of_months(cls, months: int) -> Span:
        return cls(months * MONTH, months)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> CoreSchema:
        """Let bounds apply to spans, which a validator has read before."""
        return core_schema.is_instance_schema(cls)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, int | float):
            return NotImplemented
        return super().__eq__(float(other)) and self.months == getattr(other, "months", 0)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((float(self), self.months)) if self.months else super().__hash__()


def parse_span(written: object) -> Span:
    """Return the span of a text such as ``1 month``, ``2 weeks`` or ``90d``, or of seconds.

    Raises:
        ValueError: it is none of these, or it is negative, infinite or not a number.
    """
    if isinstance(written, Span):
        return written
    words = _WORDS.fullmatch(written) if isinstance(written, str) else None
    if words is None:
        return Span(parse_duration(written))
    number, unit = int(words[1]), words[2].lower()
    if unit in _MONTHS:
        return Span.of_months(number * _MONTHS[unit])
    return Span(number * _SECONDS[unit])


def format_span(span: Span) -> str:
    """Write a span as ``parse_span`` reads it: ``1 month``, ``2w``, ``90d``."""
    if not span.months:
        return format_duration(span)
    return "1 month" if span.months == 1 else f"{span.months} months"


def add_months(moment: datetime, months: int, zone: ZoneInfo) -> datetime:
    """Return the same day and hour of a later month in a time zone, in UTC.

    In a shorter month it is the last day. An hour that the clocks skip on that day becomes the
    hour after it, and of an hour that comes twice it is the first.
    """
    if not months:
        return moment
    local = moment.astimezone(zone)
    year, month = divmod(local.year * 12 + local.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    day = min(local.day, last)
    return local.replace(year=year, month=month + 1, day=day, fold=0).astimezone(UTC)


def add_span(moment: datetime, span: float, zone: ZoneInfo, times: int = 1) -> datetime:
    """Return the moment after ``times`` spans, or durations in seconds, in UTC.

    Whole days keep the hour when clocks change, as months do. Other durations are exact.
    """
    if months := getattr(span, "months", 0):
        return add_months(moment, times * months, zone)
    time = times * timedelta(seconds=span)
    if span % UNITS["d"]:
        return moment.astimezone(UTC) + time
    return (moment.astimezone(zone) + time).replace(fold=0).astimezone(UTC)


def months_until(first: datetime, moment: datetime, zone: ZoneInfo) -> int | None:
    """Return how many months after ``first`` a time is, ``None`` if it is not a whole number."""
    begin, end = first.astimezone(zone), moment.astimezone(zone)
    months = (end.year - begin.year) * 12 + end.month - begin.month
    # In UTC, because Python calls times of an hour that comes twice unequal to all others.
    exact = add_months(first, months, zone).astimezone(UTC) == moment.astimezone(UTC)
    return months if exact else None
