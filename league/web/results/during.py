"""The page of a match while it is played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from league.models import Status
from league.models.lists import list_with_or
from league.services.queue import filling
from league.services.results.playing import during
from league.web.maps.shown import map_context

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Match, Player
    from league.web.results.scoresheets import Sheet, SideSheet


def during_context(match: Match, me: Player | None, sheet: Sheet, now: datetime) -> dict[str, Any]:
    """Return what the page of a match shows while it is played, and its map."""
    context = map_context(match, [side.side for side in sheet.sides], me, now)
    if any(seat.part.quit for side in sheet.sides for seat in side.seats):
        context["fill_ins"] = fill_ins = list(filling.fill_ins_of(match))
        context["my_seat"] = match.status == Status.LIVE and any(
            one.player_id == me.pk and one.left_at is None for one in fill_ins if me
        )
    if match.status != Status.LIVE:
        return context
    who = during.reporting(match, [side.side for side in sheet.sides], now)
    context |= {"reporting": who, "reporting_names": list_with_or(who.captains)}
    if sheet.hidden:
        return context
    ordered = sorted(sheet.sides, key=lambda side: side.side.index)
    line_ups = [[seat.part.player_id for seat in side.seats] for side in ordered]
    known = during.ratings_before(match, line_ups, now)
    sides = [with_ratings(side, known) for side in sheet.sides]
    context["sheet"] = replace(sheet, sides=sides, chances=known.chances)
    return context


def with_ratings(side: SideSheet, known: during.Ratings) -> SideSheet:
    """Return the sheet of a side with its players' ratings."""
    seats = [
        replace(
            seat,
            rating=known.of.get(seat.part.player_id),
            provisional=seat.part.player_id in known.provisional,
        )
        for seat in side.seats
    ]
    return replace(side, seats=seats)
