"""``manage.py verify_ratings``: check stored ratings against a replay of their results."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from league.models import Season
from league.services.core.clock import database_now
from league.services.integrity.points import differences as points_that_differ
from league.services.integrity.ratings import verify
from league.services.integrity.standings import differences as standings_that_differ
from league.services.integrity.teams import differences as teams_that_differ

MOST_SHOWN = 20


class Command(BaseCommand):
    help = (
        "Replay the results of every season and compare every rating and rating event bit for bit, "
        "and all standings, ladder points and team ratings. Exits with an error if anything "
        "differs."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--arena", metavar="SLUG", help="check only the seasons of this arena")

    def handle(self, *, arena: str | None, **options: Any) -> None:
        seasons = Season.objects.select_related("arena").order_by("pk")
        if arena:
            seasons = seasons.filter(arena__slug=arena)
        found = 0
        for season in seasons:
            with tqdm(
                desc=str(season),
                total=season.matches.rated().count(),
                file=sys.stderr,
                disable=not sys.stderr.isatty(),
            ) as bar:
                differences = [str(one) for one in verify(season, bar.update)]
            differences += standings_that_differ(season, database_now())
            differences += points_that_differ(season)
            differences += [str(one) for one in teams_that_differ(season, database_now())]
            for difference in differences[:MOST_SHOWN]:
                self.stdout.write(difference)
            found += len(differences)
            self.stdout.write(
                f"{season}: {season.matches.rated().count()} rated matches, "
                f"{season.events.count()} events, {season.ratings.count()} ratings, "
                + (count_nouns(len(differences), "difference") if differences else "no differences")
            )
        if found:
            differ = "differs" if found == 1 else "differ"
            raise CommandError(f"{count_nouns(found, 'value')} {differ} from the replay.")


def count_nouns(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
