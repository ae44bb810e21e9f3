"""Debates of two and four teams."""

import csv
import io
import json
from typing import Any

import pytest
from openpyxl import Workbook

from ratings.files.documents import Found
from ratings.files.reading import read
from tests.support.results_of_sites import ballot, tabbycat

TABLE = """Round,Room,Team,Side,Points,Speaks
1,R1,Ghent A,OG,1,150
1,R1,Delft B,OO,3,160
1,R2,Lund A,OG,0,140
1,R1,Graz C,CG,0,141
1,R2,Bonn A,OO,1,150
1,R1,Oslo A,CO,2,155
2,R1,Ghent A,OG,3,161
2,R1,Lund A,OO,2,150
"""


def read_sample(document: Any) -> Found:
    return read(json.dumps(document).encode())


def placed(one: Found) -> list[dict[str, int]]:
    return [{side.names[0]: side.place for side in each.sides} for each in one.results]


def test_ballots_are_orders_of_finish() -> None:
    read_file = read_sample(tabbycat(ballot(1, 3, 0, 2), ballot(0, 1)))
    assert placed(read_file) == [
        {"Ghent A": 2, "Delft B": 0, "Lund A": 3, "Graz C": 1},
        {"Ghent A": 1, "Delft B": 0},
    ]
    assert str(read_file.results[0].played_at) == "2026-01-02 20:00:00+00:00"


def test_winners_that_advance_share_the_first_place() -> None:
    one = ballot(None, None, None, None)
    for team, win in zip(
        one["result"]["sheets"][0]["teams"], (True, False, True, False), strict=True
    ):
        team["win"] = win
    assert list(placed(read_sample(tabbycat(one)))[0].values()) == [0, 2, 0, 2]


def test_ballots_that_do_not_count_are_left_out() -> None:
    others = [ballot(1, 0, confirmed=False), ballot(1, 0, discarded=True), ballot(1, 0)]
    read_file = read_sample(tabbycat(*others))
    assert [one.line for one in read_file.results] == [3]


def test_ballots_need_the_names_of_teams() -> None:
    [problem] = read_sample([ballot(1, 0)]).problems
    assert "Put the teams into the same file" in problem.sentence


def as_sheet(text: str) -> bytes:
    book = Workbook()
    assert book.active is not None
    for row in csv.reader(io.StringIO(text)):
        book.active.append([int(cell) if cell.isdecimal() else cell for cell in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        TABLE.encode(),
        TABLE.replace(",", ";").encode(),
        TABLE.replace(",", "\t").replace("\n", "\r").encode(),
        TABLE.replace("Points", "team_points").replace("Room", "venue").encode(),
        as_sheet(TABLE),
    ],
)
def test_a_table_of_rooms_has_a_row_for_each_team(content: bytes) -> None:
    read_file = read(content)
    assert read_file.problems == []
    assert placed(read_file) == [
        {"Ghent A": 2, "Delft B": 0, "Graz C": 3, "Oslo A": 1},
        {"Lund A": 1, "Bonn A": 0},
        {"Ghent A": 0, "Lund A": 1},
    ]
    assert [one.round for one in read_file.results] == ["1", "1", "2"]


def test_ranks_and_dates_are_read() -> None:
    text = "date,round,room,team,rank\n2026-01-02,1,A,Ghent,2\n2026-01-02,1,A,Lund,1\n"
    [result] = read(text.encode()).results
    assert [side.place for side in result.sides] == [1, 0]
    assert (str(result.played_at), result.has_hour) == ("2026-01-02 00:00:00", False)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("1,R2,Bonn A,OO,1,150\n", "", "only one side"),
        ("OO,3,", "OO,three,", "“three” is not a number"),
        ("OO,3,", "OO,inf,", "“inf” is not a number"),
    ],
)
def test_wrong_rooms_are_named(old: str, new: str, problem: str) -> None:
    one = read(TABLE.replace(old, new).encode()).problems[0]
    assert problem in one.sentence


def test_people_of_one_team_on_rows_are_a_side() -> None:
    text = "round,room,player,team,points\n1,A,Ann,X,1\n1,A,Bob,Y,0\n1,A,Cid,X,1\n"
    [result] = read(text.encode()).results
    assert [side.names for side in result.sides] == [["Ann", "Cid"], ["Bob"]]
