"""Make a backup of the whole league: a dump of its database, which also has the images."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _

from league.services.core.errors import Conflict, Refused
from league.services.operations import backup_files, postgres_tools
from league.services.operations.backup_files import FORMAT, Manifest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    import psycopg
    import pyrage

COUNTED = {
    "accounts": "league_user",
    "players": "league_player",
    "seasons": "league_season",
    "matches": "league_match",
    "rating events": "league_ratingevent",
    "images": "league_evidencecontent",
}
"""The tables whose rows are counted when a backup is made, and again when it is restored."""
NAMED = (
    "DATABASE_DIRECT_URL",
    "DATABASE_REPLICA_URL",
    "DATABASE_URL",
    "DEFAULT_FROM_EMAIL",
    "DISCORD_BOT_TOKEN",
    "DISCORD_CLIENT_ID",
    "DISCORD_PUBLIC_KEY",
    "DISCORD_SECRET",
    "EMAIL_URL",
    "HOST",
    "PORT",
    "REDIS_URL",
    "SECRET_KEY",
    "SECRET_KEY_FALLBACKS",
    "STEAM_CLIENT_ID",
)
"""The environment variables of the site that do not start with ``LAUREL_``."""
TRY_LOCK = "SELECT pg_try_advisory_lock(hashtextextended('laurel backup', 0))"
UNLOCK = "SELECT pg_advisory_unlock(hashtextextended('laurel backup', 0))"
LONGEST_COMPLAINT = 500
PIECE = 2**16


@dataclass(frozen=True)
class Made:
    """A backup that was made."""

    path: Path
    manifest: Manifest
    size: int
    """In bytes."""
    seconds: float


def make(path: Path) -> Made:
    """Make a backup of the league. The file appears when it is complete.

    Raises:
        Refused: the file exists or cannot be written, the key is no key, or pg_dump is missing or
            fails.
        Conflict: another backup is being made.
    """
    began = time.monotonic()
    key = backup_files.key_from(settings.BACKUP_KEY)
    try:
        with backup_files.draft_of(path) as file:
            manifest = write(file, key)
    except OSError as error:  # no space left, say
        raise Refused(
            "backup_folder",
            _("%(path)s cannot be written: %(reason)s.") % {"path": path, "reason": error.strerror},
        ) from error
    return Made(path, manifest, path.stat().st_size, time.monotonic() - began)


def stream() -> Generator[bytes]:
    """Make a backup and yield it piece by piece, without a file.

    The first piece is empty: until then, what is refused has not begun. The last one is yielded
    only if nothing went wrong, so a backup that failed on the way has no end.

    Raises:
        Refused: the key is no key, or pg_dump is missing or fails.
        Conflict: another backup is being made.
    """
    key = backup_files.key_from(settings.BACKUP_KEY)
    reading, writing = os.pipe()
    # The pipe is closed first, which ends the thread if nobody reads on.
    with ThreadPoolExecutor(1) as maker, open(reading, "rb") as pieces:  # noqa: PTH123 - by its number
        made = maker.submit(write_to_pipe, writing, key)
        piece = pieces.read(PIECE)
        if len(piece) < PIECE:
            made.result()
        yield b""
        while following := pieces.read(PIECE):
            yield piece
            piece = following
        made.result()
        yield piece


def write_to_pipe(number: int, key: pyrage.x25519.Identity | None) -> None:
    with open(number, "wb") as file:
        write(file, key)


def write(file: IO[bytes], key: pyrage.x25519.Identity | None) -> Manifest:
    """Write a backup of the league as it is now, and return its manifest."""
    with one_snapshot() as (snapshot, league):
        manifest = describe(league, str(key.to_public()) if key else "")
        with dump_snapshot(snapshot, manifest.postgresql) as dump:
            backup_files.write(file, manifest, dump, key)
    return manifest


@contextmanager
def one_snapshot() -> Iterator[tuple[str, psycopg.Connection[Any]]]:
    """Give a snapshot of the league's database, and a connection that sees it.

    Raises:
        Conflict: another backup is being made.
    """
    with (
        postgres_tools.connect(postgres_tools.own_database()) as league,
        hold_lock(league),
        league.transaction(),
    ):
        league.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield one_value(league, "SELECT pg_export_snapshot()"), league


@contextmanager
def hold_lock(server: psycopg.Connection[Any]) -> Iterator[None]:
    """Hold the lock of backups in a database.

    It is released before the connection ends, because the server notices the end a little later.

    Raises:
        Conflict: another backup or restore holds it.
    """
    if not one_value(server, TRY_LOCK):
        raise Conflict("backup_running", _("Another backup or restore of this league is running."))
    try:
        yield
    finally:
        if not server.closed:
            server.execute(UNLOCK)


def describe(league: psycopg.Connection[Any], key: str) -> Manifest:
    """Describe the league as a connection sees it.

    Raises:
        Refused: the database has no league.
    """
    if not has_league(league):
        raise Refused("backup_empty", _("The database has no league. Run `manage.py migrate`."))
    migrations: dict[str, list[str]] = {}
    for app, name in league.execute("SELECT app, name FROM django_migrations ORDER BY id"):
        migrations.setdefault(app, []).append(name)
    return Manifest(
        format=FORMAT,
        made_at=datetime.now(UTC),
        postgresql=postgres_tools.server_version(league),
        migrations=migrations,
        counts=counts(league),
        settings=sorted(name for name, value in os.environ.items() if value and is_setting(name)),
        key=key,
    )


def is_setting(name: str) -> bool:
    return name.startswith("LAUREL_") or name in NAMED


def has_league(server: psycopg.Connection[Any]) -> bool:
    """Return whether a database has the tables of a league."""
    tables = [*COUNTED.values(), "django_migrations"]
    query = "SELECT bool_and(to_regclass(name) IS NOT NULL) FROM unnest(%s::text[]) AS name"
    return bool(one_value(server, query, [tables]))


def counts(server: psycopg.Connection[Any]) -> dict[str, int]:
    """Count the rows of the tables in ``COUNTED``."""
    return {
        name: one_value(server, f"SELECT count(*) FROM {table}")  # noqa: S608 - ours
        for name, table in COUNTED.items()
    }


def one_value(server: psycopg.Connection[Any], query: str, parameters: Any = None) -> Any:
    row = server.execute(query.encode(), parameters).fetchone()
    return row[0] if row else None


@contextmanager
def dump_snapshot(snapshot: str, server: int) -> Iterator[IO[bytes]]:
    """Give the output of pg_dump for a snapshot.

    Raises:
        Refused: pg_dump is missing, or it failed.
    """
    command = [
        postgres_tools.tool("pg_dump", server),
        "--format",
        "custom",
        "--no-owner",
        "--no-privileges",
        "--no-password",
        f"--snapshot={snapshot}",
    ]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            command,
            env=postgres_tools.environment(postgres_tools.own_database()),
            stdout=subprocess.PIPE,
            stderr=complaints,
        )
        try:
            with process:
                assert process.stdout  # noqa: S101 - for the type checker: it is a pipe
                yield process.stdout
        finally:
            process.kill()
        if process.returncode:
            raise failure("pg_dump", complaints)


def failure(name: str, complaints: IO[bytes]) -> Refused:
    """Return a refusal with the last thing that a program of PostgreSQL has complained about."""
    complaints.seek(0)
    complaint = complaints.read().decode(errors="replace").strip()
    return Refused(
        "postgres_failed",
        _("%(tool)s failed: %(reason)s")
        % {"tool": name, "reason": complaint[-LONGEST_COMPLAINT:] or _("it was killed")},
    )
