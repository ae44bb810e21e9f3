"""Several beats may run: one is active, and the others wait to take its place.

The active beat holds a lock in a database session of its own, and checks before each task that it
still does. PostgreSQL releases the lock when the session ends, and ends a silent session, such as
that of a beat that was stopped or whose machine was cut off. If two are active for a moment, only
time is lost, as all tasks are safe to run twice.
"""

from __future__ import annotations

import logging
import os
import signal
from typing import Any

import psycopg
from celery.beat import PersistentScheduler, SchedulingError
from celery.signals import beat_init
from django.conf import settings

TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('laurel beat', 0))"
PAUSE = 2.0
"""Seconds between attempts to take the place of another."""
SILENCE = 8
"""Seconds after which PostgreSQL ends the session of a silent beat."""
CONNECTION: dict[str, Any] = {
    "connect_timeout": 2,
    "tcp_user_timeout": 5000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""Parameters of libpq that soon end a connection to a server that is gone."""
log = logging.getLogger(__name__)


class Turn:
    """The right to be the active beat."""

    def __init__(self) -> None:
        self._session: psycopg.Connection[Any] | None = None
        self._mine = False

    def is_mine(self) -> bool:
        """Return whether this beat is active, or becomes so now."""
        was_mine = self._mine
        try:
            self._ask()
        except psycopg.Error as error:
            self.give_up()
            log.warning("The database does not say which beat is active: %s", error)
        if self._mine != was_mine:
            log.info("This beat is active." if self._mine else "This beat is no longer active.")
        return self._mine

    def _ask(self) -> None:
        if self._session is None:
            self._session = connect()
        if self._mine:
            self._session.execute("SELECT 1")
        else:
            row = self._session.execute(TRY_LOCK).fetchone()
            self._mine = bool(row and row[0])

    def give_up(self) -> None:
        """End the session, and with it the turn."""
        if self._session is not None:
            self._session.close()
        self._session, self._mine = None, False


def connect() -> psycopg.Connection[Any]:
    """Open a session that PostgreSQL ends when it is silent."""
    session = psycopg.connect(
        settings.DATABASE_DIRECT_URL,
        autocommit=True,
        application_name="laurel beat",
        prepare_threshold=None,
        **CONNECTION,
    )
    session.execute(f"SET idle_session_timeout = '{SILENCE}s'".encode())
    row = session.execute("SELECT pg_backend_pid()").fetchone()
    if row and row[0] != session.info.backend_pid:
        log.error(
            "Beat reaches PostgreSQL through a pooler, so two beats may be active at once: set "
            "DATABASE_DIRECT_URL to an address that bypasses it."
        )
    return session


class OneBeat(PersistentScheduler):
    """A schedule that starts tasks while this beat is the active one."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.turn = Turn()
        super().__init__(*given, **options)

    def tick(self, *given: Any, **options: Any) -> float:
        """Start a task that is due. Return the seconds until this should be called again."""
        if not self.turn.is_mine():
            return PAUSE
        return float(super().tick(*given, **options))

    def apply_async(self, *given: Any, **options: Any) -> Any:
        """Send a task. An error of the broker, which Celery wraps, becomes the named cause."""
        try:
            return super().apply_async(*given, **options)
        except SchedulingError as error:
            raise error from error.__context__

    def close(self) -> None:
        super().close()
        self.turn.give_up()


@beat_init.connect
def end_at_once(**_sent: Any) -> None:
    """Let a request to stop end beat at once, since it has nothing to save.

    Celery's own handler raises an exception wherever beat is. If that is in the broker's client, it
    becomes others there: hundreds of lines.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_given: os._exit(0))
