"""Rows of spreadsheets: .xlsx, .ods, .xls and others that ``python-calamine`` reads.

It was chosen over ``openpyxl``, which reads .xlsx alone and takes twenty times as long. Since it
asks for the memory of all cells within the outermost ones, a process with limits runs it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ratings.files.problems import UnreadableFile
from ratings.files.tables import MOST_COLUMNS, MOST_ROWS
from ratings.tunables.sentences import Sentence

OLD_EXCEL = b"\xd0\xcf\x11\xe0"
PROGRAM = Path(__file__).with_name("sheet_cells.py")
MOST_NAMED = 5
LONGEST = 60
"""Seconds that reading a spreadsheet takes at most, on a busy machine."""


def is_sheet(content: bytes) -> bool:
    return content.startswith((b"PK\x03\x04", OLD_EXCEL))


@dataclass(frozen=True)
class Sheet:
    """A sheet of a spreadsheet."""

    name: str
    others: list[str]
    """The names of all sheets that are not hidden."""
    rows: list[tuple[int, list[str]]]
    """Those that are not empty, with their numbers."""


def read_sheet(content: bytes, remarks: list[Sentence], wanted: str = "") -> Sheet:
    """Return the sheet with a name, else the first one that is neither hidden nor empty.

    Raises:
        UnreadableFile: the spreadsheet is damaged, too large, or has formulas without values.
    """
    found = cells_of(content, wanted)
    if formula := found["formula"]:
        raise UnreadableFile(
            "Cell %(cell)s is a formula, and the file does not have its value. Open "
            "and save it in a spreadsheet program, or paste the values.",
            cell=formula,
        )
    if len(found["sheets"]) > 1:
        remarks.append(Sentence("Only the sheet “%(sheet)s” is read.", sheet=found["sheet"]))
    if hidden := ", ".join(found["hidden"][:MOST_NAMED]):
        remarks.append(Sentence("Hidden sheets are not read: %(sheets)s.", sheets=hidden))
    return Sheet(found["sheet"], found["sheets"], found["rows"])


def cells_of(content: bytes, sheet: str) -> dict[str, Any]:
    """Return the sheets and the rows in a spreadsheet. Raises ``UnreadableFile``."""
    given = [sheet, str(MOST_ROWS + 1), str(MOST_COLUMNS)]
    try:
        done = subprocess.run(
            [sys.executable, "-P", str(PROGRAM), *given],
            input=content,
            capture_output=True,
            timeout=LONGEST,
            check=True,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise UnreadableFile(
            "The spreadsheet needs too much memory or time. Copy its values into a new one."
        ) from None
    found: dict[str, Any] = json.loads(done.stdout)
    problem = found.get("problem")
    if problem == "password":
        raise UnreadableFile("The spreadsheet has a password. Save it without one.")
    if problem:
        raise UnreadableFile(
            "The spreadsheet cannot be read: it is damaged, or of another kind. Save it as .xlsx "
            "or as CSV."
        )
    return found
