"""List the rating systems with all their parameters."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from ratings.commands import systems
from ratings.commands.pipes import closed_pipes_tolerated

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = systems.HELP
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        systems.add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        with closed_pipes_tolerated():
            systems.run(Namespace(**options), self.stdout)
