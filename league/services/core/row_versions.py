"""Short versions of rows, which differ once the rows have changed.

PostgreSQL notes in each row the transaction that wrote it. The sum of these numbers over the rows
of a thing differs once one of them is written, added or deleted, whatever wrote it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

AT_ONCE = 1_000
ROWS = "coalesce((SELECT sum(t.xmin::text::bigint) FROM {table} AS t WHERE {condition}), 0)"
VERSIONS = """
    SELECT one.id, concat_ws('.', {parts}) FROM {table} AS one WHERE one.id = ANY(%s)
"""


def versions_of(table: str, ids: Collection[int], parts: Mapping[str, str]) -> dict[int, str]:
    """Return the versions of rows of ``table`` with these ids, and of the ``parts`` of each.

    ``parts`` are tables, each with the condition for a row ``t`` of it to belong to ``one``, for
    which there should be an index. One statement for every thousand.
    """
    rows = [ROWS.format(table=part, condition=condition) for part, condition in parts.items()]
    statement = VERSIONS.format(parts=", ".join(["one.xmin::text", *rows]), table=table)
    asked, found = list(ids), dict[int, str]()
    with connection.cursor() as cursor:
        for start in range(0, len(asked), AT_ONCE):
            cursor.execute(statement, [asked[start : start + AT_ONCE]])
            found |= cursor.fetchall()
    return found
