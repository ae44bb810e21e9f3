"""Read a file of results in any known format."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from ratings.files import columns as meanings
from ratings.files import dates, participants
from ratings.files.documents import Document, Found
from ratings.files.formats import FORMATS
from ratings.files.participants import ParticipantReader
from ratings.files.problems import UnreadableFile
from ratings.files.rows import GameRules, RowReader
from ratings.files.sheets import is_zip, sheet_rows
from ratings.files.tables import Table, table_of
from ratings.files.text_rows import text_rows
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ratings.files.dates import DateOrder
    from ratings.files.documents import Format
    from ratings.files.results import Result

FEW = 3
SAMPLE = 20
"""Rows from which the columns of a table without a header are guessed."""
OLD_EXCEL = b"\xd0\xcf\x11\xe0"


class Layout(StrEnum):
    """The meaning of a row of a table."""

    MATCHES = "matches"
    PARTICIPANTS = "participants"


LAYOUTS = {Layout.MATCHES: meanings, Layout.PARTICIPANTS: participants}


@dataclass(frozen=True)
class Choices:
    """The choices of a person about a file. The rest is guessed."""

    columns: Mapping[str, int] | None = None
    """The column of each meaning (``columns.COLUMNS``)."""
    named: Mapping[str, str] = field(default_factory=dict)
    """The names of the columns of some meanings; the others are guessed."""
    layout: str = ""
    """A ``Layout``."""
    date_order: DateOrder | None = None
    first_line: str = ""
    """A ``FirstLine``."""
    rules: GameRules = field(default_factory=GameRules)


def read(content: bytes, choices: Choices | None = None) -> Found:
    """Return the results in a file, with problems by line.

    Raises:
        UnreadableFile: it is none of the known formats, or its columns do not say enough.
    """
    choices = choices or Choices()
    document = open_document(content)
    known = format_of(document)
    if known is None:
        return read_rows(table_in(document, choices.first_line), choices)
    found = Found(known.name, remarks=[*document.remarks, known.label])
    known.read(document, found)
    return found


def recognise(content: bytes) -> Format | None:
    """Return the format of a file, None for one with rows of cells. Raises ``UnreadableFile``."""
    return format_of(open_document(content))


def format_of(document: Document) -> Format | None:
    if is_zip(document.content):
        return None
    known = next((one for one in FORMATS if one.recognises(document)), None)
    if known is None and document.json is not None:
        raise UnreadableFile(
            "This JSON is in none of the supported formats: contests of Codeforces or of the "
            "Elo-MMR program, a tournament of Challonge, sets of start.gg, matches of Toornament, "
            "games of lichess, or ballots of Tabbycat."
        )
    return known


def read_table(content: bytes, first_line: str = "") -> Table:
    """Return the rows of a file of cells, whatever they mean. Raises ``UnreadableFile``."""
    return table_in(open_document(content), first_line)


def open_document(content: bytes) -> Document:
    if not content.strip():
        raise UnreadableFile("The file is empty. Its first line must name the columns.")
    if content.startswith(OLD_EXCEL):
        raise UnreadableFile("This is an old Excel file. Save it as .xlsx or as CSV and try again.")
    return Document(content)


def table_in(document: Document, first_line: str) -> Table:
    rows: Iterator[tuple[int, list[str]]]
    remarks = document.remarks
    if is_zip(document.content):
        rows = sheet_rows(document.content, remarks)
    else:
        rows = text_rows(document.text, remarks)
    return table_of(rows, remarks, first_line)


def read_rows(table: Table, choices: Choices) -> Found:
    """Return the results of a table."""
    columns = choose_columns(table, choices)
    layout = Layout(choices.layout or layout_of(columns))
    lacking = LAYOUTS[layout].find_missing(columns)
    if lacking:
        raise UnreadableFile(lacking.message, **lacking.values)
    remarks = list(table.remarks)
    order = choices.date_order or guess_order(table, columns, remarks)
    reader: RowReader | ParticipantReader
    if layout == Layout.PARTICIPANTS:
        reader = ParticipantReader(columns, choices.rules, order)
    else:
        first = columns.get("side_1")
        has_home = first is not None and meanings.has_home(table.header[first])
        reader = RowReader(columns, choices.rules, order, has_home)
    results = list(reader.read_table(table))
    problems = [*table.problems, *reader.problems]
    return Found("", results, [], problems, remarks, table, columns, order)


def layout_of(columns: Mapping[str, int]) -> Layout:
    """Return the meaning of rows with these columns."""
    return Layout.PARTICIPANTS if "player" in columns else Layout.MATCHES


def choose_columns(table: Table, choices: Choices) -> dict[str, int]:
    """Return the column of each meaning, as chosen or guessed.

    Raises:
        UnreadableFile: a column that is named is not there.
    """
    if choices.columns is not None:
        return dict(choices.columns)
    missing = [name for name in choices.named.values() if name not in table.header]
    if missing:
        raise UnreadableFile("There is no column “%(name)s”.", name=missing[0][:40])
    named = {meaning: table.header.index(name) for meaning, name in choices.named.items()}
    return guess_columns(table, choices.layout, named)


def read_few(table: Table, choices: Choices) -> list[Result]:
    """Return the results in the first rows of a table, none if its columns do not say enough."""
    columns = choices.columns or {}
    if meanings.find_missing(columns):
        return []
    order = choices.date_order or guess_order(table, columns, [])
    few = replace(table, cells=table.cells[:FEW])
    return read_rows(few, replace(choices, date_order=order)).results


def guess_columns(
    table: Table, layout: str = "", chosen: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the column of each meaning, by their names or by what their cells look like.

    Rows are matches, unless only the columns of participants say enough.
    """
    if table.is_headless:
        return meanings.guess_by_cells([cells for _line, cells in islice(table.cells, SAMPLE)])
    matches = meanings.guess(table.header, chosen)
    people = participants.guess(table.header, chosen)
    if not layout:
        enough = meanings.find_missing(matches) is None or participants.find_missing(people)
        layout = Layout.MATCHES if enough else Layout.PARTICIPANTS
    return people if layout == Layout.PARTICIPANTS else matches


def guess_order(
    table: Table, columns: Mapping[str, int], remarks: list[Sentence]
) -> DateOrder | None:
    """Return the order of the dates of a table, and remark on one that was not certain."""
    at = columns.get("played_at")
    if at is None:
        return None
    texts = [cells[at] for _line, cells in table.cells]
    found = dates.guess_order(texts)
    unclear = next((text for text in texts if dates.is_ambiguous(text)), None)
    if found is None and unclear:
        remarks.append(
            Sentence(
                "No date says whether the day or the month comes first: “%(text)s” is read with "
                "the day first.",
                text=unclear,
            )
        )
        return dates.DateOrder.DAY
    return found
