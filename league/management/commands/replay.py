"""Rate any history from a CSV file, without a database."""

from __future__ import annotations

import sys
from argparse import Namespace
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ratings.commands import replay
from ratings.commands.inputs import CommandProblem
from ratings.commands.pipes import closed_pipes_tolerated

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable, Iterator


class Command(BaseCommand):
    help = f"{replay.HELP} Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        replay.add_arguments(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            with closed_pipes_tolerated():
                replay.run(Namespace(**options), self.stdout, _bar)
        except CommandProblem as problem:
            raise CommandError(str(problem)) from None


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], object]]:
    """Show a progress bar, unless the output is no terminal."""
    with tqdm(total=total, unit=" matches", file=sys.stderr, disable=None) as bar:
        yield bar.update
