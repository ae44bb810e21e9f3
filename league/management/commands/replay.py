"""Rate any history from a CSV file, without a database."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from ratings.io import csvfile
from ratings.io.csvproblems import CsvError
from ratings.io.csvwriter import atomic_write, write_events, write_ratings
from ratings.registry import UnknownSystem, find
from ratings.replay import final_states, replay
from ratings.system import UnsupportedMatch
from ratings.tunables.reading import ParameterError, read_parameters_json

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable

    from ratings.history import History
    from ratings.system import RatingSystem

Rated = TypeVar("Rated")


class Command(BaseCommand):
    help = (
        "Rate the matches of a CSV file with any rating system. Writes only the files you ask for, "
        "and needs no database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "history",
            type=Path,
            metavar="HISTORY.csv",
            help="columns match_id, played_at, side, place (0 is best) and player, and optionally "
            "score, seconds, quit, profession, weight and perf_ceiling",
        )
        parser.add_argument("--system", required=True, metavar="NAME", help="see manage.py systems")
        parser.add_argument(
            "--params", type=Path, metavar="FILE.json", help="parameters that are not the defaults"
        )
        parser.add_argument(
            "--output", type=Path, metavar="OUT.csv", help="write ratings here, not to the terminal"
        )
        parser.add_argument(
            "--events", type=Path, metavar="EVENTS.csv", help="also write the reasons of changes"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        system = _system(options["system"], options["params"])
        for target in (options["output"], options["events"]):
            if target and not target.parent.is_dir():
                raise CommandError(f"Cannot write {target}: there is no folder {target.parent}.")
        history = _history(options["history"])
        try:
            self._rate(system, history, options)
        except BrokenPipeError:
            # The reader has closed the pipe. Discard the rest of the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            where = error.filename or "the output"
            raise CommandError(f"Cannot write {where}: {error.strerror}.") from None

    def _rate(self, system: RatingSystem, history: History, options: dict[str, Any]) -> None:
        if options["events"]:
            replayed = _with_progress(replay, system, history)
            with atomic_write(options["events"]) as file:
                write_events(file, system, history, replayed)
            states = replayed.states
        else:
            states = _with_progress(final_states, system, history)
        if options["output"]:
            with atomic_write(options["output"]) as file:
                write_ratings(file, system, history, states)
        else:
            write_ratings(self.stdout, system, history, states)


def _system(name: str, params: Path | None) -> RatingSystem:
    try:
        system = find(name)
        return system(read_parameters_json(system.Parameters, _text(params) if params else "{}"))
    except UnknownSystem as error:
        raise CommandError(f"{error}.") from None
    except ParameterError as error:
        raise CommandError(f"The parameters in {params} cannot be used:\n{error}") from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"Cannot read {file}: it is not text in UTF-8.") from None


def _history(file: Path) -> History:
    try:
        return csvfile.read_file(file)
    except CsvError as error:
        raise CommandError(f"{file} cannot be rated:\n{error}") from None
    except OSError as error:
        raise CommandError(f"Cannot read {file}: {error.strerror}.") from None


def _with_progress(rate: Callable[..., Rated], system: RatingSystem, history: History) -> Rated:
    """Rate the history with ``rate``, showing a progress bar."""
    # disable=None hides the bar unless the output is a terminal.
    with tqdm(total=len(history), unit=" matches", file=sys.stderr, disable=None) as bar:
        try:
            return rate(system, history, progress=bar.update)
        except UnsupportedMatch as error:
            raise CommandError(f"{error}.") from None
