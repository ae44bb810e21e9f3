"""Several beats may run: one is active, and the others wait to take its place.

The active beat holds an advisory lock in a session of its own, which PostgreSQL ends with the
session: at once for a beat that ended, soon for one that is silent. If two are active for a moment,
only time is lost, as all tasks are safe to run twice.
"""

from __future__ import annotations

import logging
from typing import Any

import psycopg
from celery.beat import PersistentScheduler, SchedulingError
from django.conf import settings

from league.database import TIMEOUTS

TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('laurel beat', 0))"
PAUSE = 2.0
"""Seconds between attempts to take the place of another."""
SILENCE = "-c idle_session_timeout=8s"
"""Lets PostgreSQL end the session of a beat that was stopped or whose machine was cut off."""
log = logging.getLogger(__name__)


class OneBeat(PersistentScheduler):
    """A schedule that starts tasks while this beat is the active one."""

    _session: psycopg.Connection[Any] | None = None
    _is_active = False

    def tick(self, *given: Any, **options: Any) -> float:
        """Start a task that is due. Return the seconds until this should be called again."""
        was_active, self._is_active = self._is_active, self.has_lock()
        if self._is_active != was_active:
            log.info("This beat is %s active.", "now" if self._is_active else "no longer")
        return float(super().tick(*given, **options)) if self._is_active else PAUSE

    def apply_async(self, *given: Any, **options: Any) -> Any:
        """Send a task. An error of the broker, which Celery wraps, becomes the named cause.

        Otherwise each task would log hundreds of lines while the broker is away.
        """
        try:
            return super().apply_async(*given, **options)
        except SchedulingError as error:
            raise error from error.__context__

    def has_lock(self) -> bool:
        """Return whether this beat still holds the lock, or gets it now."""
        try:
            if self._session is None:
                address: dict[str, Any] = {**TIMEOUTS, "options": SILENCE}
                self._session = psycopg.connect(
                    settings.DATABASE_DIRECT_URL,
                    autocommit=True,
                    application_name="laurel beat",
                    **address,
                )
            # Asked even while it is active: that finds a lost session, and keeps it in use.
            row = self._session.execute("SELECT 1" if self._is_active else TRY_LOCK).fetchone()
            return bool(row and row[0])
        except psycopg.Error as error:
            log.warning("The database does not say which beat is active: %s", error)
            if self._session is not None:
                self._session.close()
            self._session = None
            return False
