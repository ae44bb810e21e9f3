"""Databases of the tests: copies of a template that is migrated once and kept between runs."""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
import redis
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg.sql import SQL, Identifier

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).resolve().parents[2]
MADE_FROM = ["league/migrations", "league/models", "league/settings.py", "requirements.txt"]
"""What decides how a migrated database looks."""
KEPT = 4
"""Templates that stay, of this and of other states of the code."""
MAKING = 7_003
"""The number of the lock that is held while a template is made."""


def prepare() -> None:
    """Give this process a database as it is after migrating, and an empty Valkey."""
    _make_template()
    renew()
    redis.Redis.from_url(settings.REDIS_URL).flushdb()


def renew() -> None:
    """Put a fresh copy of the template in the place of this process's database."""
    connection.close()
    connection.close_pool()
    name = Identifier(str(settings.DATABASES["default"]["NAME"]))
    with _server() as server:
        server.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        copy = SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY WAL_LOG")
        server.execute(copy.format(name, Identifier(_template())))
        # What a crash of the machine would lose is only ever a test's.
        server.execute(SQL("ALTER DATABASE {} SET synchronous_commit = off").format(name))


@contextmanager
def _server() -> Iterator[psycopg.Connection]:
    """A connection beside the databases that come and go."""
    address = urlsplit(settings.DATABASE_URL)._replace(path="/postgres").geturl()
    with psycopg.connect(address, autocommit=True) as server:
        yield server


@cache
def _template() -> str:
    """The template's name, which tells what it was made from."""
    digest = hashlib.sha256(repr(settings.INSTALLED_APPS).encode())
    for source in MADE_FROM:
        for file in sorted([PROJECT / source, *(PROJECT / source).rglob("*.py")]):
            if file.is_file():
                digest.update(file.read_bytes())
    return f"template_{digest.hexdigest()[:16]}"


def _make_template() -> None:
    """Make the template, unless it is there. Old ones go, except those that a run may still use."""
    with _server() as server:
        server.execute("SELECT pg_advisory_lock(%s)", [MAKING])
        found = server.execute(
            "SELECT datname FROM pg_database WHERE datname ~ '^template_' ORDER BY oid DESC"
        ).fetchall()
        if (_template(),) in found:
            return
        for (old,) in found[KEPT - 1 :]:
            server.execute(SQL("DROP DATABASE {}").format(Identifier(old)))
        draft, name = Identifier("draft"), Identifier(_template())
        server.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(draft))
        server.execute(SQL("CREATE DATABASE {} STRATEGY WAL_LOG").format(draft))
        with _at("draft"):
            call_command("migrate", verbosity=0)
            with connection.cursor() as cursor:
                cursor.execute("VACUUM (FULL, ANALYZE)")
        server.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(draft, name))


@contextmanager
def _at(database: str) -> Iterator[None]:
    """Let Django work on another database for a while."""
    own = connection.settings_dict["NAME"]
    connection.settings_dict["NAME"] = database
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()
        connection.settings_dict["NAME"] = own
