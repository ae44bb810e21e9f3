"""Writing ``league/schema.sql``, from a database that has made every step of every migration."""

from __future__ import annotations

import hashlib
import re
import subprocess
from typing import TYPE_CHECKING

from django.core.management import call_command
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from league.schema import FILE
from league.services.operations import postgres_tools
from tests.support import databases

if TYPE_CHECKING:
    from collections.abc import Iterable

FILLED = ["league_reservedword"]
"""The tables in which migrations leave rows, besides Django's list of migrations."""
LEFT_OUT = re.compile(r"^(?:--.*|\\.*|SET .*|SELECT pg_catalog\.set_config.*|)\n", re.MULTILINE)
"""pg_dump's comments, its commands for psql and its settings of the session."""
MIGRATIONS = FILE.parent / "migrations"


def written() -> str:
    """Migrate a new database step by step, and return what ``schema.sql`` has to be."""
    with databases.empty() as name:
        call_command(migrate.Command(), verbosity=0)
        applied = list(MigrationRecorder(connection).applied_migrations())
        tables = [word for table in FILLED for word in ("--table", f"public.{table}")]
        schema, rows = dump(name, "--schema-only"), dump(name, "--column-inserts", "-a", *tables)
    return (
        f"-- What {len(applied)} migrations leave behind: `make schema` writes it again.\n"
        f"-- Digest of the league's own: {digest(applied)}\n\n"
        + LEFT_OUT.sub("", schema)
        + LEFT_OUT.sub("", rows)
        + "".join(
            f"INSERT INTO public.django_migrations (app, name, applied)"
            f" VALUES ('{app}', '{migration}', now());\n"
            for app, migration in applied
        )
    )


def dump(database: str, *options: str) -> str:
    """Return what pg_dump says of a database."""
    return subprocess.run(
        [postgres_tools.tool("pg_dump", 0), "--no-owner", "--no-privileges", *options],
        env=postgres_tools.environment(database),
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def listed() -> list[tuple[str, str]]:
    """Return the migrations that ``schema.sql`` stands for, by app and name, in their order."""
    return re.findall(r"VALUES \('(\w+)', '(\w+)', now\(\)\);", FILE.read_text())


def digest_in_file() -> str:
    """Return the digest of the migrations that ``schema.sql`` was written from."""
    found = re.search(r"^-- Digest of the league's own: (\w+)$", FILE.read_text(), re.MULTILINE)
    return found[1] if found else ""


def digest(migrations: Iterable[tuple[str, str]]) -> str:
    """Return a digest of the league's own among some migrations."""
    sources = sorted(MIGRATIONS / f"{name}.py" for app, name in migrations if app == "league")
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
