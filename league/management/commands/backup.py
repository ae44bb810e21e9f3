"""``manage.py backup``: back up the league, or prove that a backup can be restored."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
import pyrage
from django.core.management.base import BaseCommand, CommandError

from league.services.core.errors import Refused
from league.services.operations import backups, keeping, restoring


class Command(BaseCommand):
    help = (
        "Back up the whole league, with its images, into a new file. It is encrypted if "
        "LAUREL_BACKUP_KEY is set. With --verify, restore an existing backup into a scratch "
        "database, check it as verify_ratings does, and drop it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", nargs="?", help="the file of the backup")
        parser.add_argument("--verify", action="store_true", help="prove that FILE can be restored")
        parser.add_argument(
            "--new-key", action="store_true", help="only print a new key for LAUREL_BACKUP_KEY"
        )

    def handle(self, *, file: str | None, verify: bool, new_key: bool, **options: Any) -> None:
        if new_key:
            self.stdout.write(str(pyrage.x25519.Identity.generate()))
            return
        if not file:
            raise CommandError("Name the file of the backup, as in `manage.py backup FILE`.")
        try:
            if verify:
                restoring.verify(Path(file), self.stdout.write)
            else:
                self._make(Path(file))
        except (Refused, psycopg.Error) as error:
            raise CommandError(str(error).strip()) from error

    def _make(self, path: Path) -> None:
        made = backups.make(path)
        keeping.note(made)
        encrypted = "encrypted" if made.manifest.key else "not encrypted"
        self.stdout.write(
            f"Backed up: {restoring.list_counts(made.manifest.counts)}.\n"
            f"{path}: {made.size:,} bytes, {encrypted}, {made.seconds:.1f} s. "
            f"Prove it with `manage.py backup --verify {path}`."
        )
