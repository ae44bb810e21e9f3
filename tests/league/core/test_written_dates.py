"""Forms read dates and times as people write them, and name the ways of writing them otherwise."""

import re
from datetime import UTC, date, datetime, time

import pytest
from django import forms

from league.formats.errors import DATE, MOMENT, TIME


def error_of(field: forms.Field, given: object) -> str:
    with pytest.raises(forms.ValidationError) as refusal:
        field.clean(given)
    return " ".join(refusal.value.messages)


@pytest.mark.parametrize(
    "written",
    ["2026-10-01", "1.10.2026", "01.10.26", "1/10/2026", "1 Oct 2026", "1 October 2026",
     "Oct 1, 2026", "October 1, 2026"],
)  # fmt: skip
def test_a_day_is_read_as_people_write_it(written: str) -> None:
    assert forms.DateField().clean(written) == date(2026, 10, 1)
    evening = datetime(2026, 10, 1, 20, 30, tzinfo=UTC)
    assert forms.SplitDateTimeField().clean([written, "20:30"]) == evening
    assert forms.DateTimeField().clean(f"{written} 20:30") == evening


@pytest.mark.parametrize("written", ["20:30", "20:30:00", "20.30", "8:30 pm", "8:30 PM"])
def test_a_time_is_read_as_people_write_it(written: str) -> None:
    assert forms.TimeField().clean(written) == time(20, 30)


def test_a_full_hour_needs_no_minutes() -> None:
    assert forms.TimeField().clean("8pm") == forms.TimeField().clean("8 PM") == time(20)


@pytest.mark.parametrize("written", ["31.13.2026", "soon", "2026", "30.2.2026"])
def test_what_cannot_be_read_is_answered_with_ways_to_write_it_that_can(written: str) -> None:
    assert error_of(forms.DateField(), written) == str(DATE)
    assert error_of(forms.TimeField(), written) == str(TIME)
    assert error_of(forms.DateTimeField(), written) == str(MOMENT)
    assert error_of(forms.SplitDateTimeField(), [written, written]) == f"{DATE} {TIME}"


def test_the_named_ways_of_writing_are_read() -> None:
    days = re.findall(r"\d+[./]\d+[./]\d+|\d+ Oct \d+|\d{4}-\d\d-\d\d", str(DATE))
    assert len(days) == 4
    assert {forms.DateField().clean(day) for day in days} == {date(2026, 10, 1)}
    moments = re.findall(r"[\d.-]+ \d\d:\d\d", str(MOMENT))
    assert len(moments) == 2
    assert len({forms.DateTimeField().clean(moment) for moment in moments}) == 1
    assert forms.TimeField().clean(str(TIME).split()[-1].rstrip(".")) == time(20, 30)
