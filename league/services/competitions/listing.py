"""The competitions of a season with who won them, for its archive and the page of its arena."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q

from league.models import Competition, Entrant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Season

State = Competition.State
MOST_LINES = 5
"""The most lines of a final table that a list shows."""


@dataclass(frozen=True)
class FinalLine:
    """A line of a final table, as it was kept, with its entrant."""

    place: int
    entrant: Entrant
    points: str


@dataclass(frozen=True)
class Listed:
    """A competition in a list."""

    competition: Competition
    winner: Entrant | None
    """``None`` before the end, of groups, and if several share the first place."""
    table: Sequence[FinalLine]
    """The first of the final table, empty for brackets, for groups and before the end."""
    hidden: int
    """The number of further lines in the table."""

    @property
    def is_over(self) -> bool:
        return self.competition.state == State.OVER


def list_competitions(season: Season, most: int) -> list[Listed]:
    """Return a season's competitions, those to be played before those that are over.

    Takes two statements, or one if none is over. Drafts and cancelled ones are left out.
    """
    rows = season.competitions.published().exclude(state=State.CANCELLED)
    newest = F("over_at").desc(nulls_first=True)
    found = list(rows.order_by(newest, "level", "-starts_at", "-pk")[:most])
    over = [one.pk for one in found if one.state == State.OVER]
    kept = [line["entrant"] for one in found for line in lines_of(one)[:MOST_LINES]]
    wanted = Q(competition__in=over, place=1) | Q(pk__in=kept)
    entrants = Entrant.objects.filter(wanted).with_people().in_bulk() if over else {}
    champions = {one.competition_id: one for one in entrants.values() if one.place == 1}
    for one in found:
        one.season = season
    return [line_of(one, entrants, champions.get(one.pk)) for one in found]


def line_of(one: Competition, entrants: dict[int, Entrant], champion: Entrant | None) -> Listed:
    """Return a competition with its winner: of the final, or first in the table alone."""
    lines = lines_of(one)
    table = [
        FinalLine(line["place"], entrants[line["entrant"]], line["points"])
        for line in lines[:MOST_LINES]
        if line["entrant"] in entrants
    ]
    first = [line.entrant for line in table if line.place == 1]
    alone = first[0] if len(first) == 1 else None
    winner = champion if one.has_bracket else alone
    return Listed(one, winner, table, hidden=max(len(lines) - MOST_LINES, 0))


def lines_of(one: Competition) -> list[dict[str, Any]]:
    """Return the lines of the table that decided a competition, empty without one."""
    boards = one.final["boards"] if one.final and not one.has_bracket else []
    lines: list[dict[str, Any]] = boards[0]["lines"] if len(boards) == 1 else []
    return lines
