"""Read the result of a query as arrays, one for each column, without a Python loop over its rows.

Use it for queries with parameters whose result fits into memory. PostgreSQL joins the binary
numbers of each column into one value, so a single row comes back: for 160,000 rows of 22 columns
that takes a fifth of the time of a binary COPY, which the driver reads row by row. To write rows,
or to read a table of any size, use :mod:`league.services.core.binary`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from psycopg.pq import Format

from league.services.core.binary import since_1970

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.db.backends.utils import CursorWrapper
    from numpy.typing import NDArray

SENT = {
    "i8": "int8send({}::bigint)",
    "f8": "float8send({}::float8)",
    "b": "boolsend({}::bool)",
    "tid": "tidsend({}::tid)",
    "time": "timestamptz_send({}::timestamptz)",
}


@contextmanager
def binary_cursor() -> Iterator[CursorWrapper]:
    """Open a cursor that gets its rows in binary form.

    A page of 50 rows with times is read in two thirds of the time that text takes.
    """
    with connection.cursor() as cursor:
        cursor.cursor.format = Format.BINARY
        yield cursor


def to_array_literal(numbers: Iterable[int]) -> str:
    """Return integers as a PostgreSQL array literal: several times faster than passing a list."""
    return "{" + ",".join(map(str, numbers)) + "}"


def read_columns(
    select: str, parameters: Sequence[Any] | Mapping[str, Any], kinds: Mapping[str, str]
) -> dict[str, NDArray[Any]]:
    """Return the rows of ``select`` as arrays by column name, in the order of the query.

    ``kinds`` gives the type of each column: integer (``i8``), float (``f8``), boolean (``b``), row
    location (``tid``) or time (``time``), which becomes microseconds since 1970, or ``NEVER`` for
    ``-infinity``. No column may hold NULL, because columns would then differ in length: use
    ``coalesce`` in ``select``.
    """
    joined = ", ".join(
        f"string_agg({SENT[kind].format(f'rows.{name}')}, ''::bytea)"
        for name, kind in kinds.items()
    )
    with connection.cursor() as cursor:
        query = f"SELECT {joined} FROM ({select}) AS rows"  # noqa: S608 - names of this program
        row = cursor.cursor.execute(query, parameters, binary=True).fetchone()
    return {
        name: native(values or b"", kind)
        for values, (name, kind) in zip(row, kinds.items(), strict=True)
    }


def native(values: bytes, kind: str) -> NDArray[Any]:
    """Return one column as an array in the machine's byte order."""
    if kind == "b":
        return np.frombuffer(values, np.bool_)
    if kind == "tid":
        return np.frombuffer(values, "V6")
    if kind == "f8":
        return np.frombuffer(values, ">f8").astype(np.float64)
    numbers = np.frombuffer(values, ">i8").astype(np.int64)
    return numbers if kind == "i8" else since_1970(numbers)
