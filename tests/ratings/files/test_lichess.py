"""Games of lichess."""

import json
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read
from tests.support.results_of_sites import lichess


def read_sample(document: Any) -> Found:
    return read(json.dumps(document).encode())


def test_games_come_one_on_a_line() -> None:
    lines = [lichess("black"), lichess(None, status="draw"), lichess(None, status="aborted")]
    lines.append(
        lichess("white", players={"white": {"user": {"name": "Al"}}, "black": {"aiLevel": 3}})
    )
    results = read("\n".join(map(json.dumps, lines)).encode()).results
    assert [[side.place for side in one.sides] for one in results] == [[1, 0], [0, 0]]
    assert [one.first for one in results] == [0, 0]
    assert results[0].event == "lichess.org/q7ZvsdUF"
    assert len(read_sample(lichess("white")).results) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        lichess("green"),
        lichess("white", createdAt=10**40),
    ],
)
def test_wrong_entries_are_named(wrong: dict[str, Any]) -> None:
    read_file = read_sample(wrong)
    assert (read_file.results, [problem.line for problem in read_file.problems]) == ([], [1])


def test_games_of_bots_are_left_out() -> None:
    bot = {"white": {"user": {"name": "Al"}}, "black": {"user": {"name": "Maia", "title": "BOT"}}}
    master = {"white": {"user": {"name": "Al", "title": "GM"}}, "black": {"user": {"name": "Bo"}}}
    read_file = read_sample([lichess("white", players=bot), lichess("white", players=master)])
    assert [one.sides[1].names for one in read_file.results] == [["Bo"]]


def test_results_of_a_tournament_are_an_order_of_finish() -> None:
    lines: list[dict[str, Any]] = [
        {"rank": 1, "score": 12, "rating": 2500, "username": "Ann", "performance": 2600},
        {"rank": 2, "score": 9, "rating": 2400, "username": "Maia", "title": "BOT"},
        {"rank": 3, "score": 7, "rating": 2300, "username": "Bob", "title": "IM"},
        {"rank": 3, "score": 7, "rating": 2200, "username": "Cem", "flair": "x"},
    ]
    [result] = read("\n".join(map(json.dumps, lines)).encode()).results
    assert [(one.names[0], one.place, one.score) for one in result.sides] == [
        ("Ann", 0, 12),
        ("Bob", 1, 7),
        ("Cem", 1, 7),
    ]
    assert result.played_at is None
    swiss = [{"rank": 1, "points": 4.5, "tieBreak": 9, "username": "Ann"}]
    swiss.append({"rank": 2, "points": 0, "tieBreak": 0, "username": "Bob", "absent": True})
    assert read_sample(swiss).results == []
    with pytest.raises(UnreadableFile, match="Line 2 is no result of a tournament: rank"):
        read_sample([swiss[0], {"rank": "last", "username": "Bob"}])
