"""Tables of web pages, which many sites also export as .xls, and of Excel's XML of 2003.

Its tags are found one after the other, in time that grows with the length of the text, whatever is
open or never closed.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ratings.files.problems import UnreadableFile
from ratings.files.sheets import Sheet
from ratings.files.tables import MOST_COLUMNS, MOST_ROWS, MOST_TITLES
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

BEGINS = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}>\s*|<\?mso-[^>]{0,200}>\s*|<!--[^>]{0,200}-->\s*)*"
    r"<(?:!doctype html|html|head|meta|style|body|table|div|center|(?:ss:)?workbook)\b",
    re.IGNORECASE,
)
TAG = re.compile(r"(/?)(?:ss:)?(table|tr|row|td|th|cell|br|p|div|script|style)\b", re.IGNORECASE)
NUMBER = re.compile(
    r"\b(colspan|rowspan|ss:index|ss:mergeacross)\s*=\s*[\"']?(\d{1,4})", re.IGNORECASE
)
ROWS, CELLS = {"tr", "row"}, {"td", "th", "cell"}
MOST_TABLES = 50
MOST_CELLS = 4_000_000
"""In the whole page, with those that a cell covers."""
LEAST_ROWS = 2


@dataclass
class Grid:
    """A table of a page while it is read."""

    rows: list[list[str]] = field(default_factory=list)
    below: dict[int, tuple[int, str]] = field(default_factory=dict)
    """The rows that a cell still covers, and its text, by column."""
    text: list[str] | None = None
    """The parts of the cell that is open, None between cells."""
    numbers: dict[str, int] = field(default_factory=dict)
    """The spans of the open cell."""

    def take(self, name: str, attributes: str) -> int:
        """Take a tag. Return the number of cells of a row that it ends."""
        before = len(self.rows[-1]) if self.rows and name in ROWS else 0
        if name in ROWS:
            self.open_row()
        elif name in CELLS:
            self.open_cell(attributes)
        elif name.lstrip("/") in CELLS:
            self.close_cell()
        elif self.text is not None:
            self.text.append(" ")  # a new line
        return before

    def open_row(self) -> None:
        self.close_cell()
        self.rows.append([])
        self.fill_covered()

    def open_cell(self, attributes: str) -> None:
        self.close_cell()
        if not self.rows:
            self.open_row()
        self.numbers = {name.lower(): int(value) for name, value in NUMBER.findall(attributes)}
        row = self.rows[-1]
        row += [""] * (min(self.numbers.get("ss:index", 1), MOST_COLUMNS) - 1 - len(row))
        self.text = []

    def close_cell(self) -> None:
        if self.text is None:
            return
        text = " ".join(html.unescape("".join(self.text)).split())
        row, self.text = self.rows[-1], None
        wide = self.numbers.get("colspan", self.numbers.get("ss:mergeacross", 0) + 1)
        tall = self.numbers.get("rowspan", 1)
        if len(row) <= MOST_COLUMNS:
            if tall > 1:
                self.below[len(row)] = (tall - 1, text)
            row += [text, *[""] * (min(wide, MOST_COLUMNS) - 1)]
        self.fill_covered()

    def fill_covered(self) -> None:
        """Add the cells of the row that one above it covers."""
        row = self.rows[-1]
        while covered := self.below.pop(len(row), None):
            left, text = covered
            if left > 1:
                self.below[len(row)] = (left - 1, text)
            row.append(text)


def is_html(text: str) -> bool:
    """Return whether a text is a web page, or a table of one."""
    return bool(BEGINS.match(text)) and "<" in text


def read_html(text: str, remarks: list[Sentence], wanted: str = "") -> Sheet:
    """Return the table with a name such as “Table 2”, else the one with the most rows.

    Raises:
        UnreadableFile: the page has none.
    """
    tables = [
        grid.rows
        for grid in grids_in(text)
        if sum(len(list(filter(None, row))) > 1 for row in grid.rows) >= LEAST_ROWS
    ]
    if not tables:
        raise UnreadableFile(
            "The file is a web page without a table of results. Save the table as .xlsx or CSV, or "
            "copy and paste it."
        )
    names = [str(Sentence("Table %(number)s", number=at + 1)) for at in range(len(tables))]
    largest = max(range(len(tables)), key=lambda at: len(tables[at]))
    at = names.index(wanted) if wanted in names else largest
    if len(tables) > 1:
        remarks.append(Sentence("Only “%(sheet)s” of the page is read.", sheet=names[at]))
    rows = [(line, row) for line, row in enumerate(tables[at], start=1) if any(row)]
    return Sheet(names[at] if len(tables) > 1 else "", names if len(tables) > 1 else [], rows)


def grids_in(text: str) -> list[Grid]:
    """Return the tables of a page. One within another is on its own.

    Raises ``UnreadableFile`` if they have too many cells.
    """
    found: list[Grid] = []
    opened: list[Grid] = []
    cells = 0
    for name, attributes, between in tags_in(text):
        if opened and opened[-1].text is not None:
            opened[-1].text.append(between)
        if name == "table" and len(found) < MOST_TABLES:
            opened.append(Grid())
            found.append(opened[-1])
        elif name == "/table" and opened:
            opened.pop().close_cell()
        elif opened:
            cells += opened[-1].take(name, attributes)
            if cells > MOST_CELLS or len(opened[-1].rows) > MOST_ROWS + MOST_TITLES:
                raise UnreadableFile("The tables of the page are too large. Divide them.")
    for grid in opened:
        grid.close_cell()
    return found


def tags_in(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield the tags that matter, as ``td`` or ``/td``, with attributes and the text before each.

    Comments, scripts and styles are skipped.
    """
    at, parts, hidden = 0, [], ""
    while (start := text.find("<", at)) >= 0:
        if not hidden:
            parts.append(text[at:start])
        if text.startswith("<!--", start):
            at = text.find("-->", start)
            if at < 0:
                break
            at += 3
            continue
        end = text.find(">", start)
        if end < 0:
            break
        at = end + 1
        found = TAG.match(text, start + 1, end)
        if found is None:
            continue
        name = found[2].lower()
        if name in {"script", "style"}:
            hidden = "" if found[1] else name
        elif not hidden:
            yield found[1] + name, text[found.end() : end], "".join(parts)
            parts = []
