"""The running season of an arena, about which several parts of its form ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.core.clock import database_now

if TYPE_CHECKING:
    from league.models import Arena, Season

KEPT = "_running_season"


def running_season(arena: Arena) -> Season | None:
    """Return the season that is running, read once for each object: a form shows one moment."""
    known = vars(arena)
    if KEPT not in known:
        known[KEPT] = arena.current_season(database_now()) if arena.pk else None
    season: Season | None = known[KEPT]
    return season
