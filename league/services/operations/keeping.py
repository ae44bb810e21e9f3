"""Make backups on schedule, prove each, and delete old ones."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
from django.conf import settings

from league.models import Backup
from league.services.core.errors import Conflict, Refused
from league.services.operations import backup_files, backups, restoring

if TYPE_CHECKING:
    from league.services.operations.backups import Made

NAME = "laurel-%Y%m%dT%H%M%SZ.backup"
OURS = re.compile(r"laurel-\d{8}T\d{6}Z\.backup")
KEPT = timedelta(days=90)
"""The time for which the rows about backups are kept. The files have a rule of their own."""
log = logging.getLogger(__name__)


def back_up_if_due(now: datetime) -> bool:
    """Make and prove a backup if the last one is older than the interval. Return whether it did.

    Old copies are deleted after a new one was proven, and stay as long as none can be.
    """
    return is_due(now) and back_up(now)


def back_up(now: datetime) -> bool:
    """Make and prove a backup now, if there is a folder for it. Return whether it was made."""
    if not settings.BACKUP_FOLDER:  # the web process may have one, this worker has none
        return False
    folder = Path(settings.BACKUP_FOLDER)
    path = folder / now.astimezone(UTC).strftime(NAME)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = backups.make(path)
    except Conflict:  # another worker is making it
        return False
    except (Refused, OSError, psycopg.Error) as error:
        note_failure(path.name, str(error), now)
        return False
    row = note(made)
    if prove(row, path):
        delete_old(folder)
    return True


def is_due(now: datetime) -> bool:
    """Return whether the last file is older than the interval of the settings.

    One that proved wrong counts too: the next would prove wrong as well, until staff have acted.
    """
    interval = timedelta(hours=settings.BACKUP_HOURS)
    return not Backup.objects.filter(size__gt=0, made_at__gt=now - interval).exists()


def note(made: Made) -> Backup:
    """Record a backup that was made."""
    return Backup.objects.create(
        made_at=made.manifest.made_at, name=made.path.name, size=made.size, seconds=made.seconds
    )


def note_failure(name: str, problem: str, now: datetime) -> None:
    log.error("No backup was made: %s", problem)
    Backup.objects.filter(made_at__lt=now - KEPT).delete()
    Backup.objects.create(made_at=now, name=name, problem=problem)


def prove(row: Backup, path: Path) -> bool:
    """Verify a backup and record what was found. Return false if it cannot be used."""
    lines: list[str] = []
    try:
        restoring.verify(path, lines.append)
    except (restoring.Unprovable, Conflict, psycopg.Error) as error:
        log.warning("The backup %s is not proven: %s", row.name, error)
        return True
    except Refused as error:
        log.exception("The backup %s cannot be used. %s", row.name, "\n".join(lines))
        row.problem = str(error)
    else:
        row.proven_at = datetime.now(UTC)
    row.save()
    return not row.problem


def delete_old(folder: Path) -> None:
    """Delete all but the newest backups, and the drafts of those that were killed."""
    files = sorted(path for path in folder.iterdir() if OURS.fullmatch(path.name))
    old = files[: -settings.BACKUP_COPIES]
    drafts = [path for path in folder.glob(f".laurel-*{backup_files.DRAFT}") if is_stale(path)]
    for path in (*old, *drafts):
        path.unlink(missing_ok=True)
        log.info("Deleted the old backup %s.", path.name)


def is_stale(draft: Path) -> bool:
    """Return whether nothing has been written to a draft for a day."""
    try:
        written = datetime.fromtimestamp(draft.stat().st_mtime, UTC)
    except FileNotFoundError:
        return False
    return datetime.now(UTC) - written > timedelta(days=1)


@dataclass(frozen=True)
class BackupState:
    """The state of the league's backups."""

    last: Backup | None
    """The last backup that nothing is wrong with."""
    problem: str
    """The failure since then, empty if there was none."""
    is_late: bool
    """Whether backups are scheduled, and there is none that is younger than two intervals. One that
    failed has been tried again in between."""


def state(now: datetime) -> BackupState | None:
    """Return how the league is backed up, ``None`` if it is not and nothing is scheduled."""
    last = Backup.objects.usable().first()
    failed = Backup.objects.exclude(problem="").order_by("-made_at").first()
    if failed and last and failed.made_at < last.made_at:
        failed = None
    if not (last or failed or settings.BACKUP_FOLDER):
        return None
    limit = now - 2 * timedelta(hours=settings.BACKUP_HOURS)
    is_late = bool(settings.BACKUP_FOLDER) and (last is None or last.made_at < limit)
    return BackupState(last, failed.problem if failed else "", is_late)
