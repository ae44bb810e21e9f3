"""The line-up of an arranged match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.web.results.lineups import Lineup, LineupSide, sides_of_rosters

if TYPE_CHECKING:
    from league.models import Arrangement, Player


def lineup_of(one: Arrangement, me: Player) -> Lineup:
    """Return the two sides of an arranged match, mine first."""
    sides = []
    for captain, roster in sorted(one.captains, key=lambda side: side[0].pk != me.pk):
        if roster is None:
            sides.append(LineupSide(captain, [captain]))
        else:
            sides += sides_of_rosters([roster])
    return Lineup(one.arena, sides)
