"""The schema that a new database gets at once: what all migrations up to a point leave behind.

Django rebuilds its models for every step of every migration, which takes most of a minute on a busy
machine. ``schema.sql`` is what pg_dump says of a database that has made all these steps. It also
lists them, so that ``manage.py migrate`` goes on from there. ``make schema`` writes it again.
"""

from __future__ import annotations

from pathlib import Path

from django.db import connections, transaction

FILE = Path(__file__).with_name("schema.sql")


def is_for(alias: str) -> bool:
    """Return whether a database has no tables yet, and will have them where the file puts them."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT current_schema()")
        [schema] = cursor.fetchone()
    return schema == "public" and not connections[alias].introspection.table_names()


def encoding_of(alias: str) -> str:
    """Return how a database stores text: ``UTF8``, or what its server was set up with."""
    with connections[alias].cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        [encoding] = cursor.fetchone()
    return str(encoding)


def create(alias: str) -> None:
    """Create the tables, functions and first rows in an empty database: all of them, or none."""
    with transaction.atomic(alias), connections[alias].cursor() as cursor:
        # Functions call others that come later in the file.
        cursor.execute("SET LOCAL check_function_bodies = off")
        cursor.execute(FILE.read_text())
