"""Contests of the Elo-MMR program."""

import json
import math
from datetime import UTC, datetime
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import AT, contest


def read_sample(document: Any) -> Found:
    return read(json.dumps(document).encode())


def test_a_contest_becomes_an_order_of_finish() -> None:
    one = contest(["Cem", 2, 2], ["Ann", 0, 1], ["Bob", 0, 1], weight=0.5, perf_ceiling=2400)
    read_file = read_sample([one, contest(["Ann", 0, 0])])
    [result] = read_file.results
    places = {side.names[0]: side.place for side in result.sides}
    assert places == {"Ann": 0, "Bob": 0, "Cem": 2}
    assert (result.weight, result.ceiling, result.event) == (0.5, 2400, "Round 1")
    assert result.played_at == datetime.fromtimestamp(AT, UTC)
    assert "without a played result, which are left out: 1" in str(read_file.remarks)
    assert read_sample(contest(["A", 0, 0], ["B", 1, 1])).results[0].ceiling == math.inf


def test_names_can_have_any_signs() -> None:
    names = ["Ann > Bob", "Cem = Co", "two\nlines"]
    [result] = read_sample(contest(*([name, at, at] for at, name in enumerate(names)))).results
    assert [side.names for side in result.sides] == [[name] for name in names]


@pytest.mark.parametrize(
    "wrong",
    [
        contest(["Ann", -1, 0], ["Bob", 1, 1]),
        contest(["Ann", 0, 0], ["Bob", 1, 1], time_seconds=10**30),
        contest(["Ann", 0, 0], ["Bob", 1, 1], weight="NaN"),
        contest("Ann"),  # type: ignore[arg-type]
        {"standings": [["Ann", 0, 0], ["Bob", 1, 1]]},
    ],
)
def test_wrong_contests_are_named(wrong: dict[str, Any]) -> None:
    good = contest(["Ann", 0, 0], ["Bob", 1, 1])
    read_file = read_sample([good, wrong, 7])
    assert [result.line for result in read_file.results] == [1]
    assert [problem.line for problem in read_file.problems] == [2, 3]


def test_nulls_say_nothing_and_places_begin_with_the_best() -> None:
    one = contest(["Ann", 4, 4], ["Bob", 7, 8], ["Cem", 7, 8], perf_ceiling=None, weight=None)
    [result] = read_sample({**one, "name": None}).results
    assert [side.place for side in result.sides] == [0, 1, 1]
    assert (result.ceiling, result.weight, result.event) == (math.inf, 1, "")
