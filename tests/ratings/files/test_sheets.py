"""Spreadsheets: all sheets, merged cells, dates as numbers, formulas, and cells far below."""

from datetime import date, datetime, time
from typing import Any

import pytest

from ratings.files.choices import Choices
from ratings.files.documents import Found
from ratings.files.problems import UnreadableFile
from ratings.files.reading import read, read_table
from tests.support.spreadsheets import Cell, ods, xlsx

ROWS: list[list[Any]] = [
    ["date", "home", "away", "home score", "away score"],
    [date(2024, 1, 5), "Ann", "Bob", 3, 1],
    [datetime(2024, 1, 6, 19, 30), "Bob", "Cid", 2.5, 2.5],  # noqa: DTZ001 - local
]
READ = [
    ("2024-01-05 00:00:00", "Ann", "Bob", 3, 1),
    ("2024-01-06 19:30:00", "Bob", "Cid", 2.5, 2.5),
]


def in_short(found: Found) -> list[tuple[Any, ...]]:
    return [
        (str(one.played_at), *(side.names[0] for side in one.sides), *(s.score for s in one.sides))
        for one in found.results
    ]


@pytest.mark.parametrize("write", [xlsx, ods])
def test_spreadsheets_of_any_kind_are_read(write: Any) -> None:
    found = read(write({"Games": ROWS}))
    assert found.problems == []
    assert in_short(found) == READ
    assert found.remarks == []


@pytest.mark.parametrize("write", [xlsx, ods])
def test_one_of_several_sheets_can_be_chosen(write: Any) -> None:
    other = [ROWS[0], [date(2025, 1, 5), "Dan", "Eve", 0, 1]]
    content = write({"Empty": [], "2024": ROWS, "2025": other})
    table = read_table(content)
    assert (table.sheet, table.sheets) == ("2024", ["Empty", "2024", "2025"])
    assert any("Only the sheet “2024” is read" in remark for remark in table.remarks)
    found = read(content, Choices(sheet="2025"))
    assert in_short(found) == [("2025-01-05 00:00:00", "Dan", "Eve", 0, 1)]
    assert read_table(content, sheet="there is none").sheet == "2024"


def test_hidden_sheets_are_not_read() -> None:
    table = read_table(xlsx({"Secret": [["x", "y"], [1, 2]], "Games": ROWS}, hidden="Secret"))
    assert (table.sheet, table.sheets) == ("Games", ["Games"])
    assert table.remarks == ["Hidden sheets are not read: Secret."]


def test_cells_below_the_first_of_merged_ones_have_its_value() -> None:
    rows = [ROWS[0], ["2024-01-05", "Ann", "Bob", 3, 1], [None, "Bob", "Cid", 2, 1]]
    found = read(xlsx({"Games": rows}, merged="A2:A3"))
    assert [one[0] for one in in_short(found)] == ["2024-01-05 00:00:00"] * 2


def test_titles_above_the_table_are_left_out() -> None:
    found = read(xlsx({"Games": [["Club"], ["Season 2024"], [], *ROWS]}, merged="A1:E1"))
    assert in_short(found) == READ
    assert [one.line for one in found.results] == [5, 6]
    assert found.remarks == ["Titles above the table are left out: Club, Season 2024."]


@pytest.mark.parametrize(
    ("attributes", "inner"),
    [("", ""), ('office:value-type="float"', ""), ('office:value-type="float" x="1"', "</>")],
)
def test_a_formula_of_opendocument_needs_its_value(attributes: str, inner: str) -> None:
    end = "></table:table-cell>" if inner else "/>"
    cell = f'<table:table-cell table:formula="of:=[.D2]+1" {attributes}{end}'
    with pytest.raises(UnreadableFile, match=r"of:=\[\.D2\]\+1 is a formula"):
        read(ods({"Games": [*ROWS, ["2024-01-07", "Cid", "Ann", Cell(cell), 1]]}))
    value = cell.replace("table:formula", 'office:value="4" table:formula')
    value = value.replace('office:value-type="float"', "").replace(
        "table:formula", 'office:value-type="float" table:formula'
    )
    found = read(ods({"Games": [*ROWS, ["2024-01-07", "Cid", "Ann", Cell(value), 1]]}))
    assert in_short(found)[-1] == ("2024-01-07 00:00:00", "Cid", "Ann", 4, 1)


def test_notes_below_the_table_are_left_out() -> None:
    rows = "date,home,away,score\n2024-05-01,Ann,Bob,3-1\n\n"
    found = read((rows + "All details are on our page.\nMade by Club Manager 3\n").encode())
    assert (len(found.results), found.problems) == (1, [])
    assert any("Notes below the table are left out: All details" in one for one in found.remarks)
    [problem, *_more] = read((rows + "2024-05-02\n").encode()).problems  # a row that is cut off
    assert problem.sentence == "Name both sides."


def test_days_without_a_format_are_numbers() -> None:
    rows = [ROWS[0], [45296, "Ann", "Bob", 3, 1], [45297.8125, "Bob", "Cid", 2.5, 2.5]]
    assert in_short(read(xlsx({"Games": rows}))) == READ


def test_a_time_can_have_a_column() -> None:
    header = ["date", "time", *ROWS[0][1:]]
    rows = [header, [date(2024, 1, 6), time(19, 30), "Bob", "Cid", 2.5, 2.5]]
    assert in_short(read(xlsx({"Games": rows}))) == READ[1:]


@pytest.mark.parametrize("end", ["A1048576", "XFD1048576", "XFD3"])
def test_a_cell_far_away_costs_neither_memory_nor_the_process(end: str) -> None:
    refused = ""
    found = Found()
    try:
        found = read(xlsx({"Games": ROWS}, stray=end))
    except UnreadableFile as error:
        refused = str(error)
    if refused:
        assert "too much memory or time" in refused
    else:
        assert found.problems
        assert end == "XFD3" or in_short(found) == READ


@pytest.mark.parametrize("content", [b"PK\x03\x04 damaged", b"\xd0\xcf\x11\xe0" + b"x" * 600])
def test_damaged_spreadsheets_are_refused(content: bytes) -> None:
    with pytest.raises(UnreadableFile, match="damaged, or of another kind"):
        read(content)
