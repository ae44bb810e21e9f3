"""Read a file of results in any known format."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ratings.files.choices import Choices
from ratings.files.documents import Document, Found
from ratings.files.formats import FORMATS
from ratings.files.html_tables import is_html, read_html
from ratings.files.json_rows import has_rows, rows_of
from ratings.files.problems import UnreadableFile
from ratings.files.sheets import is_sheet, read_sheet
from ratings.files.table_reading import read_rows
from ratings.files.tables import FirstLine, Table, table_of
from ratings.files.text_rows import text_rows, to_utf8

if TYPE_CHECKING:
    from ratings.files.documents import Format


def read(content: bytes, choices: Choices | None = None) -> Found:
    """Return the results in a file, with problems by line.

    Raises:
        UnreadableFile: it is none of the known formats, or its columns do not say enough.
    """
    choices = choices or Choices()
    if choices.encoding:
        content = to_utf8(content, choices.encoding)
    document = open_document(content)
    known = format_of(document)
    if known is None:
        return read_rows(table_in(document, choices.first_line, choices.sheet), choices)
    found = Found(known.name, remarks=[*document.remarks, known.label])
    known.read(document, found)
    return found


def recognise(content: bytes) -> Format | None:
    """Return the format of a file, None for one with rows of cells. Raises ``UnreadableFile``."""
    return format_of(open_document(content))


def format_of(document: Document) -> Format | None:
    if is_sheet(document.content) or is_html(document.text):
        return None
    known = next((one for one in FORMATS if one.recognises(document)), None)
    if known is None and document.json is not None and not has_rows(document.json):
        raise UnreadableFile(
            "This JSON is in none of the supported formats: a list of results, contests of "
            "Codeforces or of the Elo-MMR program, a tournament of Challonge, sets of start.gg, "
            "matches of Toornament, games of lichess, or ballots of Tabbycat."
        )
    return known


def read_table(content: bytes, first_line: str = "", sheet: str = "") -> Table:
    """Return the rows of a file of cells, whatever they mean. Raises ``UnreadableFile``."""
    return table_in(open_document(content), first_line, sheet)


def open_document(content: bytes) -> Document:
    if not content.strip():
        raise UnreadableFile("The file is empty. Its first line must name the columns.")
    return Document(content)


def table_in(document: Document, first_line: str, sheet: str) -> Table:
    remarks = document.remarks
    if is_sheet(document.content):
        found = read_sheet(document.content, remarks, sheet)
    elif is_html(document.text):
        found = read_html(document.text, remarks, sheet)
    elif document.json is not None and has_rows(document.json):
        return table_of(rows_of(document.json), remarks, first_line or FirstLine.NAMES)
    else:
        return table_of(text_rows(document.text, remarks), remarks, first_line)
    table = table_of(iter(found.rows), remarks, first_line)
    return replace(table, sheet=found.name, sheets=found.others)
