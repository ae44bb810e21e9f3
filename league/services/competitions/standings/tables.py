"""The table of a league, a group or a Swiss: points and tie-breaks in their order. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from league.services.competitions.standings.entrant_rounds import (
    DRAWN,
    LOST,
    WON,
    collect_rounds,
    with_absences,
)
from league.services.competitions.standings.tie_breaks import TIE_BREAKS, Played

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np

    from league.services.competitions.standings.entrant_rounds import (
        EntrantRound,
        PointsRules,
        Result,
    )
    from league.services.competitions.standings.tie_breaks import Value


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table."""

    place: int
    """From 1. Shared if no tie-break separates them."""
    entrant: int
    played: int
    """Results against opponents, with forfeits and without byes."""
    won: int
    drawn: int
    lost: int
    for_: Fraction
    against: Fraction
    points: Fraction
    tie_breaks: tuple[Value, ...]
    """As the names that were asked for. ``None`` where one says nothing."""
    tied_with_next: bool


def table(
    entrants: Sequence[int],
    results: Iterable[Result],
    points: PointsRules,
    tie_breaks: Sequence[str],
    *,
    finished: int = 0,
    swiss: bool = False,
    ratings: Mapping[int, float] | None = None,
    generator: np.random.Generator | None = None,
    forfeits_meet: bool = False,
) -> list[Line]:
    """Return the table, the best first. Those who share a place keep the order of ``entrants``.

    Args:
        entrants: ids; results against nobody else count.
        tie_breaks: names of :data:`TIE_BREAKS`, the most important first.
        finished: rounds of a Swiss that are over. Those of which an entrant has no result count as
            missed.
        swiss: whether unplayed rounds follow article 16 of FIDE Handbook C.07.
        generator: draws the lots, if they are among the tie-breaks.
        forfeits_meet: whether a forfeit counts as a game in a direct encounter.

    Raises:
        ValueError: a tie-break is unknown, or a result does not fit the entrants.
    """
    unknown = [name for name in tie_breaks if name not in TIE_BREAKS]
    if unknown:
        raise ValueError(f"unknown tie-break: {unknown[0]}")
    own_rounds = collect_rounds(entrants, results, points)
    if swiss:
        own_rounds = {entrant: with_absences(own, finished) for entrant, own in own_rounds.items()}
    lots = _lots(entrants, generator)
    played = Played(own_rounds, points, swiss, ratings, lots, forfeits_meet)
    groups = _split(list(entrants), played.totals)
    notes: dict[int, list[Value]] = {entrant: [] for entrant in entrants}
    for name in tie_breaks:
        groups = [part for group in groups for part in _separate(group, name, played, notes)]
        if name == "play_off":
            break
    missing = len(tie_breaks)
    lines, place = [], 1
    for group in groups:
        for at, entrant in enumerate(group, start=1):
            shown = tuple((notes[entrant] + [None] * missing)[:missing])
            tied = at < len(group)
            lines.append(
                _line(place, entrant, own_rounds[entrant], played.totals[entrant], shown, tied=tied)
            )
        place += len(group)
    return lines


def _lots(entrants: Sequence[int], generator: np.random.Generator | None) -> dict[int, int] | None:
    """Draw a lot for every entrant at once, independently of results."""
    if generator is None:
        return None
    drawn = generator.permutation(len(entrants)) + 1
    return {entrant: int(lot) for entrant, lot in zip(sorted(entrants), drawn, strict=True)}


def _separate(
    group: list[int], name: str, played: Played, notes: dict[int, list[Value]]
) -> list[list[int]]:
    """Split those who are level by a tie-break, and note its values.

    The direct encounter is repeated among those whom it leaves level, for their own games.
    """
    values = TIE_BREAKS[name].values(group, played)
    for entrant in group:
        notes[entrant].append(values[entrant])
    parts = _split(group, values)
    while name == "direct":
        finer = [
            piece for part in parts for piece in _split(part, TIE_BREAKS[name].values(part, played))
        ]
        if len(finer) == len(parts):
            break
        parts = finer
    return parts


def _split(group: list[int], values: Mapping[int, Value]) -> list[list[int]]:
    """Group by equal values, the highest first, each group in the given order."""
    parts: dict[Value, list[int]] = {}
    for entrant in group:
        parts.setdefault(values[entrant], []).append(entrant)
    order = sorted(parts, key=lambda value: (value is not None, value or 0), reverse=True)
    return [parts[value] for value in order]


def _line(
    place: int,
    entrant: int,
    own_rounds: Sequence[EntrantRound],
    points: Fraction,
    tie_breaks: tuple[Value, ...],
    *,
    tied: bool,
) -> Line:
    games = [one_round for one_round in own_rounds if one_round.opponent is not None]
    return Line(
        place,
        entrant,
        played=len(games),
        won=sum(one_round.share == WON for one_round in games),
        drawn=sum(one_round.share == DRAWN for one_round in games),
        lost=sum(one_round.share == LOST for one_round in games),
        for_=sum((one_round.scored for one_round in games), Fraction(0)),
        against=sum((one_round.conceded for one_round in games), Fraction(0)),
        points=points,
        tie_breaks=tie_breaks,
        tied_with_next=tied,
    )
