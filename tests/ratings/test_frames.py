"""Histories from data frames, and data frames of results."""

import io
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ratings import HistoryError, Ratings, from_dataframe
from ratings.io import csvfile
from ratings.types import WITHOUT_TIME

CSV = """\
match_id,played_at,side,place,player,score,seconds,quit,profession,weight,perf_ceiling,x
1,2024-05-01T20:00:00.5,a,0,Ann,3.5,60,0,scout,2,,x
1,2024-05-01T20:00:00.5,a,0,Bob,3.5,,1,,2,,x
1,2024-05-01T20:00:00.5,b,1,Cem,-1,30,0,,2,,x
1,2024-05-01T20:00:00.5,b,1,Dia,-1,30,0,scout,2,,x
2,2024-05-03T20:00:00+02:00,a,0,Ann,,,0,,1,,x
2,2024-05-03T20:00:00+02:00,b,0,Dia,,,0,,1,,x
2,2024-05-03T20:00:00+02:00,c,2,Eve,,,0,,1,,x
"""
PLAIN = CSV.replace("ceiling,x", "ceiling").replace(",x\n", "\n").encode()


def in_pandas(text: str) -> Any:
    return pd.read_csv(io.StringIO(text))


def in_polars(text: str) -> Any:
    return pl.read_csv(io.StringIO(text))


def with_times(text: str) -> Any:
    frame = in_pandas(text)
    frame["played_at"] = pd.to_datetime(frame["played_at"], format="ISO8601", utc=True)
    return frame


def with_polars_times(text: str) -> Any:
    return in_polars(text).with_columns(
        played_at=pl.Series(with_times(text)["played_at"].dt.to_pydatetime().tolist())
    )


@pytest.mark.parametrize("read", [in_pandas, in_polars, with_times, with_polars_times])
def test_a_frame_is_read_like_the_file(read: Callable[[str], Any]) -> None:
    expected = csvfile.read(io.BytesIO(PLAIN))
    found = from_dataframe(read(CSV))
    for field in fields(expected):
        one, other = getattr(expected, field.name), getattr(found, field.name)
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other, field.name)
        else:
            assert one == other, field.name


@pytest.mark.parametrize(
    ("column", "cells", "first"),
    [
        ("first", ["home", "home", "c", "d"], None),
        ("first", ["1", "0", "", ""], [0, -1]),
        ("first", ["b", "b", "c", "c"], [1, 0]),
        ("neutral", [False, False, True, True], [0, -1]),
    ],
)
def test_a_column_says_which_side_is_first(
    column: str, cells: list[Any], first: list[int] | None
) -> None:
    frame = pl.DataFrame(
        {
            "match_id": [1, 1, 2, 2],
            "side": ["a", "b", "c", "d"],
            "place": [0, 1, 0, 1],
            "player": ["Ann", "Bob", "Ann", "Bob"],
            column: cells,
        }
    )
    if first is None:
        with pytest.raises(HistoryError, match="match 2: first must"):
            from_dataframe(frame)
    else:
        history = from_dataframe(frame)
        assert history.first is not None
        assert history.first.tolist() == first


def test_columns_may_have_other_names_and_dates_no_hours() -> None:
    frame = pl.DataFrame(
        {
            "game": [7, 7, 9, 9],
            "day": ["2024-05-01", "2024-05-01", "2024-05-02", "2024-05-02"],
            "side": [1, 2, 1, 2],
            "finish": [0, 1, 0, 1],
            "who": [11, 12, 12, 11],
        }
    )
    names = {"match_id": "game", "played_at": "day", "place": "finish", "player": "who"}
    texts = from_dataframe(frame, **names)
    dates = from_dataframe(frame.with_columns(pl.col("day").str.to_date()), **names)
    assert texts.times.tolist() == dates.times.tolist()
    assert np.diff(texts.times).tolist() == [0.0 + 86_400_000_000]
    assert texts.players == ["11", "12"]
    del names["played_at"]
    assert from_dataframe(frame, **names).times.tolist() == [WITHOUT_TIME, WITHOUT_TIME]


@pytest.mark.parametrize("backend", ["pandas", "polars"])
def test_results_become_frames(backend: str) -> None:
    ratings = Ratings("glicko")
    changes = ratings.rate_many(from_dataframe(in_pandas(CSV)))
    frame, board = changes.to_frame(backend), ratings.to_frame(backend)
    assert type(frame).__module__.startswith(backend)
    assert frame["player"].to_list() == ["Ann", "Bob", "Cem", "Dia", "Ann", "Dia", "Eve"]
    assert frame["rating_after"].to_list() == changes.after.rating.tolist()
    assert frame["played_at"].to_list()[0] == changes[0].after.last_played
    assert list(board.columns) == ["rank", "player", "rating", "deviation", "games", "last_played"]
    assert board["rating"].to_list() == [row.rating.rating for row in ratings.leaderboard()]
    untimed = Ratings("elo")
    untimed.rate(["Ann", "Bob"])
    assert list(untimed.to_frame(backend).columns) == ["rank", "player", "rating", "games"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("place", "rank", "there is no column place; the frame has"),
        ("2,2024-05-03T20:00:00+02:00,c,2", "1,2024-05-01T20:00:00.5,c,2", "1: its rows are not"),
        ("b,1,Cem", "b,2,Cem", "match 1: side b: place is both 2 and 1"),
        ("-1,30,0,,2", "-1,30,0,,3", "match 1: weight is both 2"),
        ("Cem", "Ann", "match 1: Ann plays twice"),
        ("b,1,Cem", "b,,Cem", "place"),
        ("60,0,scout", "60,maybe,scout", "match 1: side a: quit must be true or false"),
        ("2024-05-01T20:00:00.5", "May", "match 1: May is not a time"),
    ],
)
@pytest.mark.parametrize("read", [in_pandas, in_polars])
def test_mistakes_are_named(read: Callable[[str], Any], old: str, new: str, problem: str) -> None:
    with pytest.raises(HistoryError, match=problem):
        from_dataframe(read(CSV.replace(old, new)))


def test_unknown_names_of_columns_are_refused() -> None:
    with pytest.raises(HistoryError, match="gamer is not a column; choose from match_id"):
        from_dataframe(in_pandas(CSV), gamer="player")


def test_without_narwhals_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "narwhals", None)
    with pytest.raises(ImportError, match=r"pip install laurel-ratings\[frames\]"):
        from_dataframe(in_pandas(CSV))
