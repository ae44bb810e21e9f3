"""Fit the parameters of a rating system to a history."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ratings.commands.inputs import CommandProblem, read_system
from ratings.commands.splitting import add_history_arguments, read_split
from ratings.io.csvwriter import atomic_write
from ratings.lab.fitting import fit
from ratings.lab.pace import warning
from ratings.lab.trial import try_system
from ratings.system import UnsupportedMatch
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from ratings.io.csvwriter import Writable

HELP = (
    "Fit parameters of a rating system to the matches of a CSV file before the split, and judge "
    "them by those after it. Prints a file for --params."
)


def add_arguments(parser: ArgumentParser) -> None:
    add_history_arguments(parser)
    parser.add_argument("--system", required=True, metavar="NAME", help="see the command systems")
    parser.add_argument("--params", type=Path, metavar="FILE.json", help="parameters to start from")
    parser.add_argument(
        "--fit",
        default="",
        metavar="NAMES",
        help="the parameters to fit; by default those that matter most",
    )
    parser.add_argument(
        "--output", type=Path, metavar="OUT.json", help="write them here, not to the terminal"
    )


def run(options: Namespace, output: Writable) -> None:
    """Carry out the command. Raises ``CommandProblem``."""
    system = read_system(options.system, options.params)
    names = [name.strip() for name in options.fit.split(",") if name.strip()]
    history, first = read_split(options)
    if not first:
        raise CommandProblem("There are no matches before the split to fit to.")
    if advice := warning(system, history):
        sys.stderr.write(f"{advice}\n")
    try:
        fitted = fit(system, history.part(0, first), names)
        before, after = (
            try_system(each, history, first, time.perf_counter) for each in (system, fitted.system)
        )
    except (UnsupportedMatch, ParameterError) as error:
        raise CommandProblem(f"{error}.") from None
    start = type(system.parameters)().to_json()
    changed = {
        name: value
        for name, value in fitted.system.parameters.to_json().items()
        if value != start[name]
    }
    text = json.dumps(changed, indent=2, ensure_ascii=False) + "\n"
    try:
        if options.output:
            with atomic_write(options.output) as file:
                file.write(text)
        else:
            output.write(text)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise CommandProblem(f"Cannot write {options.output}: {error.strerror}.") from None
    sys.stderr.write(
        f"Log loss of the {after.matches} matches after the split: {after.log_loss:.4f}, "
        f"{before.log_loss:.4f} before the fit.\n"
    )
