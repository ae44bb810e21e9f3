"""Durations in text."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.tunables.durations import format_duration, parse_duration, parse_duration_with_unit


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("3d", 259200),
        ("1w", 604800),
        ("30s", 30),
        ("90m", 5400),
        ("10m", 600),
        ("4h", 14400),
        ("250ms", 0.25),
        ("0ms", 0),
        ("1.5h", 5400),
        (" 2 D ", 172800),
    ],
)
def test_text_with_a_unit_is_parsed(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds
    assert parse_duration_with_unit(text) == seconds


@pytest.mark.parametrize(
    ("duration", "seconds"), [("45", 45), (45, 45), (0.1, 0.1), (timedelta(days=3), 259200)]
)
def test_numbers_of_seconds_are_parsed(duration: object, seconds: float) -> None:
    assert parse_duration(duration) == seconds


@pytest.mark.parametrize(
    "duration",
    ["", "d", "soon", "3 days", "5 years", "1e3s", "-3d", "-5s", "1e400", "nan", None, True, []],
)
def test_an_invalid_duration_is_refused(duration: object) -> None:
    for parse in (parse_duration, parse_duration_with_unit):
        with pytest.raises(ValueError, match="a duration is zero or more, written like"):
            parse(duration)


def test_text_without_a_unit_can_be_refused() -> None:
    with pytest.raises(ValueError, match="a duration is zero or more, written like"):
        parse_duration_with_unit("5")


@given(st.floats(0, 1e12) | st.integers(0, 10**9).map(float) | st.integers(0, 10**6).map(
    lambda milliseconds: milliseconds / 1000
))  # fmt: skip
def test_a_duration_survives_a_round_trip(seconds: float) -> None:
    assert parse_duration(format_duration(seconds)) == seconds
    assert parse_duration_with_unit(format_duration(seconds)) == seconds


@pytest.mark.parametrize("seconds", [0.0, 1e-9, 0.1, 1 / 3, 59.999, 86400.5, 604800.0, 1e9])
def test_odd_durations_survive_a_round_trip(seconds: float) -> None:
    assert parse_duration_with_unit(format_duration(seconds)) == seconds


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0s"), (259200, "3d"), (604800, "1w"), (5400, "90m"), (0.25, "250ms"), (1.5, "1500ms")],
)
def test_a_duration_is_written_in_the_largest_unit_that_divides_it(
    seconds: float, text: str
) -> None:
    assert format_duration(seconds) == text
