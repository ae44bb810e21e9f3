"""Wait a few seconds for other locks, then refuse with the reason."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import OperationalError, connection, transaction
from django.utils.translation import gettext as _
from psycopg.errors import DeadlockDetected, LockNotAvailable

from league.services.core.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = "10s"


@contextmanager
def patience() -> Iterator[None]:
    """Wait ``PATIENCE`` for locks on a season and its matches. Raise ``Conflict`` after that."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            # For the transaction alone: a pooler gives the session to others.
            cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
            yield
            cursor.execute("SET LOCAL lock_timeout TO DEFAULT")
    except OperationalError as error:
        # An import locks the season before its matches, so it can deadlock with a correction.
        if isinstance(error.__cause__, LockNotAvailable | DeadlockDetected):
            raise Conflict(
                "season_in_use",
                _("An import or a correction of this season is running. Try again soon."),
            ) from error
        raise


def rest_unhurried() -> None:
    """Let the transaction rest while something is computed, however long that takes.

    A server that ended it would do so in every try. Older versions of PostgreSQL have only the
    first limit.
    """
    with connection.cursor() as cursor:
        cursor.execute("""
            SELECT set_config(name, '0', true) FROM pg_settings
            WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')
        """)
