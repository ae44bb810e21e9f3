"""Spreadsheets for tests, in the formats of other programs."""

from __future__ import annotations

import io
import zipfile
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from openpyxl import Workbook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Rows = Sequence[Sequence[Any]]

MIME = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
    for short in ("office", "table", "text")
)


def xlsx(sheets: Mapping[str, Rows], hidden: str = "", merged: str = "", stray: str = "") -> bytes:
    """Return an .xlsx file, with merged cells and a stray one on the first sheet."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        sheet.sheet_state = "hidden" if name == hidden else "visible"
    if merged:
        book.worksheets[0].merge_cells(merged)
    if stray:
        book.worksheets[0][stray] = "x"
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def ods(sheets: Mapping[str, Rows]) -> bytes:
    """Return an .ods file as LibreOffice writes it: equal rows below are written once."""
    tables = "".join(
        f"<table:table table:name={quoteattr(name)}>"
        + "".join(
            f"<table:table-row>{''.join(map(ods_cell, row))}</table:table-row>" for row in rows
        )
        + '<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        'table:number-columns-repeated="16384"/></table:table-row></table:table>'
        for name, rows in sheets.items()
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {NAMES} '
        'office:version="1.3"><office:body><office:spreadsheet>'
        f"{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:'
        f'tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{MIME}"/></manifest:manifest>'
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", MIME, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", content)
    return packed.getvalue()


class Cell(str):
    """A cell of an .ods file as it is written there."""

    __slots__ = ()


def ods_cell(value: Any) -> str:
    if isinstance(value, Cell):
        return value
    if value is None or value == "":
        return "<table:table-cell/>"
    if isinstance(value, datetime | date):
        kind = f'office:value-type="date" office:date-value="{value.isoformat()}"'
    elif isinstance(value, int | float):
        kind = f'office:value-type="float" office:value="{value}"'
    else:
        kind = 'office:value-type="string"'
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"
