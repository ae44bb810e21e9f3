"""The runs of an arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Season

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena


def open_season(
    arena: Arena, *, starts_at: datetime, name: str = "", ends_at: datetime | None = None
) -> Season:
    """Begin a season with the arena's rules as they are; a season without an end ends here.

    Raises:
        ValidationError: it would overlap another season.
    """
    with transaction.atomic():
        seasons = Season.objects.select_for_update().filter(arena=arena)
        seasons.filter(ends_at=None, starts_at__lt=starts_at).update(ends_at=starts_at)
        season = Season(
            arena=arena,
            name=name or _("Season %(number)d") % {"number": seasons.count() + 1},
            starts_at=starts_at,
            ends_at=ends_at,
            rating_system=arena.rating_system,
            rating_parameters=arena.system().parameters.model_dump(mode="json"),
        )
        season.full_clean()
        season.save()
    return season


def adopt_rules(season: Season, arena: Arena) -> bool:
    """Let a season without a rated result take the arena's present rules; whether it did."""
    changed = (season.rating_system, season.rating_parameters) != (
        arena.rating_system,
        arena.rating_parameters,
    )
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season.pk)
        if not changed or season.events.exists():
            return False
        season.rating_system = arena.rating_system
        season.rating_parameters = arena.rating_parameters
        season.save()
        season.ratings.all().delete()
    return True
