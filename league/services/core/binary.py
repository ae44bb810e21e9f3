"""Columns of numbers into and out of PostgreSQL by binary COPY: millions of rows in a second.

A row without nulls whose columns have fixed widths has a fixed width itself, so that many of them
are one structured array.
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
"""Microseconds from 1970 to 2000, from which PostgreSQL counts."""

TYPES = {
    "bigint": ">i8",
    "float8": ">f8",
    "timestamptz": ">i8",
    "bool": "?",
    "smallint": ">i2",
    "date": ">i4",
    "ranks": "V512",  # bytes, of 128 numbers of four
    "tid": "V6",
}


def layout(columns: Mapping[str, str]) -> np.dtype[Any]:
    """A row as it travels: the count of fields, then each with its length before it."""
    fields: list[tuple[str, str]] = [("fields", ">i2")]
    for name, kind in columns.items():
        fields += [(f"{name} length", ">i4"), (name, TYPES[kind])]
    return np.dtype(fields)


def read(query: str, columns: Mapping[str, str]) -> Iterator[NDArray[Any]]:
    """The rows of a query without nulls, some thousands at a time, by the names of its columns."""
    row = layout(columns)
    waiting = b""
    begun = False
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)") as source,
    ):
        for block in source:
            waiting += bytes(block)
            if not begun:
                if len(waiting) < len(HEADER):
                    continue
                waiting, begun = waiting[len(HEADER) :], True
            whole = len(waiting) // row.itemsize
            if whole * row.itemsize >= 1 << 20:
                yield np.frombuffer(waiting, row, whole)
                waiting = waiting[whole * row.itemsize :]
    whole = (len(waiting) - len(TRAILER)) // row.itemsize
    if whole:
        yield np.frombuffer(waiting, row, whole)


def write(table: str, columns: Mapping[str, str], parts: Iterable[Mapping[str, Any]]) -> None:
    """Rows, given as arrays by the names of their columns, into a table."""
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
    """A date as PostgreSQL counts."""
    return (day - date(2000, 1, 1)).days


def since_1970(times: NDArray[Any]) -> Integers:
    """PostgreSQL's moments as microseconds since 1970; ``-infinity`` is ``NEVER``."""
    moments = times.astype(np.int64)
    return np.where(moments == NEVER, NEVER, moments + EPOCH)
