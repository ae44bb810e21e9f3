"""Make a dump each night, and delete old ones."""

from __future__ import annotations

import hashlib
import logging
import shutil
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import psycopg
from django.conf import settings
from django.utils.translation import gettext as _

from league.services.core.errors import Conflict, Refused
from league.services.dumps import files
from league.services.dumps.files import DRAFT, MANIFEST, Column, Dump, Dumped, File
from league.services.dumps.formats import FORMATS, all_formats
from league.services.dumps.tables import TABLES
from league.services.operations import postgres_tools

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.services.dumps.tables import Table

BATCH = 20_000
"""Rows that are in memory at a time."""
HOUR = 3
"""The hour in UTC from which the nightly dump is due."""
COPIES = 2
"""Dumps that are kept, so that a new one does not interrupt downloads."""
STALE = timedelta(days=1)
"""A draft of this age belongs to a process that was killed."""
LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('laurel dump', 0))"
"""Of the transaction, as the lock of a session outlives its connection for a moment."""
log = logging.getLogger(__name__)


def make_if_due(now: datetime) -> bool:
    """Make a dump if it is due. Return whether it was made."""
    if not settings.DUMP_FOLDER or not is_due(now):
        return False
    try:
        make(now)
    except Conflict:  # another worker is making it
        return False
    except (OSError, psycopg.Error) as error:
        log.exception("No dump was made: %s", str(error).strip())
        return False
    return True


def is_due(now: datetime) -> bool:
    """Return whether no dump has been made since the last ``HOUR`` o'clock."""
    night = now.astimezone(UTC).replace(hour=HOUR, minute=0, second=0, microsecond=0)
    if night > now:
        night -= timedelta(days=1)
    return not any(name >= files.name_at(night) for name in files.names())


def make(now: datetime) -> Dump:
    """Make a dump, which becomes visible when it is complete, and delete old ones.

    Raises:
        Refused: there is no folder for dumps.
        Conflict: another dump is being made.
        OSError: it cannot be written.
    """
    if not settings.DUMP_FOLDER:
        raise Refused("no_dump_folder", _("LAUREL_DUMP_FOLDER is off, so no dump can be made."))
    folder = Path(settings.DUMP_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with snapshot() as league, draft_in(folder) as draft:
        tables = [dumped(table, write(league, table, draft)) for table in TABLES]
        dump = Dump(
            name=files.name_at(now),
            made_at=league.execute("SELECT now()").fetchone()[0],  # type: ignore[index] # one row
            tables=tables,
            files=[described(draft, table.name, form) for table in TABLES for form in FORMATS],
        )
        (draft / MANIFEST).write_text(dump.model_dump_json(indent=1), encoding="utf-8")
        draft.chmod(0o755)
        draft.rename(folder / dump.name)
        delete_old(folder, now)
    return dump


@contextmanager
def snapshot() -> Iterator[psycopg.Connection[Any]]:
    """Yield a connection in a transaction that sees the league as it is now.

    Raises:
        Conflict: another process is making a dump.
    """
    with postgres_tools.connect(postgres_tools.own_database()) as league:
        league.execute("SET statement_timeout = 0")
        league.execute("SET TimeZone = 'UTC'")
        with league.transaction():
            league.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            if not league.execute(LOCK).fetchone()[0]:  # type: ignore[index] # always a row
                raise Conflict("dump_running", _("Another dump of this league is being made."))
            yield league


@contextmanager
def draft_in(folder: Path) -> Iterator[Path]:
    """Yield a new folder, which is deleted unless it has been renamed."""
    draft = Path(mkdtemp(prefix=DRAFT, dir=folder))
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write(league: psycopg.Connection[Any], table: Table, folder: Path) -> int:
    """Write a table in each format. Return its number of rows."""
    count = 0
    with league.cursor(f"dump_{table.name}") as cursor, all_formats(folder, table) as add:
        cursor.execute(table.query.encode())
        while rows := cursor.fetchmany(BATCH):
            add(rows)
            count += len(rows)
    return count


def dumped(table: Table, rows: int) -> Dumped:
    columns = [Column(name=name, kind=kind.value) for name, kind in table.columns.items()]
    return Dumped(name=table.name, rows=rows, columns=columns)


def described(folder: Path, table: str, form: str) -> File:
    path = folder / f"{table}.{form}"
    path.chmod(0o644)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return File(table=table, format=form, size=path.stat().st_size, sha256=digest)


def delete_old(folder: Path, now: datetime) -> None:
    """Delete all but the newest dumps, and abandoned drafts."""
    for name in files.names()[:-COPIES]:
        shutil.rmtree(folder / name, ignore_errors=True)
    for draft in folder.glob(f"{DRAFT}*"):
        if datetime.fromtimestamp(draft.stat().st_mtime, UTC) < now - STALE:
            shutil.rmtree(draft, ignore_errors=True)
