"""Arenas of the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arena
from league.services.seasons.opening import open_season
from league.services.site import frame

if TYPE_CHECKING:
    from datetime import datetime


def make_arena(*, starts_at: datetime, **settings: object) -> Arena:
    """Create an arena with its first season."""
    arena = Arena(**{"time_zone": frame.current().time_zone, **settings})
    arena.full_clean()
    arena.save()
    open_season(arena, starts_at=starts_at)
    return arena
