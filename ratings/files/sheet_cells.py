"""Print the cells of a spreadsheet as JSON: ``python -P sheet_cells.py [sheet] < file``.

It runs in a process of its own, with limits: a small file can say that it has more cells than any
memory, and the library then ends the process. ``ratings.files.sheets`` runs it.
"""

from __future__ import annotations

import io
import json
import re
import resource
import sys
import zipfile
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = 900_000_000
"""Bytes of addresses, of which a hundred thousand results need a third."""
SECONDS = 12
"""Of a processor. A hundred thousand results need one."""
EMPTY_FORMULA = re.compile(
    rb'<c r="([A-Z]+[0-9]+)"[^>]*><f[^>]*(?:/>|>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>'
)
EMPTY_FORMULA_OF_ODS = re.compile(
    rb"<table:table-cell(?=[^>]*\stable:formula=\"([^\"]{1,80}))(?![^>]*\soffice:(?:[a-z]+-)?value=)"
    rb"[^>]*?(?:/>|>\s*</table:table-cell>)"
)
MOST_SHEETS = 1_000
PIECE, OVERLAP = 1_000_000, 4_000
"""Parts are read in pieces. What is cut by the end of one is whole in the next one."""
EPOCH = datetime(1899, 12, 30)  # noqa: DTZ001 - local, as written
"""The day that spreadsheets call 0."""


def read(content: bytes, wanted: str, most_rows: int, most_columns: int) -> dict[str, Any]:
    """Return the names of the sheets, and the rows that are not empty of the one that is wanted.

    Otherwise of the first one that is neither hidden nor empty.
    """
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    if len(book.sheet_names) > MOST_SHEETS:
        raise ValueError("too many sheets")
    shown = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    found: dict[str, Any] = {
        "sheets": shown,
        "hidden": [name for name in book.sheet_names if name not in shown],
        "formula": empty_formula(content),
        "sheet": "",
        "rows": [],
    }
    for name in [wanted] if wanted in shown else shown:
        found["sheet"] = name
        found["rows"] = rows_of(book, name, most_rows, most_columns)
        if found["rows"]:
            break
    return found


def rows_of(
    book: CalamineWorkbook, name: str, most_rows: int, most_columns: int
) -> list[tuple[int, list[str]]]:
    sheet = book.get_sheet_by_name(name)
    merged = dict(merged_below(sheet.merged_cell_ranges or []))
    line, values = 0, dict.fromkeys(merged.values(), "")
    rows = []
    top = (sheet.start or (0, 0))[0] if sheet.height != sheet.total_height else 0
    for line, cells in enumerate(sheet.iter_rows(), start=top + 1):
        written = [text_of(value) for value in cells[:most_columns]]
        written += next(([text_of(value)] for value in cells[most_columns:] if value != ""), [])
        for at in range(len(written)):
            place = (line - 1, at)
            if place in values:
                values[place] = written[at]
            elif place in merged:
                written[at] = values[merged[place]]
        if any(written):
            rows.append((line, written))
            if len(rows) > most_rows:
                break
    return rows


def merged_below(
    ranges: list[tuple[tuple[int, int], tuple[int, int]]],
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield cells below the first one of merged cells, each with that one, whose value it has."""
    for (top, left), (bottom, _right) in ranges:
        for row in range(top + 1, min(bottom, top + 10_000) + 1):
            yield (row, left), (top, left)


def text_of(value: Any) -> str:
    """Return the text of a cell."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, timedelta):
        value = EPOCH + value
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def empty_formula(content: bytes) -> str:
    """Return a cell with a formula, but without its value: its name, or in an .ods its formula."""
    if not zipfile.is_zipfile(io.BytesIO(content)):
        return ""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for part in archive.namelist():
            if not part.startswith("xl/worksheets/sheet") and part != "content.xml":
                continue
            pattern = EMPTY_FORMULA_OF_ODS if part == "content.xml" else EMPTY_FORMULA
            before = b""
            with archive.open(part) as stream:
                while piece := stream.read(PIECE):
                    before = before[-OVERLAP:] + piece
                    if found := pattern.search(before):
                        return found[1].decode(errors="replace")
    return ""


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    wanted, most_rows, most_columns = sys.argv[1:]
    try:
        found = read(sys.stdin.buffer.read(), wanted, int(most_rows), int(most_columns))
    except PasswordError:
        found = {"problem": "password"}
    except (CalamineError, zipfile.BadZipFile, ValueError, OSError, EOFError):
        found = {"problem": "damaged"}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
