"""Restore backups, and prove that they can be restored.

A backup is always restored into a scratch database first. Restoring then gives that database the
name of the league's, in one transaction, so the league is the old one or the new one and never
half of either. Proving it runs ``manage.py verify_ratings`` there, and drops it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import psycopg
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _
from psycopg import errors
from psycopg.sql import SQL, Identifier
from redis.exceptions import RedisError

from league.database import direct
from league.services.core.errors import Conflict, Refused
from league.services.operations import backup_files, backups, postgres_tools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from league.services.operations.backup_files import Manifest

SCRATCH = "{}_scratch_of_a_backup"
REPLACED = "{}_replaced_by_a_backup"
LONGEST_NAME = 63
"""PostgreSQL cuts longer names off."""
CLOSING = 2.0
"""Seconds that the server may take to end connections that were closed."""
IN_USE = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = %s AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class Unprovable(Refused):
    """The database role may not create the scratch database."""


def verify(path: Path, write: Callable[[str], object]) -> None:
    """Restore a backup into a scratch database, check everything there, and drop it.

    ``write`` gets the lines of the report.

    Raises:
        Refused: the file cannot be read or restored, or what it restores differs.
        Unprovable: the role may not create databases.
    """
    manifest = check_backup(path)
    write(_("The file is complete. Made %(when)s.") % {"when": when(manifest)})
    with maintenance() as server, restore_scratch(server, path, manifest) as database:
        for name, number in compare_counts(database, manifest).items():
            write(f"{name}: {number:,}")
        write(_("Replaying every season:"))
        for line in output_of(database, "verify_ratings"):
            write(line)
    write(_("The backup is proven."))


def compare_counts(database: str, manifest: Manifest) -> dict[str, int]:
    """Return the counts of a restored database.

    Raises:
        Refused: they are not those of the backup.
    """
    with postgres_tools.connect(database) as copy:
        found = backups.counts(copy) if backups.has_league(copy) else {}
    if found != manifest.counts:
        raise Refused(
            "backup_differs",
            _("The backup should restore %(expected)s, and restores %(found)s.")
            % {
                "expected": list_counts(manifest.counts),
                "found": list_counts(found) or _("nothing"),
            },
        )
    return found


def restore(path: Path, *, replace: bool) -> Manifest:
    """Replace the league by that of a backup, completely or not at all.

    Raises:
        Refused: the file cannot be read or restored.
        Conflict: the league has matches and ``replace`` is false, or the site is running.
    """
    manifest = check_backup(path)
    with maintenance() as server:
        refuse_running(server)
        if not replace:
            refuse_overwriting(server, manifest)
        with restore_scratch(server, path, manifest) as database:
            swap(server, database)
    try:
        cache.clear()  # also the broker's messages, which are about the replaced league
    except (RedisError, OSError):
        raise Refused(
            "cache_not_emptied",
            _(
                "The league is restored, but Valkey does not answer: empty it with FLUSHDB before "
                "you start the site."
            ),
        ) from None
    return manifest


def check_backup(path: Path, key: str = "") -> Manifest:
    """Read a backup from end to end and return its manifest. The default key is the site's.

    Raises:
        Refused: the file is missing, damaged or of a newer version, or the key does not fit.
    """
    manifest = backup_files.read_manifest(path)
    refuse_newer_league(path, manifest)
    identity = backup_files.key_from(key or settings.BACKUP_KEY)
    backup_files.read_dump(path, manifest, backup_files.Nowhere(), identity)
    return manifest


def refuse_newer_league(path: Path, manifest: Manifest) -> None:
    known = known_migrations()
    newer = [name for name in manifest.migrations.get("league", []) if name not in known]
    if newer:
        raise Refused(
            "backup_newer",
            _(
                "%(path)s was made by a newer version of Laurel: its database has %(migration)s, "
                "which this version does not know. Update Laurel first."
            )
            % {"path": path, "migration": newer[-1]},
        )


def known_migrations() -> set[str]:
    """Return the names of the league's migrations in this version, and of those they replace."""
    on_disk = MigrationLoader(None).disk_migrations
    own = {key for key in on_disk if key[0] == "league"}
    replaced = {key for migration in own for key in on_disk[migration].replaces}
    return {name for _app, name in own | replaced}


@contextmanager
def maintenance() -> Iterator[psycopg.Connection[Any]]:
    """Give a connection beside the league's database, under the lock of restores.

    Raises:
        Unprovable: it cannot be reached.
        Conflict: another restore is running.
    """
    try:
        server = postgres_tools.connect(postgres_tools.MAINTENANCE)
    except psycopg.OperationalError as error:
        raise Unprovable(
            "no_scratch", _("The database server cannot be used: %(why)s") % {"why": error}
        ) from error
    with server, backups.hold_lock(server):
        yield server


@contextmanager
def restore_scratch(
    server: psycopg.Connection[Any],
    path: Path,
    manifest: Manifest,
    watch: Callable[[int], object] = bool,
) -> Iterator[str]:
    """Restore a backup, brought up to date, into a scratch database. Drop it if it is still there.

    Gives the name of the database. ``watch`` gets the bytes of the dump that are read so far.
    """
    its = postgres_tools.server_version(server)
    if its < manifest.postgresql:
        raise Refused(
            "server_older",
            _("The backup was made from PostgreSQL %(made)d. This server is of version %(its)d.")
            % {"made": manifest.postgresql, "its": its},
        )
    database = derive_name(SCRATCH)
    drop(server, database)  # of a restore that was killed
    try:
        created = SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'")
        server.execute(created.format(Identifier(database)))
    except errors.InsufficientPrivilege as error:
        raise Unprovable(
            "no_scratch",
            _(
                "Restoring needs a second database, and the role %(role)s may not create one: "
                "let an administrator run ALTER ROLE %(role)s CREATEDB."
            )
            % {"role": server.info.user},
        ) from error
    try:
        fill(database, path, manifest, its, watch)
        if set(manifest.migrations["league"]) != known_migrations():
            for _line in output_of(database, "migrate", "--noinput", "--verbosity", "0"):
                pass
        with postgres_tools.connect(database) as copy:
            copy.execute("ANALYZE")
        yield database
    finally:
        drop(server, database)


def derive_name(pattern: str) -> str:
    """Return the name of a database beside the league's."""
    own = postgres_tools.own_database()
    return pattern.format(own[: LONGEST_NAME - len(pattern.format(""))])


def drop(server: psycopg.Connection[Any], database: str) -> None:
    """Drop a database of ours, whatever of ours still uses it."""
    server.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = %s AND usename = current_user",
        [database],
    )
    server.execute(SQL("DROP DATABASE IF EXISTS {}").format(Identifier(database)))


def fill(
    database: str, path: Path, manifest: Manifest, server: int, watch: Callable[[int], object]
) -> None:
    """Restore a dump into an empty database, in one transaction."""
    command = [
        postgres_tools.tool("pg_restore", server),
        # By default pg_restore goes on after errors, and ends with a part of the data.
        "--exit-on-error",
        "--single-transaction",
        "--no-owner",
        "--no-privileges",
        "--no-password",
        f"--dbname={database}",
    ]
    # A file, as a pipe that nobody reads while the dump is fed could fill up and block.
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            command,
            env=postgres_tools.environment(database),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        )
        try:
            feed(process.stdin, path, manifest, watch)
            process.wait()
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            raise backups.failure("pg_restore", complaints)


def feed(
    pipe: IO[bytes] | None, path: Path, manifest: Manifest, watch: Callable[[int], object]
) -> None:
    """Write a dump to pg_restore. That this ended early is for its exit status to say."""
    assert pipe  # noqa: S101 - for the type checker
    key = backup_files.key_from(settings.BACKUP_KEY)
    try:
        with pipe:
            backup_files.read_dump(path, manifest, backup_files.Watched(pipe, watch), key)
    except BrokenPipeError:
        pass


def output_of(database: str, *command: str) -> Iterator[str]:
    """Run a command of ``manage.py`` on another database, and yield the lines that it writes.

    Raises:
        Refused: it failed.
    """
    with subprocess.Popen(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *command],
        env=environment_of(database),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        last = ""
        for line in process.stdout or ():
            last = line.rstrip("\n")
            yield last
    if process.returncode:
        raise Refused(
            "command_failed",
            _("manage.py %(command)s failed: %(reason)s") % {"command": command[0], "reason": last},
        )


def environment_of(database: str) -> dict[str, str]:
    """Return the environment in which commands of ``manage.py`` work on a database."""
    return {
        **os.environ,
        "DATABASE_URL": url_of(database),
        # It names the database that is in use, not the restored one.
        "DATABASE_DIRECT_URL": "",
        "REDIS_URL": settings.REDIS_URL,
        # Only pages are in a hurry, see gunicorn.conf.py.
        "PGOPTIONS": "",
    }


def url_of(database: str) -> str:
    """Return the URL of a database of the league's server."""
    address = {**postgres_tools.address(direct()), "dbname": database}
    return f"postgresql:///?{urlencode(address, quote_via=quote)}"


def refuse_running(server: psycopg.Connection[Any]) -> None:
    """Refuse while somebody uses the league's database. Our own connections are closed."""
    leave()
    give_up_at = time.monotonic() + CLOSING
    while others := backups.one_value(server, IN_USE, [postgres_tools.own_database()]):
        if time.monotonic() > give_up_at:
            raise site_is_running(others)
        time.sleep(CLOSING / 20)


def leave() -> None:
    """Close our own connections to the league's database."""
    connection.close()
    # The pool keeps sessions of ours, which would count as users of the database.
    connection.close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone


def site_is_running(connections: int) -> Conflict:
    return Conflict(
        "site_running",
        _(
            "The league's database is in use (connections: %(connections)d). Stop the site first, "
            "with its workers and beat."
        )
        % {"connections": connections},
    )


def refuse_overwriting(server: psycopg.Connection[Any], manifest: Manifest) -> None:
    """Refuse to replace a league with matches, and say what would be replaced."""
    own = postgres_tools.own_database()
    if not backups.one_value(server, "SELECT 1 FROM pg_database WHERE datname = %s", [own]):
        return
    with postgres_tools.connect(own) as league:
        found = backups.counts(league) if backups.has_league(league) else {"matches": 0}
        if not found["matches"]:
            return
        latest = backups.one_value(league, "SELECT max(played_at) FROM league_match")
    raise Conflict(
        "league_has_matches",
        _(
            "Restoring would replace the league here (%(here)s; latest match: %(latest)s) by the "
            "backup made %(made)s (%(backup)s). Nothing was changed. Add --replace to do that."
        )
        % {
            "here": list_counts(found),
            "latest": f"{latest:%Y-%m-%d %H:%M} UTC" if latest else "–",
            "made": when(manifest),
            "backup": list_counts(manifest.counts),
        },
    )


def list_counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name}: {number:,}" for name, number in found.items())


def when(manifest: Manifest) -> str:
    return f"{manifest.made_at:%Y-%m-%d %H:%M:%S} UTC"


def swap(server: psycopg.Connection[Any], database: str) -> None:
    """Give a database the name of the league's, and drop the one that had it.

    Raises:
        Conflict: somebody uses one of them.
    """
    own, replaced = postgres_tools.own_database(), derive_name(REPLACED)
    drop(server, replaced)  # of a restore that was killed
    exists = backups.one_value(server, "SELECT 1 FROM pg_database WHERE datname = %s", [own])
    rename = SQL("ALTER DATABASE {} RENAME TO {}")
    try:
        with server.transaction():
            if exists:
                server.execute(rename.format(Identifier(own), Identifier(replaced)))
            server.execute(rename.format(Identifier(database), Identifier(own)))
    except errors.ObjectInUse as error:
        raise site_is_running(1) from error
    drop(server, replaced)
