"""Many rows of the database as arrays: PostgreSQL's binary COPY read without a Python loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

HEADER = 19
"""Bytes before the first row: signature, flags and the length of an empty extension."""
TRAILER = 2
CASTS = {"i8": "bigint", "f8": "float8"}


def read_columns(
    select: str, parameters: Sequence[Any], kinds: Mapping[str, str]
) -> dict[str, NDArray[Any]]:
    """The rows of ``select`` as arrays by column name, in the order of its columns.

    ``kinds`` says of each column whether it is a whole number (``i8``) or a float (``f8``). No
    column may hold NULL, as then its rows would differ in width: say ``coalesce`` in ``select``.
    """
    listed = ", ".join(f"rows.{name}::{CASTS[kind]}" for name, kind in kinds.items())
    with (
        connection.cursor() as cursor,
        cursor.copy(
            f"COPY (SELECT {listed} FROM ({select}) AS rows) TO STDOUT (FORMAT binary)",  # noqa: S608 - names of this program
            parameters,
        ) as out,
    ):
        data = b"".join(out)
    fields: list[tuple[str, str]] = [("", ">i2")]
    for name, kind in kinds.items():
        fields += [(f"{name} length", ">i4"), (name, f">{kind}")]
    row = np.dtype([(name or "columns", kind) for name, kind in fields])
    rows = np.frombuffer(data, row, (len(data) - HEADER - TRAILER) // row.itemsize, HEADER)
    return {name: rows[name].astype(kind) for name, kind in kinds.items()}
