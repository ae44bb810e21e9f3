"""Stream whole tables of numbers from and to PostgreSQL by binary COPY.

Use it for writing many rows, and for reading more rows than should be in memory at once: it moves
millions of rows a second. COPY takes no query parameters; for a query with parameters whose result
fits into memory use :mod:`league.services.core.columns`.

Rows without nulls whose columns have fixed widths have a fixed width themselves, so a block of them
is one structured array.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from ratings.types import Integers

HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER = b"\xff\xff"
EPOCH = 946_684_800_000_000
"""Microseconds from 1970 to 2000, where PostgreSQL starts counting."""

TYPES = {
    "bigint": ">i8",
    "float8": ">f8",
    "timestamptz": ">i8",
    "bool": "?",
    "smallint": ">i2",
    "date": ">i4",
    "ranks": "V512",  # 128 numbers of four bytes
    "tid": "V6",
}


def layout(columns: Mapping[str, str]) -> np.dtype[Any]:
    """Return the binary layout of a row: the number of fields, then each field after its length."""
    fields: list[tuple[str, str]] = [("fields", ">i2")]
    for name, kind in columns.items():
        fields += [(f"{name} length", ">i4"), (name, TYPES[kind])]
    return np.dtype(fields)


def read(query: str, columns: Mapping[str, str]) -> Iterator[NDArray[Any]]:
    """Yield the rows of a query in blocks of some thousands, as structured arrays by column name.

    No column may hold NULL.
    """
    row = layout(columns)
    pending = b""
    has_begun = False
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)") as source,
    ):
        for block in source:
            pending += bytes(block)
            if not has_begun:
                if len(pending) < len(HEADER):
                    continue
                pending, has_begun = pending[len(HEADER) :], True
            whole = len(pending) // row.itemsize
            if whole * row.itemsize >= 1 << 20:
                yield np.frombuffer(pending, row, whole)
                pending = pending[whole * row.itemsize :]
    whole = (len(pending) - len(TRAILER)) // row.itemsize
    if whole:
        yield np.frombuffer(pending, row, whole)


def write(table: str, columns: Mapping[str, str], parts: Iterable[Mapping[str, Any]]) -> None:
    """Write rows to a table. Each part holds arrays of equal length by column name."""
    row = layout(columns)
    names = ", ".join(columns)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as target,
    ):
        target.write(HEADER)
        for part in parts:
            rows = np.zeros(len(part[next(iter(columns))]), row)
            rows["fields"] = len(columns)
            for name in columns:
                rows[f"{name} length"] = row[name].itemsize
                rows[name] = part[name]
            target.write(rows.tobytes())
        target.write(TRAILER)


def days_since_2000(day: date) -> int:
    """Return a date as PostgreSQL sends it."""
    return (day - date(2000, 1, 1)).days


def since_1970(times: NDArray[Any]) -> Integers:
    """Return PostgreSQL's times as microseconds since 1970; ``-infinity`` becomes ``NEVER``."""
    times = times.astype(np.int64)
    return np.where(times == NEVER, NEVER, times + EPOCH)
