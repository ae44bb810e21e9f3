"""Connections to PostgreSQL that keep no visitor waiting for long.

PostgreSQL itself ends statements and waits for locks that take too long. A server that is stopped,
or cut off, ends nothing, so the web process also stops waiting by itself: soon after the server
should have ended the statement. Then ``outage`` says at once that there is no database, and a
thread tries until there is one again, so that one request finds out and all others are told.

Only the web process has these limits (``limit_pages``), and its long work has longer ones
(``allow_long_work``). Tasks and commands wait as long as it takes.

Behind a pooler that gives each transaction another session, nothing may be set for a session. There
the pooler sets the limits of pages, and what needs a session goes past it, to ``direct``.
"""

from __future__ import annotations

import logging
import select
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

import psycopg
from django.conf import settings
from django.db import connection as default_connection
from django.db import connections
from psycopg import errors
from psycopg.rows import TupleRow
from psycopg.waiting import Ready

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper
    from psycopg.abc import PQGen

    Result = TypeVar("Result")

GRACE = 0.5
"""Seconds beyond the limit after which the server counts as silent."""
STEP = 0.25
"""Seconds after which a waiting thread looks whether another has found the server silent."""
PAUSE = 0.5
"""Seconds between attempts to reach a lost server."""
log = logging.getLogger(__name__)


class Silent(psycopg.OperationalError):
    """The server has stopped responding."""


class _Waiting(threading.local):
    """How long this thread waits for a statement."""

    long_work = False
    usual: BaseDatabaseWrapper | None = None
    """What its work is done in again after a request that goes past a pooler."""


_waiting = _Waiting()


class _Process:
    """Whether this process answers requests of people."""

    has_limits = False


def limit_pages() -> None:
    """Limit all waits of this process from now on: it answers requests."""
    _Process.has_limits = True


def direct() -> str:
    """Return the alias of the database past a pooler, if there is one."""
    return "direct" if "direct" in connections.settings else "default"


def use(chosen: BaseDatabaseWrapper) -> BaseDatabaseWrapper:
    """Let this thread's work be done in another database. Return the one that did it so far."""
    so_far = connections["default"]
    connections["default"] = chosen
    return so_far


def begin_request() -> None:
    """Let the normal limits and the usual database hold for the next request of this thread."""
    _waiting.long_work = False
    if _waiting.usual is not None:
        use(_waiting.usual)
        _waiting.usual = None


def allow_long_work() -> None:
    """Let statements of this thread's request take longer, and wait for locks as long."""
    if not _Process.has_limits or _waiting.long_work:
        return
    _waiting.long_work = True
    if direct() != "default":
        _waiting.usual = use(past := connections[direct()])
        _waiting.usual.close()
        past.execute_wrappers[:] = _waiting.usual.execute_wrappers  # what watches this request
    milliseconds = 1000 * settings.DATABASE_LIMITS["long_statement"]
    with default_connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = {milliseconds:.0f}")
        cursor.execute("SET lock_timeout = 0")
    default_connection.connection.has_long_limits = True


def seconds_to_wait() -> float | None:
    """Return how long this thread waits for the server, ``None`` if without limit."""
    if not _Process.has_limits:
        return None
    limits = settings.DATABASE_LIMITS
    limit = limits["long_statement"] if _waiting.long_work else limits["statement"]
    return limit + GRACE if limit else None


class Connection(psycopg.Connection[TupleRow]):
    """A connection whose waits end."""

    has_long_limits = False
    tells_limits = True
    """Whether it may tell the server the limits of this process when it connects."""
    is_needed = True
    """Whether the site is out of order without its server."""

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Connection:
        """Connect, and let the server limit statements if this process has limits."""
        if _Process.has_limits and cls.tells_limits:
            # What DATABASE_URL says comes later and wins.
            options["options"] = f"{server_limits()} {options.get('options', '')}".strip()
        return super().connect(conninfo, **options)

    def wait(
        self, gen: PQGen[Result], interval: float = 0.1, timeout: float | None = None
    ) -> Result:
        """Wait for the server.

        Raises:
            Silent: it does not respond. The connection is closed.
        """
        limit = seconds_to_wait()
        if timeout is not None or limit is None:
            return super().wait(gen, interval, timeout)
        deadline = time.monotonic() + limit
        while True:
            try:
                return super().wait(gen, interval, min(STEP, limit))
            except errors._WaitTimeout:  # noqa: SLF001 - all that tells it from a real error
                if time.monotonic() >= deadline or outage.lasts():
                    self.pgconn.finish()
                    if self.is_needed:
                        outage.begin()
                    raise Silent("PostgreSQL has stopped responding.") from None
                gen = resumed(gen)


def resumed(gen: PQGen[Result]) -> PQGen[Result]:
    """Go on with a wait that has timed out.

    psycopg begins to wait by sending ``None``, which its generators do not expect halfway: one that
    is sending a large statement then fails.
    """
    ready: Ready | int = Ready.NONE
    while True:
        try:
            wanted = gen.send(ready)
        except StopIteration as end:
            result: Result = end.value
            return result
        ready = (yield wanted) or Ready.NONE


class Unlimited(Connection):
    """A connection to a pooler, which knows the limits of pages itself."""

    tells_limits = False


class Spare(Connection):
    """A connection to a replica, without which the primary does its work."""

    is_needed = False


def server_limits() -> str:
    """Return the options with which the server ends statements and waits for locks."""
    limits = settings.DATABASE_LIMITS
    names = {"statement": "statement_timeout", "lock": "lock_timeout"}
    return " ".join(
        f"-c {option}={1000 * limits[name]:.0f}" for name, option in names.items() if limits[name]
    )


def check(connection: Connection) -> None:
    """Make a connection of the pool ready for its next user.

    An idle connection has nothing to read, unless the server has closed it: looking costs no round
    trip. If one is lost, most likely all are.

    Raises:
        psycopg.OperationalError: it is lost.
    """
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN)
    if poll.poll(0):
        try:
            connection.execute("SELECT 1")
        except psycopg.Error:
            if pool := connection._pool:  # noqa: SLF001 - as Django does
                pool.check()  # type: ignore[attr-defined] # its base class lacks it
            raise
    if connection.has_long_limits:
        connection.execute("RESET statement_timeout")
        connection.execute("RESET lock_timeout")
        connection.has_long_limits = False


class Outage:
    """Whether the server is known not to respond."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lasts = False

    def lasts(self) -> bool:
        return self._lasts

    def begin(self) -> None:
        """Tell everyone that the server is lost, and try to reach it until it is back."""
        if not _Process.has_limits:
            return
        with self._lock:
            if self._lasts:
                return
            self._lasts = True
        threading.Thread(target=self._wait, name="laurel-database", daemon=True).start()

    def _wait(self) -> None:
        began = time.monotonic()
        while not is_reachable():
            time.sleep(PAUSE)
        self._lasts = False
        log.info("PostgreSQL responds again, after %.1f s.", time.monotonic() - began)


outage = Outage()


def is_reachable() -> bool:
    """Return whether a new connection works."""
    database = connections["default"]
    kind = database.settings_dict["OPTIONS"]["pool"]["connection_class"]
    try:
        with kind.connect(**database.get_connection_params()) as connection:
            connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True
