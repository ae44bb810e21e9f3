"""Publish a draft: everybody sees the arena, and its first season opens or is planned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Arena, StaffAction
from league.models.own_words import own_words
from league.services.arenas.settings import settings_in_words
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.seasons.opening import open_season
from league.services.seasons.planning import plan_season

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season, User


def publish(
    arena_id: int, *, by: User, now: datetime, name: str = "", starts_at: datetime | None = None
) -> Season:
    """Publish a draft. Its first season opens now, or at ``starts_at`` if that is given.

    Raises:
        Conflict: somebody has published it already.
        ValidationError: the season cannot start under the arena's rules.
    """
    with transaction.atomic():
        arena = Arena.objects.select_for_update(no_key=True).get(pk=arena_id)
        if not arena.is_draft:
            raise Conflict("published", _("“%(arena)s” is published already.") % {"arena": arena})
        arena.is_draft = False
        arena.full_clean()
        arena._history_user, arena._change_reason = by, "published"  # type: ignore[attr-defined] # noqa: SLF001 - simple_history reads these
        arena.save()
        if starts_at is None:
            season = open_season(arena, starts_at=now, name=name)
        else:
            season = plan_season(arena, starts_at=starts_at, name=name)
        why = own_words("published", arena=arena, season=season.name)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.SEASON,
            reason=why.text,
            details={**of_arena(arena), "season": season.pk, "object": str(season), **why.details},
            after={
                **settings_in_words(arena),
                "season": season.name,
                "start": season.starts_at.isoformat(),
                "end": season.ends_at.isoformat() if season.ends_at else "",
            },
            at=now,
        )
    return season
