"""Games of lichess."""

import json
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import lichess


def found(document: Any) -> Found:
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
    assert len(found(lichess("white")).results) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        lichess("green"),
        lichess("white", createdAt=10**40),
    ],
)
def test_wrong_entries_are_named(wrong: dict[str, Any]) -> None:
    read_file = found(wrong)
    assert (read_file.results, [problem.line for problem in read_file.problems]) == ([], [1])
