"""How far the replica is behind the primary.

Twice a second, a thread of each web process notes where the primary's log ends and how much of it
the replica has replayed. The replica is at most as old as the latest noted end that it has
replayed. This compares no clocks, writes nothing, and detects a replica that is cut off.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from typing import Any

import psycopg
from django.db import connections

log = logging.getLogger(__name__)
ALIAS = "replica"
OLDEST = 2.0
"""How many seconds old visitors' reads may be at most."""
EVERY = 0.5
"""Seconds between measurements."""
FRESH = 1.0
"""Seconds for which a measurement is valid."""
KEPT = 20
"""The number of noted ends of the primary's log that are kept."""
ENDS = "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"
REPLAYED = """
    SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() - '0/0'::pg_lsn END
"""
"""Null once the replica was promoted and is no longer a replica."""


def is_configured() -> bool:
    return ALIAS in connections.settings


class Watch:
    """Watches the replica in a thread, which the first call of ``is_close`` starts."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start afresh, as a newly forked process must."""
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._ends: deque[tuple[float, int]] = deque(maxlen=KEPT)
        self._sessions: dict[str, psycopg.Connection[Any]] = {}
        self._good_until = 0.0

    def is_close(self) -> bool:
        """Return whether the replica is reachable and at most ``OLDEST`` seconds old."""
        if self._thread is None:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._keep_measuring, daemon=True)
                    self._thread.start()
        return time.monotonic() < self._good_until

    def distrust(self) -> None:
        """Keep reads off the replica until the next measurement."""
        self._good_until = 0.0

    def _keep_measuring(self) -> None:
        was_close = None
        while True:
            began = time.monotonic()
            behind, problem = None, "it is late, or no replica of this primary"
            try:
                behind = self.behind()
            except Exception as error:  # noqa: BLE001 - this thread has to live on
                problem = str(error)
                self._hang_up()
            is_close = behind is not None and behind <= OLDEST
            self._good_until = began + min(FRESH, OLDEST - (behind or 0.0)) if is_close else 0.0
            if is_close != was_close:
                self._tell(None if is_close else problem)
            was_close = is_close
            time.sleep(EVERY)

    def _tell(self, problem: str | None) -> None:
        if problem is None:
            log.info("Reading from the replica.")
        else:
            log.warning("Not reading from the replica: %s", problem)

    def behind(self) -> float | None:
        """Return how many seconds behind the replica is at most, ``None`` if unknown.

        Raises:
            psycopg.Error: one of the servers does not answer.
        """
        now = time.monotonic()
        self._ends.append((now, int(self._ask("default", ENDS))))
        replayed = self._ask(ALIAS, REPLAYED)
        if replayed is None:
            return None
        return next((now - at for at, end in reversed(self._ends) if end <= replayed), None)

    def _ask(self, alias: str, query: str) -> Any:
        if alias not in self._sessions:
            database = connections[alias]
            kind = database.settings_dict["OPTIONS"]["pool"]["connection_class"]
            parameters = database.get_connection_params()
            self._sessions[alias] = kind.connect(**parameters, autocommit=True)
        row = self._sessions[alias].execute(query.encode()).fetchone()
        return row[0] if row else None

    def _hang_up(self) -> None:
        self._ends.clear()
        while self._sessions:
            _alias, session = self._sessions.popitem()
            session.close()


watch = Watch()
os.register_at_fork(after_in_child=watch.forget)
