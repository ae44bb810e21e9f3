"""The backend, where Django looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.backends.postgresql import base

from league.database import check
from league.postgresql.columns import compare_quickly

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

compare_quickly()


class DatabaseWrapper(base.DatabaseWrapper):
    @property
    def pool(self) -> ConnectionPool[Any] | None:
        """The pool of this process. Django's settings cannot name what checks its connections."""
        pool: ConnectionPool[Any] | None = super().pool  # type: ignore[misc] # no stub has it
        if pool is not None:
            pool._check = check  # noqa: SLF001
        return pool
