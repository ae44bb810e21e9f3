"""Files that are in no known format."""

import json

import pytest

from ratings.files.problems import UnreadableFile
from ratings.files.reading import read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "The file is not valid JSON"),
        ('{"id": 1}\n{"id": 2', "Line 2 is not valid JSON"),
        ('{"a": 1}', "This JSON is in none of the supported formats"),
        ("[]", "This JSON is in none of the supported formats"),
        ("[1, 2]", "This JSON is in none of the supported formats"),
        ("[" * 100_000, "nested too deeply"),
        ('{"tournament": {"matches": 1, "participants": []}}', "none of the supported formats"),
        ('{"players": [{"id": 1, "name": "Ann"}]}', "Choose the columns"),
        ('{"players": {"ann": 1500}}', "none of the supported formats"),
        ('{"data": {"event": null}}', "none of the supported formats"),
    ],
)
def test_other_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(text.encode())


def test_a_list_of_flat_objects_is_a_table() -> None:
    rows = [
        {"date": "2024-01-01", "winner": "Ann", "loser": "Bob"},
        {"winner": "Bob", "loser": "Cid"},
    ]
    rows[1]["date"] = "2024-01-02"
    for text in (json.dumps(rows), json.dumps({"page": {"items": rows}, "next": [None]}),
                 "\n".join(map(json.dumps, rows))):  # fmt: skip
        found = read(text.encode())
        assert [[side.names[0] for side in one.sides] for one in found.results] == [
            ["Ann", "Bob"],
            ["Bob", "Cid"],
        ]
        assert [one.line for one in found.results] == [1, 2]


def test_objects_within_entries_name_their_values() -> None:
    """In the form of the API of football-data.org: the status says which matches are over."""
    teams = {"homeTeam": {"id": 1, "name": "Owls"}, "awayTeam": {"id": 2, "name": "Jays"}}
    matches = [
        {"utcDate": "2023-08-11T19:00:00Z", "status": status, "matchday": 1, **teams,
         "score": {"winner": "AWAY_TEAM", "fullTime": {"home": 0, "away": 3},
                   "halfTime": {"home": 0, "away": 2}}, "referees": [{"name": "Eve"}]}
        for status in ("FINISHED", "IN_PLAY")
    ]  # fmt: skip
    found = read(json.dumps({"count": 2, "matches": matches}).encode())
    [result] = found.results
    assert [(side.names, side.score) for side in result.sides] == [(["Owls"], 0), (["Jays"], 3)]
    assert (str(result.played_at), result.first) == ("2023-08-11 19:00:00+00:00", 0)


def test_a_scoreboard_of_an_event_is_one_result() -> None:
    """In the form that CTFtime asks for."""
    board = {"tasks": ["a"], "standings": [{"pos": 1, "team": "Owls", "score": 1200},
                                           {"pos": 2, "team": "Jays", "score": 900.0}]}  # fmt: skip
    [result] = read(json.dumps(board).encode()).results
    assert [(side.names, side.place) for side in result.sides] == [(["Owls"], 0), (["Jays"], 1)]


def test_matches_that_name_the_sides_by_a_letter_have_a_kickoff() -> None:
    rows = [{"kickoff_time": "2026-08-21T19:00:00Z", "team_h": 3, "team_a": 7, "team_h_score": 2,
             "team_a_score": 2, "finished": True}]  # fmt: skip
    [result] = read(json.dumps(rows).encode()).results
    assert [(side.names, side.score) for side in result.sides] == [(["3"], 2), (["7"], 2)]
    assert str(result.played_at) == "2026-08-21 19:00:00+00:00"
