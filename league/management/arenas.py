"""The arguments that give an offline command the rules of an arena."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management.base import CommandError

from matchmaking.io.rule_arguments import ChoiceError, apply_choices
from matchmaking.io.xmlfile import read as read_xml
from matchmaking.io.xmltree import XmlError
from matchmaking.presets import PRESETS
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from argparse import ArgumentParser


def add_arena_arguments(parser: ArgumentParser) -> None:
    """Add ``--arena``, ``--team-size`` and ``--choose``, for ``arena_rules``."""
    parser.add_argument(
        "--arena",
        required=True,
        metavar="PRESET|FILE.xml",
        help=f"one of {', '.join(PRESETS)}, or a file with an <Arena>; FILE.xml#NAME if the "
        "file has several",
    )
    parser.add_argument("--team-size", type=int, metavar="N", help="players per team (default 5)")
    parser.add_argument(
        "--choose",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting that XML lacks, such as falloff=min; can be repeated",
    )


def arena_rules(arena: str, team_size: int | None, choices: list[str]) -> Rules:
    """Return the rules of the named arena.

    Raises:
        CommandError: The arguments do not name valid rules.
    """
    rules = PRESETS[arena].rules() if arena in PRESETS else _arena(arena)
    if team_size is not None:
        if not 1 <= team_size <= 100:
            raise CommandError(f"--team-size must be from 1 to 100; you gave {team_size}.")
        rules = rules.model_copy(update={"team_size": team_size})
    try:
        return apply_choices(rules, choices)
    except ChoiceError as error:
        raise CommandError(f"--choose: {error}") from None


def _arena(arena: str) -> Rules:
    name, _, chosen = arena.partition("#")
    file = Path(name)
    if not file.exists():
        raise CommandError(f"--arena: {arena} is neither a file nor one of {', '.join(PRESETS)}.")
    try:
        arenas = read_xml(read_text(file)).all(Rules)
    except XmlError as error:
        raise CommandError(f"{file} cannot be used:\n{error}") from None
    names = [rules.name for rules in arenas]
    if not arenas:
        raise CommandError(f"{file} has no <Arena>.")
    if chosen and chosen not in names:
        raise CommandError(f"{file} has no arena {chosen}; it has {', '.join(names)}.")
    if not chosen and len(arenas) > 1:
        raise CommandError(
            f"{file} has {len(arenas)} arenas. Choose one: "
            + " or ".join(f"--arena “{file}#{name}”" for name in names)
        )
    return arenas[names.index(chosen)] if chosen else arenas[0]


def read_text(file: Path) -> str:
    """Return the text of a file.

    Raises:
        CommandError: The file cannot be read.
    """
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"Cannot read {file}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"Cannot read {file}: it is not UTF-8 text.") from None
