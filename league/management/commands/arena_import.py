"""``manage.py arena_import FILE.xml``: import arenas from a file in the published form."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from league.management.arenas import read_text
from league.models import User
from league.services.core.clock import database_now
from league.services.transfer.configuration.configurations import Import, import_configuration
from matchmaking.io.xmltree import XmlError


class Command(BaseCommand):
    help = (
        "Create or change arenas from an XML file in the form that the GW2 page publishes: "
        "<Ratings>, <Arena>, <Dishonor>, <PointRules>, <Ladder>, <Prediction>, and <Settings> for "
        "what they cannot say. Arenas are identified by name. A file with errors changes nothing. "
        "What has no effect is listed, with its line."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE.xml")
        parser.add_argument(
            "--team-size",
            type=int,
            default=5,
            metavar="N",
            help="team size of new arenas (default 5)",
        )
        parser.add_argument(
            "--by", metavar="ACCOUNT", help="account to record in the arenas' history"
        )

    def handle(self, *, file: Path, team_size: int, by: str | None, **options: Any) -> None:
        context = Import(file.name, database_now(), team_size, account(by) if by else None)
        try:
            outcome = import_configuration(read_text(file), context)
        except XmlError as error:
            raise CommandError(f"{file} was not imported. Nothing changed.\n{error}") from None
        for each in outcome.arenas:
            self.stdout.write(f"{'Created' if each.created else 'Changed'} {each.arena}.")
            if each.keeps_rules:
                self.stdout.write(
                    "  Its season has rated results and keeps the rating rules it began with."
                )
        for remark in outcome.remarks:
            self.stdout.write(remark)


def account(name: str) -> User:
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist:
        raise CommandError(f"--by: there is no account “{name}”.") from None
