"""Databases of the tests: copies of a template that is migrated once and kept between runs."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import redis
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from psycopg.sql import SQL, Identifier

from embedded.postgres import SUPERUSER
from tests.support import cast, prepared

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROJECT = Path(__file__).resolve().parents[2]
SCHEMA = [
    "league/migrations",
    "league/models",
    "league/settings.py",
    "league/services/people/roles.py",
    "league/services/people/role_table.py",
    "league/apps.py",
    "locks/run.txt",
    "tests/support/databases.py",
]
"""What decides how a migrated database looks."""
CODE = ["league", "ratings", "matchmaking", "tests/support"]
"""What decides how its arenas look."""
KEPT = 4
"""Templates of each kind that stay, of this and of other states of the code."""
CATALOGS = """
    SELECT oid::regclass::text FROM pg_class
    WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind = 'r' AND NOT relisshared
"""
"""What migrating leaves large. The league's tables stay as they are: plans made for a table that
was vacuumed while empty read it from end to end, also when it has grown."""
GROWN = 1.5
"""Times its first size at which a database is renewed between two files of tests."""
STATE = """
    SELECT pg_database_size(current_database()), EXISTS (
        SELECT FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND reltuples >= 0
    )
"""
NONE = SQL("")
MAKING = 7_003
"""The number of the lock that is held while a template is made."""
_first_size: list[int] = []
"""The bytes of the database when it was prepared, once it is."""


def prepare() -> None:
    """Give this process a database as it is after migrating, and an empty Valkey."""
    with _server() as server:
        server.execute("SELECT pg_advisory_lock(%s)", [MAKING])
        _make(server, "migrated", _name("migrated", SCHEMA), "template1", _migrate)
        _make(server, "furnished", _template(), _name("migrated", SCHEMA), _furnish)
    renew()
    _first_size.append(_state()[0])
    redis.Redis.from_url(settings.REDIS_URL).flushdb()


def renew() -> None:
    """Replace this process's database with a fresh copy of the template.

    What the league's cache holds of the old one goes too: the new one gives the same ids again.
    """
    _close_connections()
    database = str(settings.DATABASES["default"]["NAME"])
    name = Identifier(database)
    with _server() as server:
        _drop(server, database)
        copy = SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        server.execute(copy.format(name, Identifier(_template())))
        # What a crash of the machine would lose is only ever a test's.
        server.execute(SQL("ALTER DATABASE {} SET synchronous_commit = off").format(name))
    _vacuum_shared_catalogs()
    valkey = redis.Redis.from_url(settings.REDIS_URL)
    if cached := list(valkey.scan_iter(f"{cache.key_prefix}:*", 1000)):
        valkey.delete(*cached)


def _vacuum_shared_catalogs() -> None:
    """Remove what dropped databases left where PostgreSQL notes the objects of all of them.

    Every copy adds a thousand rows there, and autovacuum is off: after some hundred copies, each
    took a second of CPU instead of a fifth.
    """
    with _server(user=SUPERUSER) as server:
        server.execute("VACUUM pg_shdepend, pg_database, pg_db_role_setting")


def renew_if_worn() -> None:
    """Replace this process's database if tests have left traces in it that make it slow.

    What they roll back stays in the tables until these are vacuumed, and what ``ANALYZE`` noted of
    the number of rows is not rolled back: then PostgreSQL plans for rows that are gone.
    """
    if not _first_size:
        return  # no test has needed the database yet
    size, analyzed = _state()
    if analyzed or size > GROWN * _first_size[0]:
        renew()


def _state() -> tuple[int, bool]:
    """Return the size of the database, and whether a table of the league was analyzed."""
    with connection.cursor() as cursor:
        cursor.execute(STATE)
        size, analyzed = cursor.fetchone()
    return size, analyzed


def _drop(server: psycopg.Connection, database: str) -> None:
    """Drop a database, whoever uses it, and also if somebody connects meanwhile.

    ``WITH (FORCE)`` would fail beside an autovacuum worker, which belongs to the superuser; without
    it PostgreSQL ends such workers by itself.
    """
    for is_last in (False, False, True):
        server.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = %s AND usename = current_user",
            [database],
        )
        try:
            server.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(database)))
        except psycopg.errors.ObjectInUse as error:
            if is_last:
                error.add_note(f"In use by {_sessions(server, database)}.")
                raise
        else:
            return


def _sessions(server: psycopg.Connection, database: str) -> list[tuple[object, ...]]:
    return server.execute(
        "SELECT usename, backend_type, state, query FROM pg_stat_activity WHERE datname = %s",
        [database],
    ).fetchall()


def _close_connections() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone


@contextmanager
def _server(user: str | None = None) -> Iterator[psycopg.Connection]:
    """A connection beside the databases that come and go."""
    address = urlsplit(settings.DATABASE_URL)._replace(path="/postgres").geturl()
    with psycopg.connect(address, autocommit=True, user=user) as server:
        yield server


@lru_cache
def _template() -> str:
    return _name("furnished", [*SCHEMA, *CODE])


def _name(kind: str, sources: list[str]) -> str:
    """A template's name, which tells what it was made from."""
    digest = hashlib.sha256(repr(settings.INSTALLED_APPS).encode())
    for source in sources:
        for file in sorted(
            [
                PROJECT / source,
                *(PROJECT / source).rglob("*.py"),
                *(PROJECT / source).rglob("*.sql"),
            ]
        ):
            if file.is_file():
                digest.update(file.read_bytes())
    return f"{kind}_{digest.hexdigest()[:16]}"


def _make(
    server: psycopg.Connection, kind: str, name: str, base: str, fill: Callable[[], None]
) -> None:
    """Make a template from another, unless it is there.

    Old ones of its kind go, except those that a run may still use.
    """
    found = server.execute(
        "SELECT datname FROM pg_database WHERE datname LIKE %s ORDER BY oid DESC", [f"{kind}_%"]
    ).fetchall()
    if (name,) in found:
        return
    for (old,) in found[KEPT - 1 :]:
        server.execute(SQL("DROP DATABASE {}").format(Identifier(old)))
    draft = Identifier("draft")
    _drop(server, "draft")
    copy = SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
    server.execute(copy.format(draft, Identifier(base)))
    with _at("draft"):
        fill()
    server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(draft, Identifier(name)))


def _migrate() -> None:
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute(CATALOGS)
        for (catalog,) in cursor.fetchall():
            cursor.execute(f"VACUUM (FULL, ANALYZE) {catalog}")


def _furnish() -> None:
    prepared.number_seasons()
    for slug, rules in cast.ARENAS.items():
        cast.arena(slug, **rules)
    prepared.put_away()


@contextmanager
def copied() -> Iterator[None]:
    """Let Django work on a copy of this process's database for a while."""
    with _another("copy", str(connection.settings_dict["NAME"])):
        yield


@contextmanager
def empty() -> Iterator[str]:
    """Let Django work on a database without tables for a while, and give its name."""
    with _another("empty", "template1") as name:
        yield name


@contextmanager
def unused() -> Iterator[str]:
    """Let Django work on a league in which nothing has happened for a while, and give its name."""
    with _another("unused", _name("migrated", SCHEMA)) as name:
        yield name


@contextmanager
def of_bytes() -> Iterator[str]:
    """Let Django work on an empty database whose server stores bytes as they come."""
    with _another("bytes", "template0", SQL("ENCODING 'SQL_ASCII' LOCALE 'C'")) as name:
        yield name


@contextmanager
def _another(kind: str, base: str, options: SQL = NONE) -> Iterator[str]:
    another = f"{connection.settings_dict['NAME']}_{kind}"
    _close_connections()
    with _server() as server:
        _drop(server, another)
        made = SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY {}")
        server.execute(made.format(Identifier(another), Identifier(base), options))
        try:
            with _at(another):
                yield another
        finally:
            _drop(server, another)


@contextmanager
def _at(database: str) -> Iterator[None]:
    """Let Django work on another database for a while."""
    own = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        _close_connections()
        connection.settings_dict["NAME"] = own
