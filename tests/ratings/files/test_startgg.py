"""Sets of start.gg."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import AT, a_set, startgg


def read_sample(document: Any) -> Found:
    return read(json.dumps(document).encode())


def test_sets_leave_out_the_disqualified() -> None:
    unscored = a_set(1, (None, None))
    unscored["slots"][0]["standing"] = None
    results = read_sample(startgg(a_set(2, (1, 3)), a_set(1, (0, -1)), unscored)).results
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
    read_file = read_sample(wrong)
    assert (read_file.results, [problem.line for problem in read_file.problems]) == ([], [1])


def test_answers_to_other_queries_are_read() -> None:
    sets = [a_set(1, (3, 1)), a_set(2, (-1, 0))]
    event = {"name": "Singles", "sets": {"nodes": sets, "pageInfo": {"total": 2}}}
    page = {"data": {"event": event}, "extensions": {}}
    documents = [
        sets,
        {"nodes": sets},
        {"sets": {"nodes": sets}},
        event,
        {"event": event},
        {"data": {"tournament": {"name": "Cup", "events": [event]}}},
        {"data": {"phaseGroup": {"id": 1, "sets": {"nodes": sets}}}},
        {"data": {"phase": {"phaseGroups": {"nodes": [{"sets": {"nodes": sets}}]}}}},
    ]
    for document in documents:
        read_file = read_sample(document)
        assert [side.names for one in read_file.results for side in one.sides] == [
            ["Alice"],
            ["Bob"],
        ]
        assert any("left out: 1" in text for text in read_file.remarks)
    two = read_sample([page, {"data": {"event": {**event, "name": "Doubles"}}}])
    assert [(one.line, one.event) for one in two.results] == [(1, "Singles"), (3, "Doubles")]


def test_a_set_without_its_end_has_the_time_of_its_last_change() -> None:
    one = a_set(1, (3, 1), completedAt=None, updatedAt=AT)
    assert read_sample([one]).results[0].played_at == datetime.fromtimestamp(AT, UTC)
