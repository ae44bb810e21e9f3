"""The sides on the page of a match, with the changes of ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.models.lists import list_with_or
from league.services.core.isolation import gettext as _
from league.services.points import points_leaderboard
from league.services.results.records import profiles
from league.web.results.scoresheets import Sheet, SideSheet, explainer, own_first, side_sheet
from league.web.results.words import result_line

if TYPE_CHECKING:
    from league.models import Match, Participant, Player, Side
    from league.services.points.points_leaderboard import ExplainedPoints

MOST_BLOCKS = 8
"""Up to this many sides are shown in full; more are shown as a table."""
MOST_NAMED = 3
"""Up to this many captains are named as those who can answer a report."""


def sides_context(match: Match, me: Player | None, number: int) -> dict[str, Any]:
    """Return a page of a match's sides, its winner, and my own side if on another page."""
    counts: Any = match
    page = profiles.sides_page(match, number, counts.side_count)
    listed = list(page.rows)
    won = None
    if counts.winner_count == 1:
        won = next((side for side in listed if side.place == 0), None) or profiles.winner_of(match)
    own = profiles.side_of(match, me) if me and page.pages > 1 else None
    elsewhere = own if own not in listed else None
    every_side = [*listed, elsewhere] if elsewhere else listed
    events = profiles.events_of(match, every_side)
    points = points_leaderboard.match_points(match, every_side)
    explain = explainer(match)
    shown = own_first(listed, me) if counts.side_count == 2 else listed
    sides = [side_sheet(side, events, explain, points, me=me) for side in shown]
    sheet = Sheet(match, sides, counts.side_count, counts.winner_count)
    return {
        "page": page,
        "sheet": sheet,
        "line": result_line(sheet),
        "names_unlisted": any(
            seat.part.player.is_unlisted for side in sides for seat in side.seats
        ),
        "elsewhere": side_sheet(elsewhere, events, explain, points) if elsewhere else None,
        "effects": effects_version(match, sides, me),
        "winner": side_sheet(won) if won else None,
        "answering": answering_text(match, listed),
        "scored": any(side.score is not None for side in listed),
        "as_table": counts.side_count > MOST_BLOCKS and all(len(s.seats) == 1 for s in sides),
    }


def effects_version(match: Match, sides: list[SideSheet], me: Player | None) -> tuple[object, ...]:
    """Return what decides how the match's players and their changes are shown, but the sides."""
    seats = [seat for side in sides for seat in side.seats]
    return (
        str(match.season.shows_in(match.arena)),
        me.pk if any(seat.part.player == me for seat in seats) and me else None,
        *(parts_shown(seat.part) for seat in seats),
        *((seat.event.pk, seat.event.superseded_by_id) for seat in seats if seat.event),
        *(points_shown(seat.given) for seat in seats if seat.given),
    )


def parts_shown(part: Participant) -> tuple[object, ...]:
    return part.pk, part.profession, part.stand_in, part.quit, part.seconds


def points_shown(given: ExplainedPoints) -> tuple[object, ...]:
    return given.entry.pk, repr(given.rule), repr(given.checkpoint)


def answering_text(match: Match, sides: list[Side]) -> str:
    """Return who can answer a report: ``Alice, Bob or Charlie``."""
    captains = [side.captain.name for side in sides if side.index != match.reported_by_side]
    if len(captains) > MOST_NAMED:
        return _("Any of the other captains")
    return list_with_or(captains)
