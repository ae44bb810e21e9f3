"""Compare how well rating systems predict a history."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ratings.commands.inputs import CommandProblem, read_system
from ratings.commands.splitting import add_history_arguments, read_split
from ratings.lab.details import as_text
from ratings.lab.pace import warning
from ratings.lab.trial import try_system
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from ratings.io.csvwriter import Writable
    from ratings.lab.trial import Trial

HELP = (
    "Compare how well rating systems predict the matches of a CSV file, each before it is rated. "
    "The matches before the split only teach the systems."
)
_FIGURES = ("accuracy", "log_loss", "brier", "slope")


def add_arguments(parser: ArgumentParser) -> None:
    add_history_arguments(parser)
    parser.add_argument(
        "--systems", required=True, metavar="NAMES", help="such as elo,glicko-2,trueskill"
    )
    parser.add_argument(
        "--params", type=Path, metavar="FILE.json", help="parameters, if there is one system"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--full", action="store_true", help="add details, with intervals that hold 95%% of draws"
    )


def run(options: Namespace, output: Writable) -> None:
    """Carry out the command. Raises ``CommandProblem``."""
    names = [name.strip() for name in options.systems.split(",")]
    if options.params and len(names) > 1:
        raise CommandProblem("Parameters are those of one system; name one, or leave them out.")
    systems = [read_system(name, options.params) for name in names]
    history, first = read_split(options)
    for system in systems:
        if advice := warning(system, history):
            sys.stderr.write(f"{advice}\n")
    try:
        trials = [
            try_system(system, history, first, time.perf_counter, full=options.full)
            for system in systems
        ]
    except UnsupportedMatch as error:
        raise CommandProblem(f"{error}.") from None
    if options.json:
        found = [trial.to_json() for trial in trials]
        output.write(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    else:
        output.write(_table(trials))


def _table(trials: list[Trial]) -> str:
    heading = f"{'system':<12}{'matches':>9}" + "".join(f"{name:>10}" for name in _FIGURES)
    lines = [f"{heading}{'seconds':>9}"]
    for trial in trials:
        row = trial.to_json()
        figures = "".join(
            f"{'' if row[name] is None else f'{row[name]:.4f}':>10}" for name in _FIGURES
        )
        lines.append(f"{trial.system:<12}{trial.matches:>9}{figures}{trial.seconds:>9.2f}")
        if trial.details:
            lines += as_text(trial.details)
    return "\n".join(lines) + "\n"
