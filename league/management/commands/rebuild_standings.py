"""``manage.py rebuild_standings``: rebuild the leaderboards from the ratings."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from league.models import Season
from league.services.core.clock import database_now
from league.services.points import awarding
from league.services.standings.rebuilding import rebuild


class Command(BaseCommand):
    help = (
        "Rebuild the standings of every season from its ratings, and the totals of ladder points "
        "from their ledger. The site updates both automatically: run this after ratings were "
        "changed in the database directly. The old standings stay visible until the new ones are "
        "complete."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--arena", metavar="SLUG", help="only the seasons of this arena")
        parser.add_argument("--season", metavar="NUMBER", type=int, help="only this season")

    def handle(
        self, *, arena: str | None = None, season: int | None = None, **options: Any
    ) -> None:
        seasons = Season.objects.select_related("arena").order_by("pk")
        if arena:
            seasons = seasons.filter(arena__slug=arena)
        if season is not None:
            seasons = seasons.filter(pk=season)
        if (arena or season is not None) and not seasons:
            raise CommandError(
                "There is no such season. Leave out the options to rebuild all seasons."
            )
        for one in seasons:
            with tqdm(
                desc=str(one),
                total=one.ratings.filter(games__gt=0).count(),
                file=sys.stderr,
                disable=not sys.stderr.isatty(),
            ) as bar:
                players = rebuild(one, database_now(), bar.update)
            with transaction.atomic():
                awarding.add_up(Season.objects.select_for_update().get(pk=one.pk))
            self.stdout.write(f"{one}: {players} players in the standings")
