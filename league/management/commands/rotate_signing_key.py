"""``manage.py rotate_signing_key``: make a new key that signs ID tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from league.services.apps import keys
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Make a new key that signs ID tokens after an hour. The old one expires a day later."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--now",
            action="store_true",
            help="the old key is compromised: revoke it at once, and sign with the new one",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        made = keys.rotate(database_now(), at_once=options["now"])
        when = "now on" if options["now"] else f"{made.signs_from:%Y-%m-%d %H:%M} UTC"
        self.stdout.write(f"The new key signs from {when}.")
