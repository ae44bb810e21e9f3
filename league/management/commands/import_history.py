"""``manage.py import_history FILE --arena SLUG``: import results into an arena."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.management.progress import Bars
from league.models import Arena
from league.services.core.clock import database_now
from league.services.transfer.files.reading import rules_of_files
from league.services.transfer.files.repeats import EACH, ONCE
from league.services.transfer.files.result_files import parse_mapping, read
from league.services.transfer.histories.imports import import_history
from ratings.commands.inputs import START, add_encoding
from ratings.files.histories import read_starts
from ratings.io.csvproblems import CsvError


class Command(BaseCommand):
    help = (
        "Import a file of results into an arena's running season and rate them in order. A file "
        "with errors changes nothing, and importing a file again changes nothing. "
        "docs/importing.md lists the formats; the columns of tables are guessed by their names."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--arena", required=True, metavar="SLUG", help="slug of the arena")
        parser.add_argument(
            "--mapping",
            metavar="NAME=COLUMN,…",
            help="columns of a table that are not guessed by their names, such as "
            "played_at=When,side_1=A,side_2=B,score_1=X,score_2=Y; columns without a meaning are "
            "stored as information",
        )
        parser.add_argument(
            "--repeats",
            choices=[ONCE, EACH],
            default="",
            help="what lines are that have the same date, sides and result as an earlier one: the "
            "same match, imported once, or each a match of its own; otherwise they are refused",
        )
        parser.add_argument(
            "--day",
            type=date.fromisoformat,
            metavar="YYYY-MM-DD",
            help="the day of the results of a file without dates, in their order",
        )
        add_encoding(parser)
        parser.add_argument(
            "--start",
            type=Path,
            metavar="LIST",
            help=f"{START}. The season must be without results",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="report what would happen, change nothing"
        )

    def handle(self, *, file: Path, arena: str, dry_run: bool, **options: Any) -> None:
        try:
            target = Arena.objects.get(slug=arena)
        except Arena.DoesNotExist:
            known = ", ".join(Arena.objects.values_list("slug", flat=True)) or "none yet"
            raise CommandError(f"There is no arena “{arena}”. Arenas: {known}.") from None
        bars = Bars(sys.stderr)
        try:
            mapping = parse_mapping(options["mapping"]) if options["mapping"] else None
            results = read(
                file,
                mapping,
                options["repeats"],
                rules_of_files(target),
                options["day"],
                target.zone,
                options["encoding"],
            )
            imported = import_history(
                target,
                results,
                now=database_now(),
                dry_run=dry_run,
                progress=bars,
                starts=read_starts(options["start"]) if options["start"] else (),
            )
        except OSError as error:
            where = error.filename or file
            raise CommandError(f"{where} cannot be read: {error.strerror}.") from error
        except CsvError as error:
            raise CommandError(f"{file} was not imported. Nothing changed.\n{error}") from error
        finally:
            bars.close()
        done = "would be imported" if dry_run else "imported"
        self.stdout.write(
            f"{imported.matches} matches {done} into {target} and rated, with "
            f"{imported.new_players} new players. {imported.already_there} existed already."
        )
