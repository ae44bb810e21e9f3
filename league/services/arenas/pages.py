"""Load an arena with what all of its pages show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from league.models import Arena, ArenaQueue, ArenaText, Season
from league.services.core.statements import columns, compact, read, with_related

if TYPE_CHECKING:
    from datetime import datetime

ARENA = compact(f"""
    SELECT {columns(Arena, "a")}, {columns(ArenaQueue, "q")}, {columns(ArenaText, "t")},
        clock_timestamp()
    FROM league_arena AS a
    LEFT JOIN league_arenaqueue AS q ON q.arena_id = a.id
    LEFT JOIN league_arenatext AS t ON t.arena_id = a.id
    WHERE a.slug = %s
""")  # noqa: S608 - names of ours


@dataclass(frozen=True)
class ArenaPage:
    """An arena and its seasons at a moment."""

    now: datetime
    """The database's time."""
    arena: Arena
    """With its queue and its rules in words, if it has them."""
    seasons: list[Season]
    """Including planned ones, latest first."""

    def running_season(self) -> Season | None:
        return next((one for one in self.seasons if one.is_running(self.now)), None)

    def default_season(self) -> Season | None:
        """Return the running season, else the last one that was to begin."""
        begun = (season for season in self.seasons if season.starts_at <= self.now)
        return self.running_season() or next(begun, None)


def load_arena(slug: str) -> ArenaPage:
    """Return an arena, its seasons and the current time. Two queries. It may be a draft.

    Raises:
        Arena.DoesNotExist: no arena has this address.
    """
    with connection.cursor() as cursor:
        cursor.execute(ARENA, [slug])
        row = cursor.fetchone()
    if row is None:
        raise Arena.DoesNotExist
    arena = with_related(row, Arena, queue=ArenaQueue, text=ArenaText)
    seasons = read(Season, "WHERE one.arena_id = %s ORDER BY one.starts_at DESC", arena.pk)
    for season in seasons:
        season.arena = arena
    return ArenaPage(row[-1], arena, seasons)
