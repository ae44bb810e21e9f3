"""The slides of a screen in the hall: a competition in parts that can be read from afar."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.models import Competition, Round
from league.services.competitions.running import bracket_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from league.services.competitions.pages import CompetitionPage, RoundLines
    from league.services.competitions.standings.competition_tables import CompetitionTable

State = Competition.State
ROWS = 8
"""The rows of a slide that can be read from ten metres."""
NAMES = 24
"""The names of entrants on a slide, in three columns."""
TIES, COLUMNS = 4, 3
"""The most fixtures in a column, and columns, of a bracket on a slide."""
LEAST, A_ROW = 5, 1
"""The seconds for which a slide is shown, and those that each of its rows adds."""
PODIUM = 3
MOST_ROUNDS = 3
"""The most rounds that are played at once of which games are shown."""


@dataclass(frozen=True)
class Slide:
    """A screen: a part of a round, a table, a list, or something whole."""

    kind: str
    heading: str = ""
    rows: Sequence[Any] = ()
    part: int = 1
    parts: int = 1
    table: CompetitionTable | None = None
    """The table that its rows are from."""

    @property
    def template(self) -> str:
        return f"competitions/tv/{self.kind}.html"

    @property
    def seconds(self) -> int:
        rows = len(self.rows) if self.kind in {"games", "table"} else ROWS
        return LEAST + A_ROW * rows


def slides_of(page: CompetitionPage, *, has_clock: bool) -> list[Slide]:
    """Return what a screen turns through in the state of a competition, never nothing."""
    one = page.competition
    if one.state == State.CANCELLED:
        return [Slide("cancelled", _("Cancelled"))]
    if not page.fixtures:
        return [Slide("start", _("Coming up")), *in_parts(entrants(page), NAMES)]
    is_over = one.state == State.OVER
    slides = list(podiums(page)) if is_over else []
    slides += [part for each in rounds_to_show(page) for part in in_parts(games(each))]
    slides += [part for each in page.tables for part in in_parts(standings(each))]
    slides += brackets(page)
    if has_clock and not is_over:
        slides.append(Slide("clock", _("Clock of the round")))
    return slides


def in_parts(whole: Slide, most: int = ROWS) -> Iterator[Slide]:
    """Yield a slide in parts of about the same length, none without rows."""
    rows = whole.rows
    parts = math.ceil(len(rows) / most)
    for part in range(parts):
        start, end = (len(rows) * each // parts for each in (part, part + 1))
        yield replace(whole, rows=rows[start:end], part=part + 1, parts=parts)


def entrants(page: CompetitionPage) -> Slide:
    by_name = sorted(page.placed, key=lambda one: one.name.casefold())
    return Slide("entrants", _("Entrants"), by_name)


def standings(table: CompetitionTable) -> Slide:
    return Slide("table", table.name or _("Standings"), table.lines, table=table)


def games(each: RoundLines) -> Slide:
    lines = [line for line in each.fixtures if not line.is_needless]
    return Slide("games", each.name, lines)


def rounds_to_show(page: CompetitionPage) -> list[RoundLines]:
    """Return the rounds that are played, and the one before as long as they have no result.

    Without one that is played, it is the last that is drawn.
    """
    names = bracket_names.names_of(page.competition, page.rounds)
    drawn = [
        replace(each, name=names[each.round.pk])
        for each in [*page.tabled, *page.bracket]
        if each.fixtures
    ]
    played = [each for each in drawn if each.is_played][-MOST_ROUNDS:]
    if not played:
        return drawn[-1:]
    before = drawn[: drawn.index(played[0])][-1:]
    is_new = not any(
        line.outcome.is_decided and not line.is_bye for each in played for line in each.fixtures
    )
    return [*played, *(before if is_new else ())]


def brackets(page: CompetitionPage) -> Iterator[Slide]:
    """Yield the last rounds of each part of a bracket, those that fit beside each other."""
    for heading, columns in page.bracket_parts:
        tree = [each for each in columns if each.lines.round.stage != Round.Stage.THIRD]
        fitting = [each for each in tree if len(each.slots) <= TIES][-COLUMNS:]
        if fitting:
            name = heading if len(page.bracket_parts) > 1 else _("Bracket")
            yield Slide("bracket", name, fitting)


def podiums(page: CompetitionPage) -> Iterator[Slide]:
    """Yield the best of a competition that is over: of its bracket, or else of each table."""
    if page.competition.has_bracket:
        best = [(place, each) for place, those in page.places for each in those][:PODIUM]
        yield Slide("podium", _("Final places"), best)
        return
    for table in page.tables:
        best = [(str(line.row.place), line.entrant) for line in table.lines[:PODIUM]]
        yield Slide("podium", table.name or _("Final places"), best)
