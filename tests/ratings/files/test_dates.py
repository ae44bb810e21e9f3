"""Dates as people and programs write them."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.files import dates
from ratings.files.dates import DateOrder


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("16/08/14", "2014-08-16T00:00:00"),
        ("16-08-2014", "2014-08-16T00:00:00"),
        ("05/31/2023", "2023-05-31T00:00:00"),
        ("31 May 2023", "2023-05-31T00:00:00"),
        ("2023/05/31", "2023-05-31T00:00:00"),
        ("Sat Aug 19 2000", "2000-08-19T00:00:00"),
        ("1685558400", "2023-05-31T18:40:00+00:00"),
        ("1685558400000", "2023-05-31T18:40:00+00:00"),
        ("20230531", "2023-05-31T00:00:00"),
        ("31.5.2023 7:30 pm", "2023-05-31T19:30:00"),
        ("31.05.2023, 19.30", "2023-05-31T19:30:00"),
        ("5/31/23 12:05 AM", "2023-05-31T00:05:00"),
        ("2024-05-31T19:30:00Z", "2024-05-31T19:30:00+00:00"),
        ("2024-05-31 9:30+02:00", "2024-05-31T09:30:00+02:00"),
        ("2024-05-31 19:30:01.25", "2024-05-31T19:30:01.250000"),
        ("May 31, 2023 7:30 PM", "2023-05-31T19:30:00"),
        ("31-May-23", "2023-05-31T00:00:00"),
        ("3. März 2024", "2024-03-03T00:00:00"),
        ("Mi 3. Okt. 2024", "2024-10-03T00:00:00"),
        ("dimanche 3 août 2024", "2024-08-03T00:00:00"),
        ("1er févr. 2024", "2024-02-01T00:00:00"),
        ("3 de mayo de 2023", "2023-05-03T00:00:00"),
        ("lunedì 31 maggio 2023", "2023-05-31T00:00:00"),
        ("1º de março de 2024", "2024-03-01T00:00:00"),
        ("5 mei 2024 19:30", "2024-05-05T19:30:00"),
        ("So. 31.05.2024 19:30 Uhr", "2024-05-31T19:30:00"),
        ("31 / 05 / 2023", "2023-05-31T00:00:00"),
    ],
)
def test_a_date_is_read_however_it_is_written(text: str, at: str) -> None:
    read = dates.read(text)
    assert read.at.isoformat() == at
    assert read.has_hour == (read.at.tzinfo is not None or read.at.time() > time())


@pytest.mark.parametrize(
    "text",
    ["", "Ann", "3:1", "1-0", "2023", "May 2023", "30/2/2023", "13.13.2023", "02.13.2026", "12:30",
     "2024-02-30", "2023-05-31 25:00", "31 May", "1/2", "x" * 1000, "9" * 400, "²/³/2023"],
)  # fmt: skip
def test_other_texts_are_no_dates(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        dates.read(text)


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["1/2/2023", "31/5/2023"], DateOrder.DAY),
        (["1/2/2023", "5/31/2023"], DateOrder.MONTH),
        (["1/2/2023", "3/4/2023"], None),
        (["1/2/2023", "2023-05-31"], None),
        (["1.2.2023"], DateOrder.DAY),
        (["yesterday", ""], None),
    ],
)
def test_one_date_decides_for_the_whole_file(texts: list[str], order: DateOrder | None) -> None:
    assert dates.guess_order(texts) == order


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from("/-"))
def test_every_day_is_read_in_its_order(day: date, sign: str) -> None:
    for order, text in (
        (DateOrder.DAY, f"{day.day}{sign}{day.month}{sign}{day.year}"),
        (DateOrder.MONTH, f"{day.month:02}{sign}{day.day:02}{sign}{day.year}"),
        (DateOrder.DAY, f"{day.year}{sign}{day.month:02}{sign}{day.day:02}"),
    ):
        assert dates.read(text, order).at.date() == day
    assert dates.read(f"{day.day}.{day.month}.{day.year}").at.date() == day


@given(st.datetimes(datetime(1973, 4, 1), datetime(2200, 1, 1)))  # noqa: DTZ001 - made aware below
def test_iso_8601_and_unix_seconds_are_read_exactly(at: datetime) -> None:
    aware = at.replace(tzinfo=UTC)
    assert dates.read(aware.isoformat()).at == aware
    whole = aware.replace(microsecond=0)
    seconds = (whole - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1)
    assert dates.read(str(seconds)).at == whole


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        dates.read(text)
    except ValueError:
        return
