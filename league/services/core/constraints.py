"""Which rule of the database a write violated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from django.db import DatabaseError


def violated(error: DatabaseError) -> str:
    """Return the name of the violated constraint or trigger rule, empty if there is none."""
    cause = error.__cause__
    return (cause.diag.constraint_name or "") if isinstance(cause, psycopg.Error) else ""


def is_about_nul(error: Exception) -> bool:
    """Return whether the database refused a text because it contains a NUL character."""
    return isinstance(error.__cause__, psycopg.DataError) and "NUL" in str(error.__cause__)
