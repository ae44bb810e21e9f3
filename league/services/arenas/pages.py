"""Load an arena with what all of its pages show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import DateTimeField, Func

from league.models import Arena

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season

CLOCK = Func(function="clock_timestamp", output_field=DateTimeField())


@dataclass(frozen=True)
class ArenaPage:
    """An arena and its seasons at a moment."""

    now: datetime
    """The database's time."""
    arena: Arena
    """With its queue and its rules in words, if it has them."""
    seasons: list[Season]
    """Including planned ones, latest first."""

    def default_season(self) -> Season | None:
        """Return the running season, else the last one that was to begin."""
        begun = [season for season in self.seasons if season.starts_at <= self.now]
        for season in begun:
            if season.opened_at and (season.ends_at is None or season.ends_at > self.now):
                return season
        return begun[0] if begun else None


def load_arena(slug: str) -> ArenaPage:
    """Return an arena, its seasons and the current time. Two queries. It may be a draft.

    Raises:
        Arena.DoesNotExist: no arena has this address.
    """
    arena = Arena.objects.select_related("queue", "text").annotate(now=CLOCK).get(slug=slug)
    now = vars(arena)["now"]  # annotated above
    return ArenaPage(now, arena, list(arena.seasons.order_by("-starts_at")))
