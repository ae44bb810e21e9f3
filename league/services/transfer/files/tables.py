"""Read the rows of an uploaded file: CSV in the usual encodings and delimiters, XLSX, PGN, or JSON
of other sites."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import dataclass, field
from datetime import date, datetime, time
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.services.core.errors import Refused
from league.services.core.exports import uncell
from league.services.transfer.files import exchange, exchange_rows, pgn
from league.services.transfer.files.result_lines import is_written_time

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_ROWS = 200_000
MOST_COLUMNS = 200
LARGEST_UNPACKED = 128_000_000
"""Bytes of a spreadsheet when unpacked. A hundred thousand results have about 50 million."""
MOST_PARTS = 500
MOST_TAGS = 10_000_000
"""Tags of a spreadsheet. A hundred thousand results have about five million."""
MOST_TAGS_ASIDE = 100_000
"""Tags outside its sheets and their texts, each of which costs 20 µs: styles, above all."""
LAST_LINE = MOST_ROWS + 50_000
"""A single cell below would cost a second for each million of empty rows above it."""
LONGEST_CELL = 10_000
DELIMITERS = ",;\t"

EMPTY_FORMULA = re.compile(
    rb'<c r="([A-Z]+[0-9]+)"[^>]*><f[^>]*(?:/>|>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>'
)
MERGED = re.compile(rb'<mergeCell ref="([A-Z0-9:]+)"')
# Read in pieces: a small file can unpack into a part of gigabytes.
PIECE = 1_000_000
# A tag that is cut by the end of a piece is whole in the next one.
OVERLAP = 4_000


@dataclass(frozen=True)
class Table:
    """The header and the rows of a file. Rows are read again with each iteration."""

    header: list[str]
    """At most ``MOST_COLUMNS`` names."""
    cells: list[tuple[int, list[str]]]
    """Each row with its line in the file, counted from 1. Empty rows are left out."""
    wrong: list[tuple[int, str]] = field(default_factory=list)
    """Lines that are no rows, and why."""
    remarks: list[str] = field(default_factory=list)
    """Guesses about the file."""
    is_headless: bool = False
    """Whether its first line is data, so that its columns have numbers for names."""


class FirstLine(StrEnum):
    """Contents of the first line of a file."""

    NAMES = "names"
    DATA = "data"


def read_table(content: bytes, first_line: str = "") -> Table:
    """Read a file. Raises ``Refused`` if it cannot be read as a table.

    Without ``first_line``, that line is data if a cell of it is a date.
    """
    if not content.strip():
        raise refusal(_("The file is empty. Its first line must name the columns."))
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise refusal(_("This is an old Excel file. Save it as .xlsx or as CSV and try again."))
    remarks: list[str] = []
    if is_zip(content):
        return table_of(sheet_rows(content, remarks), remarks, first_line)
    text = decode(content, remarks)
    if pgn.is_pgn(text):
        return table_of_games(text, remarks)
    if exchange.begins_json(text):
        return table_of_results(text, remarks)
    return table_of(text_rows(text, remarks), remarks, first_line)


def table_of_results(text: str, remarks: list[str]) -> Table:
    """Return the results in a JSON file of another site or program as a table."""
    try:
        found = exchange.read(text, MOST_ROWS)
    except exchange_rows.NotKnown as error:
        raise refusal(str(error)) from None
    kept, wrong = [], found.wrong
    for number, cells in found.rows:
        if any(len(cell) > LONGEST_CELL for cell in cells):
            text = _("has a result of more than %(most)d characters.") % {"most": LONGEST_CELL}
            wrong.append((number, text))
        else:
            kept.append((number, cells))
    return Table(exchange_rows.HEADER, kept, sorted(wrong), [*remarks, *found.remarks])


def table_of_games(text: str, remarks: list[str]) -> Table:
    """Return the games of a PGN file as a table."""
    remarks.append(_("It is a PGN file. The players and results of its games are read."))
    kept: list[tuple[int, list[str]]] = []
    wrong: list[tuple[int, str]] = []
    to_come = 0
    for game in pgn.games(text):
        if game.is_to_come:
            to_come += 1
            continue
        if len(kept) + len(wrong) == MOST_ROWS:
            raise refusal(
                _("The file has more than %(most)s games. Divide it.") % {"most": f"{MOST_ROWS:,}"}
            )
        cells = game.cells()
        if problem := game.wrong():
            wrong.append((game.line, problem))
        elif any(len(cell) > LONGEST_CELL for cell in cells):
            wrong.append(
                (
                    game.line,
                    _("has a tag of more than %(most)d characters.") % {"most": LONGEST_CELL},
                )
            )
        else:
            kept.append((game.line, cells))
    if to_come:
        remarks.append(
            ngettext(
                "%(count)d game is not over and left out.",
                "%(count)d games are not over and left out.",
                to_come,
            )
            % {"count": to_come}
        )
    return Table(pgn.HEADER, kept, wrong, remarks)


def is_zip(content: bytes) -> bool:
    return content.startswith(b"PK\x03\x04")


def refusal(message: str) -> Refused:
    return Refused("file", message, field="file")


def table_of(
    rows: Iterator[tuple[int, list[str]]], remarks: list[str], first_line: str = ""
) -> Table:
    """Return the rows as a table, whose first one names the columns or is data."""
    line, header = first_row(rows)
    kept: list[tuple[int, list[str]]] = []
    wrong: list[tuple[int, str]] = []
    width = len(header)
    is_headless = first_line == FirstLine.DATA or (
        not first_line and any(map(is_written_time, header))
    )
    if is_headless:
        rows = chain([(line, header)], rows)
        header = [_("Column %(number)d") % {"number": at + 1} for at in range(width)]
    for line, cells in rows:
        if not any(cells):
            continue
        if len(kept) == MOST_ROWS:
            raise refusal(
                _("The file has more than %(most)s rows. Divide it.") % {"most": f"{MOST_ROWS:,}"}
            )
        if any(cells[width:]):
            wrong.append(
                (
                    line,
                    _("has %(cells)d cells, but the header has %(width)d. Quote text with commas.")
                    % {"cells": len(cells), "width": width},
                )
            )
        elif any(len(cell) > LONGEST_CELL for cell in cells):
            wrong.append(
                (line, _("has a cell of more than %(most)d characters.") % {"most": LONGEST_CELL})
            )
        else:
            kept.append((line, [*cells[:width], *[""] * (width - len(cells))]))
    if not kept and not wrong:
        raise refusal(_("There are no rows below the header."))
    return Table(header, kept, wrong, remarks, is_headless)


def first_row(rows: Iterator[tuple[int, list[str]]]) -> tuple[int, list[str]]:
    """Return the first row that is not empty, without empty cells at its end."""
    line, cells = next((row for row in rows if any(row[1])), (0, []))
    while cells and not cells[-1]:
        cells.pop()
    if not cells:
        raise refusal(_("The file is empty. Its first line must name the columns."))
    if len(cells) > MOST_COLUMNS:
        raise refusal(_("The file has more than %(most)d columns.") % {"most": MOST_COLUMNS})
    return line, cells


def text_rows(text: str, remarks: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file with the line that each begins on."""
    delimiter = delimiter_of(text)
    if delimiter != ",":
        named = {";": _("semicolons"), "\t": _("tabs")}[delimiter]
        remarks.append(_("Cells are separated by %(what)s.") % {"what": named})
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            text = _(
                "Line %(line)d has a quotation mark that is never closed. Remove or double it."
            )
            if "field limit" in str(error):
                text = _("Line %(line)d has a cell that is too long. Is a quotation mark missing?")
            raise refusal(text % {"line": line}) from None
        yield line, [uncell(cell.strip()) for cell in cells]
        line = reader.line_num + 1


def decode(content: bytes, remarks: list[str]) -> str:
    """Return the text of a file, and remark on the encoding if it had to be guessed."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return in_utf16(content, "utf-16")
    if b"\0" in content[:1000]:
        return in_utf16(content, "utf-16-le" if content[1:2] == b"\0" else "utf-16-be")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        try:
            text = content.decode("cp1252")
        except UnicodeDecodeError:
            raise refusal(
                _("Line %(line)d is not text that can be read. Save the file as “CSV UTF-8”.")
                % {"line": line}
            ) from None
        remarks.append(
            _(
                "The file is not UTF-8 (see line %(line)d). It was read as Windows-1252: check the "
                "letters with accents."
            )
            % {"line": line}
        )
    if "\0" in text:
        raise refusal(_("The file is not text. Save it as .xlsx or as CSV and try again."))
    return text


def in_utf16(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise refusal(_("The file is not text. Save it as .xlsx or as CSV and try again."))
    return text


def delimiter_of(text: str) -> str:
    """Return the delimiter that the header has most often outside quotation marks."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    bare = re.sub(r'"[^"]*"', "", first)
    return max(DELIMITERS, key=bare.count)


def sheet_rows(content: bytes, remarks: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the first sheet of a spreadsheet.

    It is refused before anything is unpacked if that would take much memory.
    """
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to load, and most files are CSV

    try:
        check_parts(content)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet: Any = book.worksheets[0]
    except Refused:
        raise
    except Exception as error:  # a damaged file can fail anywhere in the package
        raise refusal(_("The spreadsheet cannot be read: it is damaged, or no .xlsx.")) from error
    if len(book.worksheets) > 1:
        remarks.append(_("Only the first sheet, “%(sheet)s”, is read.") % {"sheet": sheet.title})
    sheet.reset_dimensions()
    try:
        rows = sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS + 1)
        for line, cells in enumerate(rows, start=1):
            check_line(line)
            if cells.count(None) < len(cells):
                yield line, [cell_text(value) for value in cells]
    except Refused:
        raise
    except Exception as error:  # as above
        raise refusal(_("The spreadsheet cannot be read: it is damaged.")) from error


def check_line(line: int) -> None:
    """Refuse a sheet that goes on far below any table that is read."""
    if line > LAST_LINE:
        raise refusal(
            _("The sheet goes beyond row %(most)s. Delete the rows below the table.")
            % {"most": f"{LAST_LINE:,}"}
        )


def check_parts(content: bytes) -> None:
    """Refuse spreadsheets that take long to read, or whose cells say less than they show."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS:
            raise refusal(
                _("The spreadsheet has %(parts)d parts. At most %(most)d are read.")
                % {"parts": len(parts), "most": MOST_PARTS}
            )
        size = sum(part.file_size for part in parts)
        if size > LARGEST_UNPACKED:
            raise refusal(
                _("Unpacked, the spreadsheet has %(size)s MB. At most %(most)s MB are read.")
                % {
                    "size": f"{size / 1e6:,.0f}",
                    "most": f"{LARGEST_UNPACKED / 1e6:.0f}",
                }
            )
        tags = aside = 0
        for part in parts:
            is_sheet = part.filename.startswith("xl/worksheets/sheet")
            has_cells = is_sheet or part.filename == "xl/sharedStrings.xml"
            for piece in pieces(archive, part):
                if is_sheet:
                    check_piece(piece)
                tags += piece.count(b"<", OVERLAP)
                aside += 0 if has_cells else piece.count(b"<", OVERLAP)
                if tags > MOST_TAGS or aside > MOST_TAGS_ASIDE:
                    raise refusal(
                        _("The spreadsheet is too complex. Copy its values into a new one.")
                    )


def pieces(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield a part of a spreadsheet in pieces, each after the last ``OVERLAP`` bytes before it."""
    before = bytes(OVERLAP)
    with archive.open(part) as stream:
        while piece := stream.read(PIECE):
            yield before + piece
            before = (before + piece)[-OVERLAP:]


def check_piece(piece: bytes) -> None:
    """Refuse merged cells, and formulas whose value is not in the file."""
    if found := MERGED.search(piece):
        raise refusal(
            _("Cells %(cells)s are merged. Unmerge them, and fill each of them.")
            % {"cells": found[1].decode()}
        )
    if found := EMPTY_FORMULA.search(piece):
        raise refusal(
            _(
                "Cell %(cell)s is a formula, and the file does not have its value. Open "
                "and save it in a spreadsheet program, or paste the values."
            )
            % {"cell": found[1].decode()}
        )


def cell_text(value: Any) -> str:
    """Return the text of a cell of a spreadsheet."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value).strip()
