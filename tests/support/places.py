"""A place for each process that runs tests: a PostgreSQL database and a Valkey database.

Several processes test at once: the workers of one run, or a second run beside it. Each takes the
first place that is free and keeps it until it ends, however it ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg

from embedded import locks
from embedded.postgres import SUPERUSER
from embedded.servers import attach

if TYPE_CHECKING:
    from pathlib import Path

PLACES = 16
"""As many as Valkey has databases."""
HASTE = {
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_wal_size": "'512MB'",
}
"""What PostgreSQL may leave out here: what a crash of the machine would lose is only a test's."""


@dataclass(frozen=True)
class Place:
    """The databases that belong to this process alone."""

    database_url: str
    redis_url: str


def take(data: Path) -> Place:
    """Take a free place on the servers of the folder ``data``."""
    servers = attach(data)
    _make_haste(servers.database_url)
    number = _lock_first_free(data)
    database = urlsplit(servers.database_url)._replace(path=f"/tests_{number}")
    valkey = servers.redis_url.partition("?")[0]
    return Place(database.geturl(), f"{valkey}?db={number}")


def _make_haste(url: str) -> None:
    with psycopg.connect(url, user=SUPERUSER, dbname="postgres", autocommit=True) as server:
        for setting, value in HASTE.items():
            server.execute(f"ALTER SYSTEM SET {setting} = {value}")
        server.execute("SELECT pg_reload_conf()")


def _lock_first_free(data: Path) -> int:
    for number in range(PLACES):
        # Left open: the lock lasts as long as the process.
        if locks.try_lock(locks.open_lock(data / f"place-{number}.lock"), locks.EXCLUSIVE):
            return number
    raise RuntimeError(f"{PLACES} processes run tests on {data} already: wait for one to end.")
