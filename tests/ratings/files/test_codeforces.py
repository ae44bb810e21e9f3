"""Contests of Codeforces."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from tests.support.results_of_sites import AT, codeforces, ranked, rating_change


def read_sample(document: Any) -> Found:
    return read(json.dumps(document).encode())


def placed(one: Found) -> list[list[tuple[list[str], int]]]:
    return [[(side.names, side.place) for side in result.sides] for result in one.results]


STANDINGS = codeforces(
    ranked(1, "tourist", points=6000.0),
    ranked(2, "Petr", "rng_58", points=5000.0, teamName="Both"),
    ranked(2, "um_nik", points=5000.0),
    ranked(4, "ghost", ghost=True),
    ranked(5, "later", participantType="VIRTUAL"),
    ranked(0, "trainer", participantType="PRACTICE"),
    ranked(None, "unknown"),
    ranked(6, "last", points=1.0),
)
ORDER = [(["tourist"], 0), (["Petr", "rng_58"], 1), (["um_nik"], 1), (["last"], 3)]


def test_standings_are_an_order_of_finish() -> None:
    read_file = read_sample(STANDINGS)
    assert placed(read_file) == [ORDER]
    [result] = read_file.results
    assert [side.score for side in result.sides] == [6000, 5000, 5000, 1]
    assert (result.event, result.played_at) == ("Round 1", datetime.fromtimestamp(AT, UTC))


@pytest.mark.parametrize(
    "document",
    [STANDINGS["result"], [STANDINGS], [STANDINGS["result"]], {**STANDINGS, "status": None}],
)
def test_answers_are_read_with_and_without_their_frames(document: Any) -> None:
    assert placed(read_sample(document)) == [ORDER]


def test_rating_changes_are_contests_and_ratings_before_the_first() -> None:
    changes = [
        rating_change("Ann", 1, 1500),
        rating_change("Bob", 3, 0),
        rating_change("Cem", 3, 1400),
        rating_change("Dora", None, 1200),
        rating_change("Bob", 1, 1450, contest=567),
        rating_change("Ann", 2, 1510, contest=567),
        rating_change("Eve", 1, 1300, contest=568),
    ]
    for document in ({"status": "OK", "result": changes}, changes):
        read_file = read_sample(document)
        assert placed(read_file) == [
            [(["Ann"], 0), (["Bob"], 1), (["Cem"], 1)],
            [(["Bob"], 0), (["Ann"], 1)],
        ]
        assert [one.event for one in read_file.results] == ["Round 566", "Round 567"]
        assert {one.name: one.rating for one in read_file.ratings} == {
            "Ann": 1500,
            "Bob": 1450,
            "Cem": 1400,
            "Dora": 1200,
            "Eve": 1300,
        }
        assert any("left out: 1" in text for text in read_file.remarks)


def test_contests_that_are_not_over_are_left_out() -> None:
    running = codeforces(ranked(1, "Ann"), ranked(2, "Bob"), phase="CODING")
    assert read_sample([running, STANDINGS]).results[0].line == 2


def test_nulls_are_unknown() -> None:
    nameless = codeforces(ranked(1, "Ann"), ranked(2, "Bob"), name=None, startTimeSeconds=None)
    [result] = read_sample(nameless).results
    assert (result.event, result.played_at, result.sides[0].score) == ("", None, None)


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (codeforces(ranked(1, "Ann"), ranked(2)), "A party has no members"),
        (codeforces(ranked(1, "Ann"), ranked(2, "Ann")), "“Ann” is in this contest twice"),
        (codeforces(ranked(1, "Ann"), {"rank": 2}), "rows.1.party"),
    ],
)
def test_wrong_contests_are_named(wrong: Any, problem: str) -> None:
    [one] = read_sample([STANDINGS, wrong]).problems
    assert one.line == 2
    assert problem in one.sentence


def test_an_error_of_codeforces_is_shown() -> None:
    with pytest.raises(UnreadableFile, match="no contest: contestId: not found"):
        read_sample({"status": "FAILED", "comment": "contestId: not found"})
