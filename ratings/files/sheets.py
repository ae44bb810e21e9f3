"""Rows of spreadsheets."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, time
from typing import TYPE_CHECKING, Any

from ratings.files.problems import UnreadableFile
from ratings.files.tables import MOST_COLUMNS, MOST_ROWS
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_UNPACKED = 128_000_000
"""Bytes of a spreadsheet when unpacked. A hundred thousand results have about 50 million."""
MOST_PARTS = 500
MOST_TAGS = 10_000_000
"""Tags of a spreadsheet. A hundred thousand results have about five million."""
MOST_TAGS_ASIDE = 100_000
"""Tags outside its sheets and their texts, each of which costs 20 µs: styles, above all."""
LAST_LINE = MOST_ROWS + 50_000
"""A single cell below would cost a second for each million of empty rows above it."""

EMPTY_FORMULA = re.compile(
    rb'<c r="([A-Z]+[0-9]+)"[^>]*><f[^>]*(?:/>|>[^<]*</f>)(?:<v\s*/>|<v></v>)?</c>'
)
MERGED = re.compile(rb'<mergeCell ref="([A-Z0-9:]+)"')
# Read in pieces: a small file can unpack into a part of gigabytes.
PIECE = 1_000_000
# A tag that is cut by the end of a piece is whole in the next one.
OVERLAP = 4_000


def is_zip(content: bytes) -> bool:
    return content.startswith(b"PK\x03\x04")


def sheet_rows(content: bytes, remarks: list[Sentence]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the first sheet of a spreadsheet.

    It is refused before anything is unpacked if that would take much memory.
    """
    from openpyxl import load_workbook  # noqa: PLC0415 - slow to load, and most files are CSV

    try:
        check_parts(content)
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        sheet: Any = book.worksheets[0]
    except UnreadableFile:
        raise
    except Exception as error:  # a damaged file can fail anywhere in the package
        raise UnreadableFile(
            "The spreadsheet cannot be read: it is damaged, or no .xlsx."
        ) from error
    if len(book.worksheets) > 1:
        remarks.append(Sentence("Only the first sheet, “%(sheet)s”, is read.", sheet=sheet.title))
    sheet.reset_dimensions()
    try:
        rows = sheet.iter_rows(values_only=True, max_col=MOST_COLUMNS + 1)
        for line, cells in enumerate(rows, start=1):
            check_line(line)
            if cells.count(None) < len(cells):
                yield line, [cell_text(value) for value in cells]
    except UnreadableFile:
        raise
    except Exception as error:  # as above
        raise UnreadableFile("The spreadsheet cannot be read: it is damaged.") from error


def check_line(line: int) -> None:
    """Refuse a sheet that goes on far below any table that is read."""
    if line > LAST_LINE:
        raise UnreadableFile(
            "The sheet goes beyond row %(most)s. Delete the rows below the table.",
            most=f"{LAST_LINE:,}",
        )


def check_parts(content: bytes) -> None:
    """Refuse spreadsheets that take long to read, or whose cells say less than they show."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS:
            raise UnreadableFile(
                "The spreadsheet has %(parts)s parts. At most %(most)s are read.",
                parts=len(parts),
                most=MOST_PARTS,
            )
        size = sum(part.file_size for part in parts)
        if size > LARGEST_UNPACKED:
            raise UnreadableFile(
                "Unpacked, the spreadsheet has %(size)s MB. At most %(most)s MB are read.",
                size=f"{size / 1e6:,.0f}",
                most=f"{LARGEST_UNPACKED / 1e6:.0f}",
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
                    raise UnreadableFile(
                        "The spreadsheet is too complex. Copy its values into a new one."
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
        raise UnreadableFile(
            "Cells %(cells)s are merged. Unmerge them, and fill each of them.",
            cells=found[1].decode(),
        )
    if found := EMPTY_FORMULA.search(piece):
        raise UnreadableFile(
            "Cell %(cell)s is a formula, and the file does not have its value. Open "
            "and save it in a spreadsheet program, or paste the values.",
            cell=found[1].decode(),
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
