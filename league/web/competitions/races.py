"""The points of a table after each round, as lines of a chart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from league.services.competitions.standings.competition_tables import localize, number
from league.services.core import numbers
from league.web.rating.plots import HEIGHT, WIDTH, keep_apart, multiples, nice, path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Entrant
    from league.services.competitions.standings.competition_tables import CompetitionTable, Line

LEADERS = 5
MOST_BEHIND = 40
"""The largest number of lines without a name."""
LABEL = 16
"""The height of a label, in pixels."""
MOST_LEVELS = 4
MOST_ROUNDS = 6


@dataclass(frozen=True)
class Runner:
    """An entrant whose line has a name."""

    entrant: Entrant
    path: str
    end: float
    """The height at which the line ends, from the top."""
    label: float
    """The height of the name."""
    points: str
    is_mine: bool


@dataclass(frozen=True)
class Race:
    runners: list[Runner]
    """The leaders, and the reader's own entrant."""
    behind: list[str]
    """The lines of the others."""
    levels: list[tuple[float, str]]
    rounds: list[tuple[float, int]]
    """Marked rounds with percentages of the time axis."""
    played: range
    rows: list[tuple[Line, list[str]]]
    """The points of each entrant after each round."""
    width: int = WIDTH
    height: int = HEIGHT


def race_of(table: CompetitionTable, mine: Entrant | None) -> Race | None:
    """Return the race of a table, ``None`` before its second round."""
    last = max((len(sums) for sums in table.sums.values()), default=0)
    if last < 2 or len(table.lines) < 2:
        return None
    # Nobody has points before the first round.
    sums = {pk: [Fraction(0), *found] for pk, found in table.sums.items()}
    lowest = min(min(found) for found in sums.values())
    highest = max(max(found) for found in sums.values())
    if highest == lowest:
        return None

    def down(points: Fraction | float) -> float:
        return HEIGHT * float((highest - Fraction(points)) / (highest - lowest))

    def line_of(found: Sequence[Fraction]) -> str:
        return path((WIDTH * nth / last, down(points)) for nth, points in enumerate(found))

    named = [line for nth, line in enumerate(table.lines) if nth < LEADERS or line.entrant == mine]
    ends = [down(sums[line.entrant.pk][-1]) for line in named]
    labels = keep_apart(ends, LABEL)
    step = nice(float(highest - lowest) / MOST_LEVELS)
    return Race(
        runners=[
            Runner(
                line.entrant,
                line_of(sums[line.entrant.pk]),
                round(end, 1),
                round(label, 1),
                localize(number(table.sums[line.entrant.pk][-1])),
                line.entrant == mine,
            )
            for line, end, label in zip(named, ends, labels, strict=True)
        ],
        behind=[
            line_of(sums[line.entrant.pk])
            for line in table.lines[LEADERS : LEADERS + MOST_BEHIND]
            if line.entrant != mine
        ],
        levels=[
            (round(down(level), 1), numbers.number(level, 0 if step >= 1 else 1))
            for level in multiples(float(lowest), float(highest), step)
        ],
        rounds=[
            (round(100 * nth / last, 2), nth)
            for nth in range(1, last + 1)
            if nth % max(1, nice(last / MOST_ROUNDS)) == 0
        ],
        played=range(1, last + 1),
        rows=[
            (line, [localize(number(points)) for points in table.sums[line.entrant.pk]])
            for line in table.lines
        ],
    )
