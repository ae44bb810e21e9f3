"""Lines that repeat another line of their file: the same time, sides and result.

A date without a time of day is the same time as itself, so such lines are compared by day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from league.services.transfer.files.result_lines import Line
    from league.services.transfer.files.result_plans import Row, Sides

ONCE, EACH = "once", "each"
"""Repeated lines are imported once, or each as a match of its own."""


def check_choice(text: str) -> str:
    """Return one of the choices. Raises ``Refused`` for any other text."""
    if text not in {ONCE, EACH}:
        raise Refused("repeats", _("Choose whether repeated lines are imported once."))
    return text


def describe_repeat(line: int, first: int) -> str:
    return _("line %(line)d repeats line %(first)d") % {"line": line, "first": first}


def find(lines: Iterable[Row]) -> dict[int, int]:
    """Return the lines that repeat another one, each with the first such line.

    ``lines`` come with the players of their sides. Lines with a match number repeat nothing, nor do
    lines of different modes or rounds.
    """
    firsts: dict[Hashable, int] = {}
    found = {}
    for line, sides in lines:
        if line.match is None:
            first = firsts.setdefault(meaning_of(line, sides), line.line)
            if first != line.line:
                found[line.line] = first
    return found


def meaning_of(line: Line, sides: Sides) -> Hashable:
    """Return what a line says, in whatever order it names sides and their players."""
    results = zip(map(sorted, sides), line.places, line.scores, strict=True)
    placed = sorted((tuple(side), place, score) for side, place, score in results)
    return line.time, line.mode, line.round, tuple(placed)
