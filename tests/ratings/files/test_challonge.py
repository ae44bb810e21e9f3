"""Tournaments of Challonge."""

import json
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import challonge, played


def found(document: Any) -> Found:
    return read(json.dumps(document).encode())


def test_a_tournament_gives_its_played_matches() -> None:
    document = challonge(
        played(11, 12, 12, "1-3"),
        played(12, 13, 13, "3-1,0-3,2-3"),
        played(11, 13, 11, "0-2"),  # scores that name another winner are left out
        played(11, 13, None, "1-1"),
        played(11, 12, 11, "", forfeited=True),
        {"state": "open", "player1_id": 11, "player2_id": None},
    )
    first, series, unclear, draw = found(document).results
    assert [side.names for side in first.sides] == [["Alice"], ["Bob"]]
    assert [(side.place, side.score) for side in first.sides] == [(1, 1), (0, 3)]
    assert (first.round, first.event, str(first.played_at)) == (
        "1",
        "Winter cup",
        "2026-01-02 21:00:00+01:00",
    )
    assert [side.score for side in series.sides] == [1, 2]
    assert [(side.place, side.score) for side in unclear.sides] == [(0, None), (1, None)]
    assert [side.place for side in draw.sides] == [0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        challonge(played(11, 12, 99, "1-0")),
        challonge(played(11, 99, 11, "1-0")),
        challonge(played(11, 12, 11, "1-0", completed_at="yesterday")),
    ],
)
def test_wrong_entries_are_named(wrong: dict[str, Any]) -> None:
    read_file = found(wrong)
    assert (read_file.results, [problem.line for problem in read_file.problems]) == ([], [1])
