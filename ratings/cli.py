"""The command line of the library: ``laurel-ratings replay|evaluate|fit|hindsight|systems``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import TYPE_CHECKING

from ratings.commands import evaluate, fit, hindsight, replay, systems
from ratings.commands.inputs import CommandProblem
from ratings.commands.pipes import closed_pipes_tolerated

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "replay": replay,
    "evaluate": evaluate,
    "fit": fit,
    "hindsight": hindsight,
    "systems": systems,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out a command, and return the exit code."""
    parser = ArgumentParser(prog="laurel-ratings", description="Rate the players of any history.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        command.add_arguments(
            commands.add_parser(name, help=command.HELP, description=command.HELP)
        )
    options = parser.parse_args(arguments)
    try:
        with closed_pipes_tolerated():
            COMMANDS[options.command].run(options, sys.stdout)
    except CommandProblem as problem:
        sys.stderr.write(f"laurel-ratings {options.command}: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
