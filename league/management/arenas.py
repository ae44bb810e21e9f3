"""The arguments by which an offline command is told the rules of an arena."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management.base import CommandError

from matchmaking.io.rule_arguments import ChoiceError, choose
from matchmaking.io.xmlfile import read as read_xml
from matchmaking.io.xmltree import XmlError
from matchmaking.presets import PRESETS
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_arena_arguments(parser: ArgumentParser) -> None:
    """``--arena``, ``--team-size`` and ``--choose``, which ``arena_rules`` takes."""
    parser.add_argument(
        "--arena",
        required=True,
        metavar="PRESET|FILE.xml",
        help=f"one of {', '.join(PRESETS)}, or a file with an <Arena>; FILE.xml#NAME for one "
        "of several",
    )
    parser.add_argument("--team-size", type=int, metavar="N", help="players of a team (default 5)")
    parser.add_argument(
        "--choose",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="what the XML cannot say, such as falloff=min; may be given several times",
    )


def arena_rules(arena: str, team_size: int | None, choices: list[str]) -> Rules:
    """The rules that the arguments name. Raises ``CommandError``."""
    rules = PRESETS[arena].rules() if arena in PRESETS else _arena(arena)
    if team_size is not None:
        if not 1 <= team_size <= 100:
            raise CommandError(f"--team-size must be from 1 to 100; you gave {team_size}.")
        rules = rules.model_copy(update={"team_size": team_size})
    try:
        return choose(rules, choices)
    except ChoiceError as error:
        raise CommandError(f"--choose: {error}") from None


def _arena(arena: str) -> Rules:
    name, _, wanted = arena.partition("#")
    file = Path(name)
    if not file.exists():
        raise CommandError(f"--arena: {arena} is neither a file nor one of {', '.join(PRESETS)}.")
    try:
        arenas = read_xml(text_of(file)).all(Rules)
    except XmlError as error:
        raise CommandError(f"{file} cannot be used:\n{error}") from None
    names = [rules.name for rules in arenas]
    if not arenas:
        raise CommandError(f"{file} has no <Arena>.")
    if wanted and wanted not in names:
        raise CommandError(f"{file} has no arena {wanted}; it has {', '.join(names)}.")
    if not wanted and len(arenas) > 1:
        raise CommandError(
            f"{file} has {len(arenas)} arenas; choose one: "
            + " or ".join(f"--arena “{file}#{name}”" for name in names)
        )
    return arenas[names.index(wanted)] if wanted else arenas[0]


def text_of(file: Path) -> str:
    """The text of a file. Raises ``CommandError``."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"Cannot read {file}: it is not text in UTF-8.") from None
