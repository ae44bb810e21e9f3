"""Spreadsheets made to take long are read or refused soon, and cost no memory of ours."""

from __future__ import annotations

import io
import re
import resource
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from openpyxl import Workbook

from league.services.core.errors import Refused
from league.services.transfer.files.reading import read_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from openpyxl.worksheet.worksheet import Worksheet

    Change = Callable[[str], str]

SOON = 15.0
"""Seconds of CPU. Most take a tenth; the slowest machine of a test is not ten times slower."""
SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"
BOOK, STRINGS = "xl/workbook.xml", "xl/sharedStrings.xml"

TYPES = "[Content_Types].xml"
OF_STRINGS = (
    '<Override PartName="/xl/sharedStrings.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/>'
)
TEXTS = (
    '<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<si><t>Alice</t></si></sst>"
)


def page_of(book: Workbook) -> Worksheet:
    page: Worksheet = book.active
    return page


def written(book: Workbook, part: str = "", change: Change = str) -> bytes:
    """Return a file with one of its parts changed."""
    plain, changed = io.BytesIO(), io.BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        parts = {name: old.read(name).decode() for name in old.namelist()}
        parts[TYPES] = parts[TYPES].replace("</Types>", f"{OF_STRINGS}</Types>")
        parts.setdefault(STRINGS, TEXTS)
        for name, text in parts.items():
            new.writestr(name, change(text) if name == part else text)
    return changed.getvalue()


def small() -> Workbook:
    book = Workbook()
    for row in (["date", "home"], ["2026-01-02", "Alice"]):
        page_of(book).append(row)
    return book


def before(end: str, more: str) -> Change:
    return lambda text: text.replace(end, f"{more}{end}", 1)


def with_entities(text: str) -> str:
    names = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(12)]
    doctype = f"<!DOCTYPE x [{''.join(names)}]>"
    return doctype + re.sub(r"^<\?xml[^>]*>", "", text).replace("Alice", "&e11;")


SHEETS = "".join(
    f'<sheet name="s{n}" sheetId="{n + 9}" state="visible" r:id="rId1" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>'
    for n in range(200_000)
)
FORMAT = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
HOSTILE: dict[str, tuple[str, Change]] = {
    "a cell in the last row": (
        SHEET,
        before("</sheetData>", '<row r="1048576"><c r="A1048576"><v>1</v></c></row>'),
    ),
    "a cell in a row that no spreadsheet has": (
        SHEET,
        before("</sheetData>", '<row r="999999999999"><c r="A999999999999"><v>1</v></c></row>'),
    ),
    "an empty row far below": (SHEET, before("</sheetData>", "<row r='1048576'/>")),
    "styles": (STYLES, before("</cellXfs>", FORMAT * 500_000)),
    "fonts": (STYLES, before("</fonts>", '<font><sz val="9"/></font>' * 200_000)),
    "sheets": (BOOK, before("</sheets>", SHEETS)),
    "names": (BOOK, before("<calcPr", "<definedNames>" + "<definedName/>" * 500_000)),
    "depth": (BOOK, before("<calcPr", "<a>" * 200_000 + "</a>" * 200_000)),
    "depth in the sheet": (SHEET, before("</sheetData>", "<c>" * 2_000_000)),
    "cells": (SHEET, before("</sheetData>", "<row>" + "<c/>" * 11_000_000 + "</row>")),
    "rows": (SHEET, before("</sheetData>", "<row/>" * 20_000_000)),
    "texts": (STRINGS, before("</sst>", "<si><t/></si>" * 4_000_000)),
    "entities": (STRINGS, with_entities),
    "entities in the sheet": (SHEET, with_entities),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_spreadsheet_that_would_take_long_is_read_or_refused_soon(what: str) -> None:
    part, change = HOSTILE[what]
    content = written(small(), part, change)
    began = seconds_of_children()
    with suppress(Refused):
        assert read_table(content).cells[0] == (2, ["2026-01-02", "Alice"])
    assert seconds_of_children() - began < SOON


def seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_large_honest_spreadsheet_is_read() -> None:
    book = Workbook()
    page = page_of(book)
    page.append(["date", "home", "away", "score"])
    for number in range(5_000):
        page.append(["2026-01-02", f"One {number}", f"Other {number}", number / 2])
    page.cell(row=500_000, column=1).number_format = "0.00"  # far below, and empty
    table = read_table(written(book))
    assert len(table.cells) == 5_000
    assert table.cells[-1] == (5_001, ["2026-01-02", "One 4999", "Other 4999", "2499.5"])
