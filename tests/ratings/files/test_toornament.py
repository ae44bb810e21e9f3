"""Matches of Toornament."""

import json
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import opponent, toornament


def read_sample(document: Any) -> Found:
    return read(json.dumps(document).encode())


def test_duels_and_free_for_alls_are_read() -> None:
    matches = [
        toornament(opponent("Ann", "loss", score=7), opponent("Bob", "win", score=13)),
        toornament(opponent("Ann", "draw", score=1), opponent("Bob", "draw", score=1)),
        toornament(opponent("Ann", "win", score=0), opponent("Bob", "loss", score=3)),
        toornament(
            opponent("Ann", rank=2), opponent("Bob", rank=1), opponent("Cem", rank=2), type="ffa"
        ),
        toornament(opponent("Ann", score=5), opponent("Bob", score=9), opponent("Cem", score=7)),
    ]
    for document in (matches, {"matches": matches}):
        read_file = read_sample(document)
        assert [[side.place for side in one.sides] for one in read_file.results] == [
            [1, 0],
            [0, 0],
            [0, 1],
            [1, 0, 1],
            [2, 0, 1],
        ]
        assert [side.score for side in read_file.results[0].sides] == [7, 13]
        assert [side.score for side in read_file.results[2].sides] == [None, None]
    assert str(read_file.results[0].played_at) == "2026-01-02 21:00:00+01:00"


def test_forfeits_byes_and_matches_to_come_are_left_out() -> None:
    read_file = read_sample(
        [
            toornament(opponent("Ann", "win"), opponent("Bob", "loss", forfeit=True)),
            toornament(opponent("Ann", "win"), opponent(None)),
            toornament(opponent("Ann"), opponent("Bob"), status="pending"),
        ]
    )
    assert (read_file.results, read_file.problems) == ([], [])
    assert any("left out: 3" in text for text in read_file.remarks)


def test_a_date_that_was_set_counts_without_that_of_the_game() -> None:
    match = toornament(opponent("Ann", "win"), opponent("Bob", "loss"), played_at=None)
    match["scheduled_datetime"] = "2026-01-05T20:00:00Z"
    assert str(read_sample([match]).results[0].played_at) == "2026-01-05 20:00:00+00:00"


@pytest.mark.parametrize(
    "wrong",
    [
        toornament(opponent("Ann", "win"), opponent("Bob", "win")),
        toornament(opponent("Ann"), opponent("Bob")),
        toornament(opponent("Ann", "victory"), opponent("Bob", "loss")),
        toornament(opponent("Ann", "win"), opponent("Bob", "loss"), played_at="yesterday"),
    ],
)
def test_wrong_matches_are_named(wrong: Any) -> None:
    read_file = read_sample([wrong])
    assert (read_file.results, [one.line for one in read_file.problems]) == ([], [1])
