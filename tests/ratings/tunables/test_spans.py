"""Spans of a calendar: written, read, compared and added to dates."""

import copy
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.seasons.rules import Calendar, read_rules
from ratings.tunables.reading import ParameterError
from ratings.tunables.spans import Span, add_months, add_span, format_span, months_until, parse_span

BERLIN = ZoneInfo("Europe/Berlin")
EARLIEST, LATEST = datetime.fromisoformat("1975-01-01"), datetime.fromisoformat("2035-01-01")


@pytest.mark.parametrize(
    ("text", "written", "months", "days"),
    [
        ("1 month", "1 month", 1, 30),
        (" 3 Months ", "3 months", 3, 90),
        ("1 year", "12 months", 12, 360),
        ("2 weeks", "2w", 0, 14),
        ("1 week", "1w", 0, 7),
        ("10 days", "10d", 0, 10),
        ("90d", "90d", 0, 90),
        (0, "0s", 0, 0),
        ("0 months", "0s", 0, 0),
    ],
)
def test_a_span_is_read_in_words_and_written_shortly(
    text: object, written: str, months: int, days: float
) -> None:
    span = parse_span(text)
    assert (format_span(span), span.months, float(span)) == (written, months, days * 86_400)
    assert parse_span(written) == span


@pytest.mark.parametrize(
    "text",
    [
        "1.5 months",
        "-1 month",
        "122 months",
        "11 years",
        "9999999 months",
        "٣ months",
        "month",
        "",
        "nan",
        "inf",
        None,
        True,
        [],
        {},
        "30m",
        "1 month 2 weeks",
    ],
)
def test_what_is_no_length_of_a_season_is_refused_at_its_field(text: object) -> None:
    with pytest.raises(ParameterError) as refused:
        read_rules({"calendar": {"length": text}})
    assert list(refused.value.problems) == ["calendar.length"]
    assert "must be" in str(refused.value)


def test_a_month_is_not_thirty_days() -> None:
    month, days = parse_span("1 month"), parse_span("30d")
    assert month != days
    assert days == 30 * 86_400
    assert Calendar(length=month) != Calendar(length=days)
    assert copy.deepcopy(month) == month == Span.of_months(1)
    assert len({month, days, 30 * 86_400.0}) == 2


def test_durations_keep_their_meaning() -> None:
    rules = read_rules({"calendar": {"length": "90d", "pause": 7200, "archive_after": "1w"}})
    written = rules.to_json()["calendar"]
    assert (written["length"], written["pause"], written["archive_after"]) == ("90d", "2h", "1w")
    assert rules.calendar.length == 7_776_000.0
    assert read_rules(rules.to_json()) == rules


@pytest.mark.parametrize(
    ("first", "months", "then"),
    [
        ("2026-01-31T20:00", 1, "2026-02-28T20:00"),  # the last day of a shorter month
        ("2026-01-31T20:00", 2, "2026-03-31T20:00"),  # and no drift: summer time, the same hour
        ("2024-01-31T20:00", 1, "2024-02-29T20:00"),  # a leap year
        ("2024-02-29T20:00", 12, "2025-02-28T20:00"),
        ("2026-11-30T20:00", 3, "2027-02-28T20:00"),
        ("2026-02-28T02:30", 1, "2026-03-28T02:30"),
        ("2026-02-25T02:30", 8, "2026-10-25T02:30"),  # twice that night: the first counts
    ],
)
def test_months_end_on_the_same_day_and_hour_or_on_the_last_day(
    first: str, months: int, then: str
) -> None:
    start = datetime.fromisoformat(first).replace(tzinfo=BERLIN)
    end = add_months(start, months, BERLIN)
    assert end == datetime.fromisoformat(then).replace(tzinfo=BERLIN).astimezone(UTC)
    assert months_until(start, end, BERLIN) == months


def test_an_hour_that_the_clocks_skip_becomes_the_next_one() -> None:
    start = datetime(2026, 1, 29, 2, 30, tzinfo=BERLIN)
    assert add_months(start, 2, BERLIN) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert datetime(2026, 3, 29, 1, 30, tzinfo=UTC).astimezone(BERLIN).hour == 3
    assert add_months(start, 3, BERLIN) == datetime(2026, 4, 29, 2, 30, tzinfo=BERLIN)


def test_a_time_between_two_months_is_no_whole_number_of_them() -> None:
    start = datetime(2026, 1, 31, 20, tzinfo=BERLIN)
    assert months_until(start, datetime(2026, 2, 27, 20, tzinfo=BERLIN), BERLIN) is None
    assert months_until(start, datetime(2026, 2, 28, 21, tzinfo=BERLIN), BERLIN) is None
    assert months_until(start, start, BERLIN) == 0


@pytest.mark.parametrize(
    ("span", "times", "then"),
    [
        ("7d", 1, "2026-10-28T20:00"),  # the clocks went back on the 25th
        ("1d", 7, "2026-10-28T20:00"),
        ("2 weeks", -1, "2026-10-07T20:00"),
        ("1 month", 1, "2026-11-21T20:00"),
        ("5d", -60, "2025-12-25T20:00"),
    ],
)
def test_days_and_weeks_keep_the_hour(span: str, times: int, then: str) -> None:
    start = datetime(2026, 10, 21, 20, tzinfo=BERLIN)
    end = add_span(start, parse_span(span), BERLIN, times)
    assert end == datetime.fromisoformat(then).replace(tzinfo=BERLIN).astimezone(UTC)


@pytest.mark.parametrize("hours", [8, 26, 36])
def test_hours_are_exact(hours: int) -> None:
    start = datetime(2026, 10, 24, 20, tzinfo=BERLIN)
    then = add_span(start, hours * 3600, BERLIN)
    assert then - start.astimezone(UTC) == timedelta(hours=hours)


@given(
    st.datetimes(EARLIEST, LATEST, timezones=st.timezones()),
    st.integers(1, 40),
    st.integers(1, 30),
)
def test_every_round_follows_the_one_before_at_its_hour(
    start: datetime, days: int, times: int
) -> None:
    zone = start.tzinfo
    assert isinstance(zone, ZoneInfo)
    begins = start.astimezone(UTC)
    ends = [add_span(begins, days * 86_400, zone, number) for number in range(1, times + 1)]
    assert [begins, *ends] == sorted({begins, *ends})
    for number, end in enumerate(ends, start=1):
        wall = begins.astimezone(zone).replace(tzinfo=None) + timedelta(days=number * days)
        exists = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        if exists.replace(tzinfo=None) == wall:
            assert end.astimezone(zone).replace(tzinfo=None) == wall
