"""Rows of cells: the form of spreadsheets, CSV and pasted lists."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING

from ratings.files.dates import is_written_time
from ratings.files.problems import Problem, UnreadableFile
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ROWS = 200_000
MOST_COLUMNS = 200
LONGEST_CELL = 10_000
MOST_TITLES = MOST_NOTES = 5
NARROWEST = 3
"""Columns of a table with titles above it."""
NULLS = {r"\N", "NULL", "NaN", "nan", "<NA>", "NaT", "#N/A"}
"""Empty cells as databases, pandas and spreadsheets write them."""


@dataclass(frozen=True)
class Table:
    """The header and the rows of a file."""

    header: list[str]
    """At most ``MOST_COLUMNS`` names."""
    cells: list[tuple[int, list[str]]]
    """Each row with its line in the file, counted from 1. Empty rows are left out."""
    problems: list[Problem] = field(default_factory=list)
    """Lines that are no rows, and why."""
    remarks: list[Sentence] = field(default_factory=list)
    """Guesses about the file."""
    is_headless: bool = False
    """Whether its first line is data, so that its columns have numbers for names."""
    sheet: str = ""
    """The name of the sheet, in a spreadsheet."""
    sheets: list[str] = field(default_factory=list)
    """The names of all sheets of the spreadsheet that are not hidden."""


class FirstLine(StrEnum):
    """Contents of the first line of a file."""

    NAMES = "names"
    DATA = "data"


def table_of(
    rows: Iterator[tuple[int, list[str]]], remarks: list[Sentence], first_line: str = ""
) -> Table:
    """Return the rows as a table, whose first one names the columns or is data.

    Without ``first_line``, that line is data if a cell of it is a date.

    Raises:
        UnreadableFile: there are no rows, or too many.
    """
    rows = without_titles(rows, remarks)
    line, header = first_row(rows)
    if len(header) > MOST_COLUMNS:
        header = header[:MOST_COLUMNS]
        rows = ((at, cells[:MOST_COLUMNS]) for at, cells in rows)
        remarks.append(Sentence("Only the first %(most)s columns are read.", most=MOST_COLUMNS))
    kept: list[tuple[int, list[str]]] = []
    problems: list[Problem] = []
    width = len(header)
    is_headless = first_line == FirstLine.DATA or (
        not first_line and any(map(is_written_time, header))
    )
    if is_headless:
        rows = chain([(line, header)], rows)
        header = [Sentence("Column %(number)s", number=at + 1) for at in range(width)]
    for line, cells in rows:
        if not any(cells):
            continue
        if len(kept) == MOST_ROWS:
            raise UnreadableFile(
                "The file has more than %(most)s rows. Divide it.", most=f"{MOST_ROWS:,}"
            )
        if any(cells[width:]):
            text = Sentence(
                "has %(cells)s cells, but the header has %(width)s. Quote text with commas.",
                cells=len(cells),
                width=width,
            )
            problems.append(Problem(line, text))
        elif any(len(cell) > LONGEST_CELL for cell in cells):
            text = Sentence("has a cell of more than %(most)s characters.", most=LONGEST_CELL)
            problems.append(Problem(line, text))
        else:
            written = ["" if cell in NULLS else cell for cell in cells[:width]]
            kept.append((line, written + [""] * (width - len(cells))))
    leave_out_notes(kept, width, remarks)
    if not kept and not problems:
        raise UnreadableFile("There are no rows below the header.")
    return Table(header, kept, problems, remarks, is_headless)


def without_titles(
    rows: Iterator[tuple[int, list[str]]], remarks: list[Sentence]
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows without the titles above the table, which are alone on their lines."""
    first = [row for row in islice(rows, MOST_TITLES + 1) if any(row[1])]
    widths = [len(list(filter(None, cells))) for _line, cells in first]
    start = next((at for at, width in enumerate(widths) if width > 1), 0)
    if start and widths[start] >= NARROWEST:
        titles = ", ".join("".join(cells)[:40] for _line, cells in first[:start])
        remarks.append(Sentence("Titles above the table are left out: %(titles)s.", titles=titles))
    else:
        start = 0
    yield from first[start:]
    yield from rows


def leave_out_notes(rows: list[tuple[int, list[str]]], width: int, remarks: list[Sentence]) -> None:
    """Remove the notes below a table, which are sentences alone on their lines."""
    notes: list[str] = []
    while len(notes) < MOST_NOTES and len(rows) > 1 and width >= NARROWEST:
        cells = list(filter(None, rows[-1][1]))
        if len(cells) > 1 or " " not in cells[0]:
            break
        notes.insert(0, cells[0][:40])
        rows.pop()
    if notes:
        remarks.append(
            Sentence("Notes below the table are left out: %(notes)s.", notes=", ".join(notes))
        )


def first_row(rows: Iterator[tuple[int, list[str]]]) -> tuple[int, list[str]]:
    """Return the first row that is not empty, without empty cells at its end."""
    line, cells = next((row for row in rows if any(row[1])), (0, []))
    while cells and not cells[-1]:
        cells.pop()
    if not cells:
        raise UnreadableFile("The file is empty. Its first line must name the columns.")
    return line, cells
