"""Parts shared by the admin pages about one season."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from league.models import Arena
from league.services.seasons.opening import RUN_SEASONS

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Season


def about(request: HttpRequest, season: Season) -> dict[str, Any]:
    """Return the template context that all these pages have."""
    return {
        **admin.site.each_context(request),
        "subtitle": str(season),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": season.arena,
        "season": season,
        "rules": season.season_rules(),
    }


def may_run_seasons(request: HttpRequest, arena: Arena | None) -> bool:
    """Return whether the reader may change an arena and open seasons in it."""
    return request.user.has_perms(RUN_SEASONS, arena)
