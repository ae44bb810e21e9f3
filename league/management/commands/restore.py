"""``manage.py restore``: replace the league by that of a backup."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError

from league.services.core.errors import Refused
from league.services.operations import moving_in, restoring


class Command(BaseCommand):
    help = (
        "Restore a backup into the league's database, completely or not at all. The site must be "
        "stopped. A league that has matches is only replaced with --replace."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file of the backup")
        parser.add_argument(
            "--replace", action="store_true", help="replace the league, also if it has matches"
        )

        parser.add_argument(
            "--attempt", help=SUPPRESS
        )  # the page that brought the file waits for it

    def handle(
        self, *, file: str, replace: bool, attempt: str | None = None, **options: Any
    ) -> None:
        if attempt:
            moving_in.carry_out(attempt, Path(file))
            return
        try:
            manifest = restoring.restore(Path(file), replace=replace)
        except (Refused, psycopg.Error) as error:
            raise CommandError(str(error).strip()) from error
        self.stdout.write(
            f"Restored the backup made {restoring.when(manifest)}: "
            f"{restoring.list_counts(manifest.counts)}.\n"
            "These settings were set when it was made; they are not in the backup: "
            f"{', '.join(manifest.settings) or 'none'}."
        )
