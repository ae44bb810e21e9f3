"""The addresses of the pages about one season, below those of its arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.urls import path
from django.views.decorators.http import require_http_methods, require_safe

from league.admin.corrections import rerating
from league.admin.seasons import ending, opening

if TYPE_CHECKING:
    from django.urls import URLPattern

either = require_http_methods(["GET", "HEAD", "POST"])


def urls() -> list[URLPattern]:
    """Return the addresses of the pages."""
    view = admin.site.admin_view
    return [
        path(
            "<int:arena_id>/open-season/",
            view(either(opening.open_next)),
            name="league_arena_open_season",
        ),
        path(
            "<int:arena_id>/end-season/<int:season_id>/",
            view(either(ending.end_season)),
            name="league_arena_end_season",
        ),
        path(
            "<int:arena_id>/rerate/<int:season_id>/",
            view(either(rerating.rerate)),
            name="league_arena_rerate",
        ),
        path(
            "rerated/<int:job_id>/",
            view(require_safe(rerating.show_rerated)),
            name="league_arena_rerated",
        ),
    ]
