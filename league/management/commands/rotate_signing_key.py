"""Give apps a new key to verify ID tokens by: ``manage.py rotate_signing_key``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from league.services.apps import keys
from league.services.core.clock import database_now

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Make a new key that signs the ID tokens of apps. The one before ends a day later."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--now",
            action="store_true",
            help="the key before is compromised: end it at once, whatever apps have cached",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        made = keys.rotate(database_now(), at_once=options["now"])
        when = "now on" if options["now"] else f"{made.signs_from:%Y-%m-%d %H:%M} UTC"
        self.stdout.write(f"The new key signs from {when}.")
