"""The tables of a competition, computed from its results whenever they are read."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np
from django.utils.formats import get_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models import Entrant, Fixture, Round
from league.services.competitions.outcomes import games_of, outcomes
from league.services.competitions.standings.entrant_rounds import Outcome as Ended
from league.services.competitions.standings.entrant_rounds import PointsRules, collect_rounds
from league.services.competitions.standings.entrant_rounds import Result as Ended_result
from league.services.competitions.standings.tables import table
from league.services.competitions.standings.tie_breaks import TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from league.models import Competition
    from league.services.competitions.outcomes import Outcome
    from league.services.competitions.standings.tables import Line as TableLine
    from league.services.competitions.standings.tie_breaks import TieBreak

Result = Fixture.Result
ENDS = {
    Result.HOME: Ended.HOME,
    Result.AWAY: Ended.AWAY,
    Result.DRAW: Ended.DRAW,
    Result.NEITHER: Ended.NOBODY,
}
UNPLAYED = {Fixture.DecidedBy.FORFEIT, Fixture.DecidedBy.WITHDRAWAL, Fixture.DecidedBy.DEADLINE}

DIFFERENCE = "difference"


@dataclass(frozen=True)
class Line:
    """A line of a table, with its entrant."""

    entrant: Entrant
    row: TableLine
    tie_breaks: Sequence[str]
    """In the order of the table's. Empty where one says nothing."""
    names: Sequence[str]
    """The names of the tie-breaks."""

    @property
    def tie_break_cells(self) -> list[tuple[str, str]]:
        """Return names and values of the tie-breaks as pages show them: +3, −2."""
        plus = ["+" if (value or 0) > 0 else "" for value in self.row.tie_breaks]
        return [
            (name, f"{sign if name == DIFFERENCE else ''}{localize(value).replace('-', '−')}")
            for name, sign, value in zip(self.names, plus, self.tie_breaks, strict=True)
        ]

    @property
    def points(self) -> str:
        return localize(number(self.row.points))

    @property
    def scored(self) -> str:
        return localize(number(self.row.for_))

    @property
    def conceded(self) -> str:
        return localize(number(self.row.against))


@dataclass(frozen=True)
class CompetitionTable:
    """A table: that of a league, of a group or of a Swiss."""

    group: int | None
    lines: Sequence[Line]
    tie_breaks: Sequence[TieBreak]
    sums: Mapping[int, Sequence[Fraction]]
    """The points of each entrant after each round up to the last one with a result."""

    @property
    def counts_scores(self) -> bool:
        """Return whether scores decide places, so that even phones show them."""
        return any(tie_break.name in {DIFFERENCE, "for"} for tie_break in self.tie_breaks)

    @property
    def name(self) -> str:
        """Return “Group A”, empty for a table of all."""
        return "" if self.group is None else _("Group %(letter)s") % {"letter": letter(self.group)}


def read_tables(one: Competition) -> list[CompetitionTable]:
    """Return the tables of a competition: one, or one for each group."""
    fixtures = list(one.fixtures.select_related("round"))
    ended = outcomes(fixtures, games_of([one.pk]))
    return tables_of(one, list(one.entrants.with_people()), one.rounds.all(), fixtures, ended)


def tables_of(
    one: Competition,
    entrants: Sequence[Entrant],
    rounds: Iterable[Round],
    fixtures: Sequence[Fixture],
    ended: Mapping[int, Outcome],
) -> list[CompetitionTable]:
    """Return the tables of these entrants, from the outcomes of these fixtures."""
    if not one.has_table:
        return []
    annulled = {entrant.pk for entrant in entrants if entrant.annulled}
    results = [
        result
        for fixture in fixtures
        if not fixture.round.is_in_bracket
        and (result := result_of(fixture, ended[fixture.pk])) is not None
        and not annulled & {result.home, result.away}
    ]
    grouped: dict[int | None, list[Entrant]] = {}
    for entrant in entrants:
        if entrant.seed is not None and not entrant.annulled:
            grouped.setdefault(entrant.group, []).append(entrant)
    finished = finished_rounds(one, rounds) if one.format == one.Format.SWISS else 0
    return [
        table_of(one, group, members, results, finished)
        for group, members in sorted(grouped.items(), key=lambda item: item[0] or 0)
    ]


def table_of(
    one: Competition,
    group: int | None,
    members: Sequence[Entrant],
    results: Sequence[Ended_result],
    finished: int,
) -> CompetitionTable:
    """Return the table of some entrants from the results among them."""
    by_id = {entrant.pk: entrant for entrant in members}
    rules = one.ruled_by().table
    names = [name for name in rules.tie_break_names if name in TIE_BREAKS]
    points = PointsRules.of(rules.win, rules.draw, rules.loss, rules.forfeit, rules.bye)
    own = [result for result in results if result.home in by_id]
    rows = table(
        list(by_id),
        own,
        points,
        names,
        finished=finished,
        swiss=one.format == one.Format.SWISS,
        ratings={entrant.pk: entrant.rating or 0 for entrant in members},
        generator=np.random.default_rng(one.seed or 0),
        forfeits_meet=rules.forfeits_meet,
    )
    lines = [
        Line(by_id[row.entrant], row, [number(value) for value in row.tie_breaks], names)
        for row in rows
    ]
    sums = running_sums(list(by_id), own, points)
    return CompetitionTable(group, lines, [TIE_BREAKS[name] for name in names], sums)


def running_sums(
    entrants: Sequence[int], results: Sequence[Ended_result], points: PointsRules
) -> dict[int, list[Fraction]]:
    """Return the points of each entrant after each round, up to the last one with a result."""
    last = max((result.round for result in results), default=0)
    found = {}
    for entrant, own_rounds in collect_rounds(entrants, results, points).items():
        won = dict.fromkeys(range(1, last + 1), Fraction(0))
        for one_round in own_rounds:
            won[one_round.round] += one_round.points
        found[entrant] = list(accumulate(won.values()))
    return found


def finished_rounds(one: Competition, rounds: Iterable[Round]) -> int:
    """Return how many rounds of a Swiss have been drawn before the last one."""
    drawn = sum(each.opened_at is not None for each in rounds)
    return max(drawn - 1, 0) if one.state == one.State.RUNNING else drawn


def result_of(fixture: Fixture, outcome: Outcome) -> Ended_result | None:
    """Return a fixture's result for a table, ``None`` if it does not count or not yet.

    A bye that an entrant of a Swiss asked for counts from the draw of its round.
    """
    ended = ENDS.get(Result(outcome.result)) if outcome.result else None
    if ended is None or fixture.home_id is None or is_bye_to_come(fixture):
        return None
    return Ended_result(
        fixture.round.number,
        fixture.home_id,
        fixture.away_id,
        ended,
        played=outcome.by not in UNPLAYED,
        scores=(exact(outcome.home), exact(outcome.away)),
    )


def is_bye_to_come(fixture: Fixture) -> bool:
    """Return whether a round of a Swiss is not drawn yet, so that it has only byes on request."""
    return fixture.round.stage == Round.Stage.SWISS and fixture.round.opened_at is None


def exact(score: float | None) -> Fraction:
    """Return a score as it is written: 0.1 is a tenth. None counts 0."""
    return Fraction(str(score or 0))


def read_group_tables(one: Competition) -> list[CompetitionTable]:
    """Return the tables of the groups, in their order."""
    return [each for each in read_tables(one) if each.group is not None]


def to_json(one: Competition) -> dict[str, Any]:
    """Return the final tables as JSON, in English."""
    with override("en"):
        return {
            "boards": [
                {
                    "name": each.name,
                    "tie_breaks": [tie_break.name for tie_break in each.tie_breaks],
                    "lines": [line_as_json(line) for line in each.lines],
                }
                for each in read_tables(one)
            ]
        }


def line_as_json(line: Line) -> dict[str, Any]:
    row = line.row
    return {
        "place": row.place,
        "entrant": line.entrant.pk,
        "name": line.entrant.name,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "for": plain(row.for_),
        "against": plain(row.against),
        "points": number(row.points),
        "tie_breaks": list(line.tie_breaks),
    }


def number(value: Fraction | None) -> str:
    """Return an exact number as files have it: 3, 1.5 or 0.333."""
    if value is None:
        return ""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


def localize(number: str) -> str:
    """Return a number with the decimal sign of the reader's language: 1,5."""
    return number.replace(".", get_format("DECIMAL_SEPARATOR"))


def plain(value: Fraction) -> int | float:
    """Return an exact number as one of a file."""
    return value.numerator if value.denominator == 1 else float(value)


def letter(group: int) -> str:
    """Return A, B and so on, AA after Z."""
    first, second = divmod(group, 26)
    return (chr(64 + first) if first else "") + chr(65 + second)
