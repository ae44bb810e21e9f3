"""Move a league into an empty Laurel while its site runs: read the archive that a page brought.

A process of its own does it, with the file as its input: it needs no limits of pages, and whatever
kills it leaves the empty league as it was. The page that shows its progress finds it in the cache.
"""

from __future__ import annotations

import logging
import secrets
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils.translation import gettext as _

from league.services.core.errors import Conflict, Refused
from league.services.operations import backups, postgres_tools, restoring

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

    from league.services.operations.backup_files import Manifest

INHABITED = "SELECT {}".format(
    " OR ".join(f"EXISTS (SELECT FROM {table})" for table in backups.COUNTED.values())
)
IS_CLOSED = """
    SELECT EXISTS (
        SELECT FROM pg_locks WHERE locktype = 'object' AND granted AND mode = 'AccessExclusiveLock'
        AND classid = 'pg_database'::regclass
        AND objid = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
"""
"""Whether a database is being renamed: then nobody else can connect to it."""
END_OTHERS = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
"""
PATIENCE = 4.0
"""Seconds that the site's sessions may take to end. PostgreSQL waits for them for five."""
PAUSE = 0.05
PULSE = 2.0
"""Seconds between two signs of life."""
STARTING, ALIVE, REMEMBERED = 120, 15, 3600
"""Seconds for which the state of an attempt is kept: at first, while it runs, and at its end."""
log = logging.getLogger(__name__)


@dataclass
class State:
    """Progress of an attempt to move a league in."""

    percent: int = 0
    refusal: str = ""
    is_done: bool = False
    made: datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    settings: list[str] = field(default_factory=list)
    """The names of the settings of the site that the archive is from."""

    @property
    def is_running(self) -> bool:
        return not (self.is_done or self.refusal)


def state_of(attempt: str) -> State | None:
    """Return the state of an attempt, ``None`` if it was killed or is not known."""
    found: State | None = cache.get(key(attempt))
    return found


def key(attempt: str) -> str:
    return f"moving-in-{attempt}"


def is_inhabited() -> bool:
    """Return whether the league has anything that an archive would replace."""
    with connection.cursor() as cursor:
        cursor.execute(INHABITED)
        return bool(cursor.fetchone()[0])


def refuse_inhabited(is_one: bool) -> None:
    if is_one:
        raise Conflict(
            "league_not_empty",
            _(
                "This league has accounts, players or seasons already, so no other league can be "
                "moved here."
            ),
        )


def begin(path: Path, own_key: str) -> str:
    """Let a process move a league in, and return the name of the attempt. The file may go."""
    attempt = secrets.token_urlsafe(16)
    cache.set(key(attempt), State(), STARTING)
    environment = restoring.environment_of(postgres_tools.own_database())
    if own_key:
        environment["LAUREL_BACKUP_KEY"] = own_key
    with path.open("rb") as file:
        process = subprocess.Popen(
            [
                sys.executable,
                str(settings.BASE_DIR / "manage.py"),
                "restore",
                "/dev/stdin",
                f"--attempt={attempt}",
            ],
            env=environment,
            stdin=file,
        )
    threading.Thread(target=process.wait, daemon=True).start()  # it would stay as a zombie
    return attempt


def carry_out(attempt: str, path: Path) -> None:
    """Move a league in, and keep what became of it for the page that waits."""
    state = State()
    with signs_of_life(attempt, state):
        try:
            manifest = move_in(path, state)
        except Refused as refusal:
            state.refusal = refusal.message
        except Exception:
            log.exception("No league was moved in.")
            state.refusal = _("Something went wrong. The log of the site says what.")
        else:
            state.is_done, state.made = True, manifest.made_at
            state.counts, state.settings = manifest.counts, manifest.settings
    cache.set(key(attempt), state, REMEMBERED)


@contextmanager
def signs_of_life(attempt: str, state: State) -> Iterator[None]:
    """Keep the state of an attempt in the cache again and again: it expires soon."""
    is_over = threading.Event()

    def tell() -> None:
        while not is_over.is_set():
            cache.set(key(attempt), state, ALIVE)
            is_over.wait(PULSE)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def move_in(path: Path, state: State) -> Manifest:
    """Put the league of a backup in the place of the empty one, completely or not at all.

    Raises:
        Refused: the file cannot be read or restored.
        Conflict: the league is not empty, or somebody else restores a backup.
    """
    manifest = restoring.check_backup(path)
    size = path.stat().st_size

    def watch(read: int) -> None:
        state.percent = min(100, 100 * read // max(size, 1))

    with restoring.maintenance() as server:
        refuse_inhabited(is_inhabited())
        with restoring.restore_scratch(server, path, manifest, watch) as database:
            restoring.compare_counts(database, manifest)
            replace_empty(server, database)
    cache.clear()  # it is about the league that was replaced
    return manifest


def replace_empty(server: psycopg.Connection[Any], database: str) -> None:
    """Give a database the name of the league's, which is in use, if the league is empty.

    PostgreSQL lets nobody connect to a database that it renames, and waits some seconds until all
    sessions have left. Ours is the last, so what it sees is all that was ever committed there. It
    only leaves if that is nothing.

    Raises:
        Conflict: it is not empty, or a session does not end.
    """
    restoring.leave()
    own = postgres_tools.own_database()
    with postgres_tools.connect(own) as league, ThreadPoolExecutor(1) as other:
        swapped = other.submit(restoring.swap, server, database)
        try:
            end_others(league)
            refuse_inhabited(bool(backups.one_value(league, INHABITED)))
        except BaseException:
            server.cancel_safe()
            raise
        league.close()
        swapped.result()


def end_others(league: psycopg.Connection[Any]) -> None:
    """End all sessions but this one in a database that is being renamed.

    Raises:
        Conflict: one goes on.
    """
    give_up_at = time.monotonic() + PATIENCE
    while True:
        is_closed = backups.one_value(league, IS_CLOSED)
        league.execute(END_OTHERS)
        others = backups.one_value(league, restoring.IN_USE, [postgres_tools.own_database()])
        if is_closed and not others:
            return
        if time.monotonic() > give_up_at:
            raise restoring.site_is_running(others)
        time.sleep(PAUSE)
