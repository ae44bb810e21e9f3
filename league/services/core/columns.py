"""Many rows of the database as arrays, without a Python loop over them.

PostgreSQL strings the numbers of each column together in the form in which it sends them, and hands
over one value a column: for 160,000 rows of 22 columns that takes a fifth of the time of a binary
COPY, which the driver reads row by row.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from psycopg.pq import Format

from ratings.types import NEVER

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
SINCE_2000 = 946_684_800_000_000
"""Microseconds from 1970, where ours count from, to 2000, where PostgreSQL's do."""


@contextmanager
def binary_cursor() -> Iterator[CursorWrapper]:
    """A cursor to which rows are sent as PostgreSQL keeps them: a page of 50 with its moments is
    read in two thirds of the time that text takes."""
    with connection.cursor() as cursor:
        cursor.cursor.format = Format.BINARY
        yield cursor


def braced(numbers: Iterable[int]) -> str:
    """Whole numbers as PostgreSQL writes an array: the driver takes several times as long over a
    list."""
    return "{" + ",".join(map(str, numbers)) + "}"


def read_columns(
    select: str, parameters: Sequence[Any], kinds: Mapping[str, str]
) -> dict[str, NDArray[Any]]:
    """The rows of ``select``, in its order if it has one, as arrays by column name.

    ``kinds`` says of each column whether it is a whole number (``i8``), a float (``f8``), true or
    not (``b``), a row's place in its table (``tid``) or a moment (``time``), which becomes
    microseconds since 1970, or ``NEVER`` for ``-infinity``. No column may hold NULL, as then the
    columns would differ in length: say ``coalesce`` in ``select``.
    """
    strung = ", ".join(
        f"string_agg({SENT[kind].format(f'rows.{name}')}, ''::bytea)"
        for name, kind in kinds.items()
    )
    with connection.cursor() as cursor:
        query = f"SELECT {strung} FROM ({select}) AS rows"  # noqa: S608 - names of this program
        told = cursor.cursor.execute(query, parameters, binary=True).fetchone()
    return {
        name: native(values or b"", kind)
        for values, (name, kind) in zip(told, kinds.items(), strict=True)
    }


def native(values: bytes, kind: str) -> NDArray[Any]:
    """One column as the machine keeps numbers."""
    if kind == "b":
        return np.frombuffer(values, np.bool_)
    if kind == "tid":
        return np.frombuffer(values, "V6")
    if kind == "f8":
        return np.frombuffer(values, ">f8").astype(np.float64)
    numbers = np.frombuffer(values, ">i8").astype(np.int64)
    if kind == "i8":
        return numbers
    return np.where(numbers == NEVER, NEVER, numbers + SINCE_2000)
