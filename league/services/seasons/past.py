"""Seasons that are created after they have ended, so that their results can be imported."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.services.seasons.opening import begin, keep_others_from_writing
from league.services.seasons.planning import free_name, lock_planners, next_season

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Season

KEPT_OPEN = timedelta(days=7)
"""How long such a season takes imports before it is archived."""


def create(
    arena: Arena, *, name: str, starts_at: datetime, ends_at: datetime, now: datetime
) -> Season:
    """Create a season that has ended, with the arena's rules, in the caller's transaction.

    Ratings are carried over from the season before it, as for any season. Those of later seasons
    stay as they are, and take results meanwhile.

    Raises:
        ValidationError: its dates are no past season's, overlap another, or its name is taken.
    """
    if ends_at > now:
        raise ValidationError({"ends_at": _("It must have ended. Open other seasons as usual.")})
    lock_planners(arena)
    keep_others_from_writing()
    season = next_season(arena, starts_at)
    season.name = name or free_name(arena)
    season.ends_at = ends_at
    season.kept_open_until = now + KEPT_OPEN
    season.full_clean()
    season.save()
    begin(season, now=starts_at)
    return season
