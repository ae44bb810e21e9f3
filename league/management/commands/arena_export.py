"""``manage.py arena_export ARENA …``: arenas as XML in the published form."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.models import Arena
from league.services.transfer.configurations import CannotExport, export_configuration, unsaid


class Command(BaseCommand):
    help = (
        "Write arenas that have queues as XML in the published form, which arena_import reads. "
        "What the form has no place for is said beside it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("arenas", nargs="+", metavar="ARENA", help="the arenas' addresses")

    def handle(self, *, arenas: list[str], **options: Any) -> None:
        found = {arena.slug: arena for arena in Arena.objects.filter(slug__in=arenas)}
        for slug in arenas:
            if slug not in found:
                there = ", ".join(Arena.objects.values_list("slug", flat=True)) or "none yet"
                raise CommandError(f"There is no arena “{slug}”. There are: {there}.")
        chosen = [found[slug] for slug in dict.fromkeys(arenas)]
        try:
            text = export_configuration(chosen)
        except CannotExport as error:
            raise CommandError(str(error)) from None
        self.stdout.write(text, ending="")
        for arena in chosen:
            for fact in unsaid(arena):
                self.stderr.write(f"{arena}: the file cannot say {fact}.", self.style.NOTICE)
