"""Days and times as people and programs write them.

A date such as 3/4/2023 is of March or of April. All dates of a file are in one order, so one date
that can be read in a single way (31/5/2023) decides for all of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from dateutil.parser import ParserError

from ratings.files.month_names import PARSER

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST_UNIX, LAST_UNIX = 100_000_000, 9_000_000_000
"""Seconds since 1970 that are read as a time: from 1973, so that days such as 20230531 are none."""

NUMBERS = re.compile(r"(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?")
WEEKDAY = re.compile(r"[^\W\d]+\.?,? (?=\d{1,4}\s?[./-]\s?\d{1,2}\s?[./-])")
O_CLOCK = re.compile(r"(?<=\d)\s*(?:uhr|hrs?|uur)\.?\Z", re.IGNORECASE)
SERIAL = re.compile(r"[2-6]\d{4}(?:\.\d+)?")
"""A day from 1954 to 2091 as spreadsheets count them, where a cell lost its format."""
FIRST_SERIAL = datetime(1899, 12, 30)  # noqa: DTZ001 - local, as written
SHORTENED = re.compile(r"\d(?:\.\d{1,12})?e\+?(?:9|1[0-2])", re.IGNORECASE)
"""Seconds or milliseconds since 1970 as spreadsheets shorten them: 1.50421E+12."""
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
HOUR = re.compile(
    r"(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([ap]\.?m\.?)?"
    r"\s*(z|utc|gmt|[+-]\d{2}:?\d{2}|[+-]\d{2})?",
    re.IGNORECASE,
)
BARE_HOUR = re.compile(r"(\d{1,2})\s*([ap])\.?m\.?", re.IGNORECASE)
YEAR_IN_WORDS = re.compile(r"\d{4}|['’]\d{2}|\d{1,2}\W{0,3}[^\W\d]{3,}\W{1,2}\d{2}(?![\d:])")
"""A year behind the name of a month can have two digits: 31-May-23."""
LONGEST = 60


class DateOrder(StrEnum):
    """The number that comes first in dates without a year in front."""

    DAY = "day"
    MONTH = "month"


@dataclass(frozen=True)
class WrittenTime:
    """A day or a time as it was written."""

    at: datetime
    """Without a time zone if none was written."""
    has_hour: bool


def guess_order(texts: Iterable[str]) -> DateOrder | None:
    """Return the order of all dates, None if they can be read in more than one.

    Dates that no order reads, or that need none, say nothing.
    """
    left = set(DateOrder)
    for text in texts:
        if (found := NUMBERS.match(bare(text))) and len(found[1]) <= 2:
            fits = {order for order in DateOrder if day_of(found, order) is not None}
            left &= fits or left
    return left.pop() if len(left) == 1 else None


def is_ambiguous(text: str) -> bool:
    """Return whether a date is another day if its month comes first. With points it does not."""
    found = NUMBERS.match(bare(text))
    if found is None:
        return False
    days = {day_of(found, order) for order in DateOrder} - {None}
    return len(days) > 1


def day_of(found: re.Match[str], order: DateOrder) -> date | None:
    """Return the day that three numbers are in an order, None if they are none.

    A year of four digits that comes first needs no order, and points are only written between a
    day and a month.
    """
    first, sign, second, third = found.groups()
    if len(first) > 2:
        year, month, day = first, second, third
    elif order == DateOrder.MONTH:
        if sign == ".":
            return None
        month, day, year = first, second, third
    else:
        day, month, year = first, second, third
    if len(year) not in {2, 4} or max(len(day), len(month)) > 2:
        return None
    try:
        return date(full_year(int(year)) if len(year) == 2 else int(year), int(month), int(day))
    except ValueError:
        return None


def full_year(year: int) -> int:
    """Return the year of two digits, as POSIX does: 69 is 1969 and 68 is 2068."""
    return year + (1900 if year >= 69 else 2000)


@lru_cache(maxsize=10_000)
def read(text: str, order: DateOrder | None = None) -> WrittenTime:
    """Return the day or time that a text says. Raises ``ValueError`` if it says none.

    ``order`` is that of dates of numbers. Without one, a date that can be read in several is
    day-first.
    """
    plain = bare(text)
    if not plain or len(plain) > LONGEST:
        raise ValueError("no date")
    if moment := unix_time(plain):
        return moment
    if SERIAL.fullmatch(plain):
        return serial_time(float(plain))
    if found := COMPACT.fullmatch(plain):
        return WrittenTime(at_midnight(date(*map(int, found.groups()))), has_hour=False)
    if found := NUMBERS.match(plain):
        orders = [order] if order else list(DateOrder)
        day = next(filter(None, (day_of(found, each) for each in orders)), None)
        if day is None:
            raise ValueError("no date in this order")
        return with_hour(day, plain[found.end() :])
    return in_words(plain)


def bare(text: str) -> str:
    """Return a text with single spaces, and without the weekday before a date of numbers."""
    return WEEKDAY.sub("", " ".join(text.replace("\u202f", " ").split()), count=1)


def serial_time(days: float) -> WrittenTime:
    """Return a day that a spreadsheet wrote as a number, and the time of day in its fraction."""
    seconds = round(days * 86_400)
    return WrittenTime(FIRST_SERIAL + timedelta(seconds=seconds), has_hour=seconds % 86_400 != 0)


def unix_time(text: str) -> WrittenTime | None:
    """Return a time in seconds or milliseconds since 1970."""
    if SHORTENED.fullmatch(text):
        text = f"{float(text):.0f}"
    whole, _, fraction = text.partition(".")
    if not (whole.isascii() and whole.isdigit() and (not fraction or fraction.isdigit())):
        return None
    if len(whole) > 13:
        return None
    seconds = float(text)
    if FIRST_UNIX * 1000 <= seconds <= LAST_UNIX * 1000 and len(whole) > 10:
        seconds /= 1000
    if not FIRST_UNIX <= seconds <= LAST_UNIX or len(whole) == 8:
        return None
    return WrittenTime(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds), has_hour=True)


def at_midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def with_hour(day: date, rest: str) -> WrittenTime:
    """Return a day with what is written behind it, which is a time of day or nothing."""
    rest = O_CLOCK.sub("", rest.strip(" ,Tt"))
    if not rest:
        return WrittenTime(at_midnight(day), has_hour=False)
    if found := BARE_HOUR.fullmatch(rest):
        return WrittenTime(at_hour(day, found[1], "0", found[2]), has_hour=True)
    found = HOUR.fullmatch(rest)
    if found is None:
        raise ValueError("no time of day")
    moment = at_hour(day, found[1], found[2], found[5] or "")
    microseconds = int((found[4] or "")[:6].ljust(6, "0"))
    moment = moment.replace(second=int(found[3] or 0), microsecond=microseconds)
    return WrittenTime(moment.replace(tzinfo=zone_of(found[6] or "")), has_hour=True)


def at_hour(day: date, hour: str, minute: str, half: str) -> datetime:
    """Return a time of day, with am or pm if ``half`` begins so."""
    number = int(hour)
    if half:
        if not 1 <= number <= 12:
            raise ValueError("no hour of twelve")
        number = number % 12 + (12 if half[0] in "pP" else 0)
    if number == 24 and int(minute) == 0:
        return datetime.combine(day, time()) + timedelta(days=1)
    return datetime.combine(day, time(number, int(minute)))


def zone_of(text: str) -> timezone | None:
    if not text:
        return None
    if text.casefold() in {"z", "utc", "gmt"}:
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)


def in_words(text: str) -> WrittenTime:
    """Return a day with the name of its month, such as 31 May 2023 or Sat Aug 19 2000."""
    if not any(letter.isalpha() for letter in text) or not YEAR_IN_WORDS.search(text):
        raise ValueError("no date")
    defaults = (datetime(2000, 1, 1), datetime(2001, 2, 2, 1, 1))  # noqa: DTZ001 - local, as written
    try:
        one, other = (PARSER.parse(text, default=default) for default in defaults)
    except (ParserError, ArithmeticError) as error:
        raise ValueError("no date") from error
    if one.date() != other.date():  # a part of the day is missing
        raise ValueError("no day")
    has_hour = one.time() == other.time()
    return WrittenTime(one if has_hour else at_midnight(one.date()), has_hour=has_hour)


def is_written_time(text: str) -> bool:
    """Return whether a text is a day or a time. A number alone is none."""
    try:
        return not text.replace(".", "", 1).isdecimal() and bool(read(text))
    except ValueError:
        return False
