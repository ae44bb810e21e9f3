"""Rate everybody in a CSV file in hindsight, day by day."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from ratings.commands.inputs import HISTORY, CommandProblem, read_history
from ratings.hindsight import whole_history
from ratings.history import HistoryError
from ratings.io.csvwriter import atomic_write

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from ratings.hindsight import WholeHistory
    from ratings.io.csvwriter import Writable

HELP = (
    "Rate the players of a CSV file on each day on which they played, by all matches before and "
    "after it. For matches of two sides."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("history", type=Path, metavar="HISTORY.csv", help=HISTORY)
    parser.add_argument(
        "--drift",
        type=float,
        default=120.0,
        metavar="POINTS",
        help="how far strengths drift in a year, in rating points; 120 by default",
    )
    parser.add_argument(
        "--advantage",
        type=float,
        default=0.0,
        metavar="POINTS",
        help="the advantage of the first side, such as of playing at home; 0 by default",
    )
    parser.add_argument(
        "--output", type=Path, metavar="OUT.csv", help="write here, not to the terminal"
    )


def run(options: Namespace, output: Writable) -> None:
    """Carry out the command. Raises ``CommandProblem``."""
    target: Path | None = options.output
    if target and not target.parent.is_dir():
        raise CommandProblem(f"Cannot write {target}: there is no folder {target.parent}.")
    history = read_history(options.history)
    try:
        found = whole_history(history, drift=options.drift, first_side=options.advantage)
    except (HistoryError, ValueError) as error:
        raise CommandProblem(f"{error}.") from None
    try:
        if target:
            with atomic_write(target) as file:
                _write(file, found)
        else:
            _write(output, found)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = target or "the output"
        raise CommandProblem(f"Cannot write {where}: {error.strerror}.") from None


def _write(output: Writable, found: WholeHistory) -> None:
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["player", "day", "rating", "deviation"])
    writer.writerows(
        zip(
            [found.players[code] for code in found.player.tolist()],
            found.dates(),
            found.rating.tolist(),
            found.deviation.tolist(),
            strict=True,
        )
    )
