"""Tournaments of Challonge."""

import json
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from tests.support.results_of_sites import challonge, challonge_v2, match_v2, played


def read_sample(document: Any) -> Found:
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
    first, series, unclear, draw = read_sample(document).results
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
    read_file = read_sample(wrong)
    assert (read_file.results, [problem.line for problem in read_file.problems]) == ([], [1])


def test_parts_are_read() -> None:
    matches = [{"match": played(11, 12, 12, "1-3")}]
    people = [{"participant": {"id": 11, "name": "Alice"}}, {"id": 12, "display_name": "Bob"}]
    named = [{**played(11, 12, 12, "1-3"), "player1_name": "Alice", "player2_name": "Bob"}]
    for document in ({"matches": matches, "participants": people}, named, {"matches": named}):
        [result] = read_sample(document).results
        assert [side.names for side in result.sides] == [["Alice"], ["Bob"]]
        assert [side.place for side in result.sides] == [1, 0]
    with pytest.raises(UnreadableFile, match="Put the participants into the same file"):
        read_sample(matches)


def test_answers_of_version_2_are_read() -> None:
    document = challonge_v2(
        match_v2(12, 11, 12, [3, 1]),
        match_v2(12, 13, 13, [3, 1], [0, 3], [2, 3]),
        match_v2(11, 13, None, [1, 1]),
        match_v2(11, 13, None, [1, 0], winner_ids=[11]),
        match_v2(11, 13, 13, [0, 0], forfeited=True),
        match_v2(11, 13, None, state="open"),
    )
    read_file = read_sample(document)
    assert read_file.problems == []
    rows = [
        [(side.names[0], side.place, side.score) for side in one.sides] for one in read_file.results
    ]
    assert rows == [
        [("Bob", 0, 3), ("Alice", 1, 1)],
        [("Bob", 1, 1), ("Charlie", 0, 2)],
        [("Alice", 0, 1), ("Charlie", 0, 1)],
        [("Alice", 0, 1), ("Charlie", 1, 0)],
    ]
    assert (read_file.results[0].round, str(read_file.results[0].played_at)) == (
        "2",
        "2026-01-02 20:00:00+00:00",
    )
    parts = {
        "matches": {"data": document["data"]},
        "participants": {"data": document["included"]},
    }
    assert len(read_sample(parts).results) == 4
    without = match_v2(11, 12, 11, [2, 1])
    del without["relationships"]
    assert read_sample(challonge_v2(without)).results[0].sides[0].names == ["Alice"]
