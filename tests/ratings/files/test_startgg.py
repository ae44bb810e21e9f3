"""Sets of start.gg."""

import json
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import a_set, startgg


def found(document: Any) -> Found:
    return read(json.dumps(document).encode())


def test_sets_leave_out_the_disqualified() -> None:
    unscored = a_set(1, (None, None))
    unscored["slots"][0]["standing"] = None
    results = found(startgg(a_set(2, (1, 3)), a_set(1, (0, -1)), unscored)).results
    assert [[side.place for side in one.sides] for one in results] == [[1, 0], [0, 1]]
    assert [one.sides[1].score for one in results] == [3, None]
    assert results[0].round == "Final"


@pytest.mark.parametrize(
    "wrong",
    [
        startgg(a_set(3, (1, 0))),
        startgg(a_set(1, (1, 0), completedAt=-5)),
    ],
)
def test_wrong_entries_are_named(wrong: dict[str, Any]) -> None:
    read_file = found(wrong)
    assert (read_file.results, [problem.line for problem in read_file.problems]) == ([], [1])
