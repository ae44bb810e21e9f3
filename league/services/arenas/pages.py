"""Load an arena with what all of its pages show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models.functions import Now

from league.models import Arena

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from league.models import Arena, Season, User


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
    """Return an arena, its seasons and the current time. It may be a draft.

    Raises:
        Arena.DoesNotExist: no arena has this address.
    """
    arenas = Arena.objects.select_related("queue", "text")
    arena: Any = arenas.annotate(now=Now()).get(slug=slug)
    seasons = list(arena.seasons.order_by("-starts_at"))
    return ArenaPage(arena.now, arena, seasons)


CHANGE = "league.change_arena"


def may_see_draft(user: User | AnonymousUser, arena: Arena) -> bool:
    """Return whether an account may change a draft, and so see it."""
    return user.is_staff and (user.has_perm(CHANGE) or user.has_perm(CHANGE, arena))
