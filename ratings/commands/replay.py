"""Rate a history from a CSV file."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ratings.commands.inputs import (
    HISTORY,
    START,
    CommandProblem,
    add_encoding,
    read_history,
    read_starting_states,
    read_system,
)
from ratings.io.csvwriter import atomic_write, write_events, write_ratings
from ratings.lab.pace import warning
from ratings.replay import final_states, replay
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from ratings.commands.inputs import Bar
    from ratings.history import History
    from ratings.io.csvwriter import Writable
    from ratings.system import RatingSystem
    from ratings.types import States

HELP = "Rate the matches of a CSV file with any rating system. Writes only the files you ask for."

Rated = TypeVar("Rated")


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("history", type=Path, metavar="HISTORY.csv", help=HISTORY)
    parser.add_argument("--system", required=True, metavar="NAME", help="see the command systems")
    parser.add_argument(
        "--params", type=Path, metavar="FILE.json", help="parameters that are not the defaults"
    )
    add_encoding(parser)
    parser.add_argument("--start", type=Path, metavar="LIST.csv", help=START)
    parser.add_argument(
        "--output", type=Path, metavar="OUT.csv", help="write ratings here, not to the terminal"
    )
    parser.add_argument(
        "--events", type=Path, metavar="EVENTS.csv", help="also write the reasons of changes"
    )


def _no_bar(total: int) -> AbstractContextManager[Callable[[int], object]]:
    del total
    return nullcontext(lambda _count: None)


def run(options: Namespace, output: Writable, bar: Bar = _no_bar) -> None:
    """Carry out the command. Raises ``CommandProblem``."""
    system = read_system(options.system, options.params)
    for target in (options.output, options.events):
        if target and not target.parent.is_dir():
            raise CommandProblem(f"Cannot write {target}: there is no folder {target.parent}.")
    history = read_history(options.history, encoding=options.encoding)
    if advice := warning(system, history):
        sys.stderr.write(f"{advice}\n")
    try:
        _rate(system, history, options, output, bar)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = error.filename or "the output"
        raise CommandProblem(f"Cannot write {where}: {error.strerror}.") from None


def _rate(
    system: RatingSystem, history: History, options: Namespace, output: Writable, bar: Bar
) -> None:
    start = read_starting_states(options.start, system, history) if options.start else None
    if options.events:
        replayed = _with_progress(replay, system, history, start, bar)
        with atomic_write(options.events) as file:
            write_events(file, system, history, replayed)
        states = replayed.states
    else:
        states = _with_progress(final_states, system, history, start, bar)
    if options.output:
        with atomic_write(options.output) as file:
            write_ratings(file, system, history, states)
    else:
        write_ratings(output, system, history, states)


def _with_progress(
    rate: Callable[..., Rated],
    system: RatingSystem,
    history: History,
    start: States | None,
    bar: Bar,
) -> Rated:
    with bar(len(history)) as progress:
        try:
            return rate(system, history, start, progress=progress)
        except UnsupportedMatch as error:
            raise CommandProblem(f"{error}.") from None
