"""``manage.py arena_export ARENA …``: export arenas as XML in the published form."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Arena
from league.services.transfer.configuration.configuration_exports import (
    CannotExport,
    export_configuration,
)


class Command(BaseCommand):
    help = (
        "Write arenas as XML in the published form, which arena_import reads. Settings that the "
        "form cannot say are in <Settings>."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("arenas", nargs="+", metavar="ARENA", help="slugs of the arenas")

    def handle(self, *, arenas: list[str], **options: Any) -> None:
        found = {arena.slug: arena for arena in Arena.objects.filter(slug__in=arenas)}
        for slug in arenas:
            if slug not in found:
                known = ", ".join(Arena.objects.values_list("slug", flat=True)) or "none yet"
                raise CommandError(f"There is no arena “{slug}”. Arenas: {known}.")
        chosen = [found[slug] for slug in dict.fromkeys(arenas)]
        try:
            text = export_configuration(chosen)
        except CannotExport as error:
            raise CommandError(str(error)) from None
        self.stdout.write(text, ending="")
