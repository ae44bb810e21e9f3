"""Crosstables: everybody's results against everybody, or round by round in a Swiss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models import Fixture
from league.services.core.numbers import write_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from league.services.competitions.pages import CompetitionPage, FixtureLine
    from league.services.competitions.standings.competition_tables import CompetitionTable, Line

Result = Fixture.Result
MOST_ACROSS = 40
"""The most entrants of a table for everybody against everybody. More do not fit on a page."""
ITSELF = "×"
WON, DRAWN, LOST = "1", "½", "0"
BYES = {Result.HOME: "+", Result.DRAW: "=", Result.NEITHER: "−"}
"""A round without an opponent, as it counts: a win, a draw or nothing."""


@dataclass(frozen=True)
class Crosstable:
    """The crosstable of a table or a group, in the order of its places."""

    name: str
    headings: Sequence[str]
    """The places across, or the rounds of a Swiss."""
    rows: Sequence[tuple[Line, Sequence[str]]]
    explanation: str


def crosstables_of(page: CompetitionPage) -> list[Crosstable]:
    """Return the crosstables of a competition, from what its page has read already."""
    fixtures = [line for each in page.tabled for line in each.fixtures if counts(line)]
    if not fixtures:
        return []
    if page.competition.format == page.competition.Format.SWISS:
        return [by_rounds(table, page, fixtures) for table in page.tables if table.lines]
    return [
        by_opponents(table, page, fixtures)
        for table in page.tables
        if 2 < len(table.lines) <= MOST_ACROSS
    ]


def counts(line: FixtureLine) -> bool:
    """Return whether a fixture is decided, and its result counts for the table."""
    return line.outcome.is_decided and line.outcome.result != Result.NONE


def by_opponents(
    table: CompetitionTable, page: CompetitionPage, fixtures: Iterable[FixtureLine]
) -> Crosstable:
    """Return a table with a column for each entrant. Further games of a pair stand side by side.

    Where sides score goals and are at home equally often, a row has the games at home only.
    """
    goals = page.has_goals
    at_home = goals and page.competition.ruled_by().play.legs % 2 == 0
    order = {line.entrant.pk: at for at, line in enumerate(table.lines)}
    cells: list[list[list[str]]] = [[[] for _across in order] for _down in order]
    for one in fixtures:
        home, away = one.fixture.home_id, one.fixture.away_id
        if home in order and away in order:
            cells[order[home]][order[away]].append(result_in(one, at_home=True, goals=goals))
            if not at_home:
                cells[order[away]][order[home]].append(result_in(one, at_home=False, goals=goals))
    rows = []
    for down, line in enumerate(table.lines):
        texts = [" ".join(results) for results in cells[down]]
        texts[down] = ITSELF
        rows.append((line, texts))
    headings = [str(at + 1) for at in range(len(order))]
    explanation = (
        _("A row has an entrant’s games at home, and a column those away.")
        if at_home
        else _("A row has an entrant’s results against each of the others.")
    )
    return Crosstable(table.name, headings, rows, explanation)


def by_rounds(
    table: CompetitionTable, page: CompetitionPage, fixtures: Iterable[FixtureLine]
) -> Crosstable:
    """Return a table with a column for each round: the opponent's line, the side and the result."""
    order = {line.entrant.pk: at for at, line in enumerate(table.lines)}
    drawn = [each.round for each in page.tabled if each.round.opened_at is not None]
    columns = {round_.pk: at for at, round_ in enumerate(drawn)}
    cells = [["" for _round in columns] for _line in order]
    for one in fixtures:
        at = columns.get(one.fixture.round_id)
        home, away = one.fixture.home_id, one.fixture.away_id
        if at is None or home not in order:
            continue
        if away is None:
            cells[order[home]][at] = BYES.get(Result(one.outcome.result), "")
        elif away in order:
            first, second = sides(page)
            results = [result_in(one, at_home=side, goals=page.has_goals) for side in (True, False)]
            cells[order[home]][at] = f"{order[away] + 1}{first} {results[0]}"
            cells[order[away]][at] = f"{order[home] + 1}{second} {results[1]}"
    headings = [str(round_.number) for round_ in drawn]
    rows = list(zip(table.lines, cells, strict=True))
    return Crosstable(
        table.name,
        headings,
        rows,
        _(
            "A column is a round: the opponent’s line in this table, the side (%(first)s is the "
            "first or home side) and the result. + is a bye or a win without a game, = a bye that "
            "counts as a draw, and − a round without points."
        )
        % {"first": sides(page)[0]},
    )


def sides(page: CompetitionPage) -> tuple[str, str]:
    """Return a letter for each side of a game: white and black in chess, else home and away."""
    return ("w", "b") if page.is_like_chess else ("h", "a")


def side_names(page: CompetitionPage) -> tuple[str, str]:
    """Return the names of both sides: white and black in chess, else home and away."""
    if page.is_like_chess:
        return _("White"), _("Black")
    return pgettext("side of a match", "Home"), pgettext("side of a match", "Away")


def result_in(line: FixtureLine, *, at_home: bool, goals: bool) -> str:
    """Return a result as one side sees it: the score where there are ``goals``, or 1, ½ and 0."""
    outcome = line.outcome
    if line.without_game:
        won = outcome.result == (Result.HOME if at_home else Result.AWAY)
        return "+" if won else "=" if outcome.result == Result.DRAW else "−"
    home, away = outcome.home, outcome.away
    if goals and home is not None and away is not None:
        mine, theirs = (home, away) if at_home else (away, home)
        return f"{write_score(mine)}:{write_score(theirs)}"
    if outcome.result == Result.DRAW:
        return DRAWN
    return WON if outcome.result == (Result.HOME if at_home else Result.AWAY) else LOST
