"""Files of rows for download, written row by row: CSV, JSON and XLSX."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.services.core.numbers import decimal_separator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# Spreadsheets run cells that begin with one of these as formulas. Where the semicolon separates
# cells, they find the beginning of a cell in the middle of ours, too.
FORMULA = re.compile(r"((?:\A|[;\t\r\n])[\s\"]*)('*[=+\-@])")
BLANK_START = re.compile(r"'*[\t\r]")

MOST_SHEET_ROWS = 100_000
"""The most rows of a spreadsheet: it is sent when all are written, which takes a while. Other
formats are sent row by row."""
PIECE = 65_536
"""Bytes of a file that are sent at once."""


class Echo:
    """A file object for ``csv.writer`` that returns each line instead of storing it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Return the lines of a CSV file, as spreadsheets in the reader's language open it.

    Where the comma is the decimal sign, semicolons separate the cells, since a German spreadsheet
    would take 1.5 for the first of May. Numbers read back exactly.
    """
    return lines_with(decimal_separator(get_language()), header, rows)


def lines_with(decimal: str, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file for a decimal sign.

    With semicolons all cells are quoted, so that a spreadsheet that takes commas finds none either.
    """
    writer = csv.writer(Echo())
    if decimal == ",":
        writer = csv.writer(Echo(), delimiter=";", quoting=csv.QUOTE_ALL)
    yield writer.writerow(header)
    for row in rows:
        cells = [cell(value) for value in row]
        if decimal == ",":
            cells = [
                str(value).replace(".", ",") if isinstance(value, float | Decimal) else value
                for value in cells
            ]
        yield writer.writerow(cells)


def json_lines(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Yield the lines of a JSON file: a list with an object for each row."""
    opening = "["
    for row in rows:
        record = dict(zip(header, row, strict=True))
        yield f"{opening}\n{json.dumps(record, ensure_ascii=False, default=plain)}"
        opening = ","
    yield "[]\n" if opening == "[" else "\n]\n"


def xlsx_pieces(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield the bytes of a spreadsheet. Its rows never are in memory together."""
    from openpyxl import Workbook  # noqa: PLC0415 - slow to load, and few files are spreadsheets

    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(list(header))
    for row in rows:
        sheet.append([sheet_cell(sheet, value) for value in row])
    with TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE):
            yield piece


def too_long() -> str:
    """Return why there is no spreadsheet of more rows than the most."""
    return _(
        "A spreadsheet is written with at most %(most)s rows. Take fewer, or take them as CSV."
    ) % {"most": f"{MOST_SHEET_ROWS:,}"}


def sheet_cell(sheet: Any, value: Any) -> Any:
    """Return a value as a cell of a sheet. Text is never a formula there."""
    if value is None or isinstance(value, bool | int | float):
        return value
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE, WriteOnlyCell  # noqa: PLC0415 - as above

    text = ILLEGAL_CHARACTERS_RE.sub("", value if isinstance(value, str) else str(cell(value)))
    one = WriteOnlyCell(sheet, value=text)
    one.data_type = "s"
    return one


def cell(value: Any) -> Any:
    """Return a value as a cell. Text that a spreadsheet would run gets an apostrophe.

    ``ratings.files.text_rows.unescape`` takes it off again.
    """
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=plain)
    if isinstance(value, str):
        escaped = FORMULA.sub(r"\1'\2", value)
        return f"'{escaped}" if BLANK_START.match(escaped) else escaped
    return value


def plain(value: Any) -> Any:
    """Return a value as JSON can express it."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat() if value.tzinfo else value.isoformat()
    if isinstance(value, date | UUID | Decimal | timedelta):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not expected in an export")


TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
"""The formats of exports, with their content types."""
WRITERS: dict[str, Callable[..., Iterator[str] | Iterator[bytes]]] = {
    "csv": csv_lines,
    "json": json_lines,
    "xlsx": xlsx_pieces,
}
