"""Find the arena and season of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404

from league.models import Arena
from league.services.arenas.pages import seen as seen_arena
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Season
    from league.services.arenas.pages import Seen


def seen_or_404(slug: str) -> Seen:
    try:
        return seen_arena(slug)
    except Arena.DoesNotExist as error:
        raise Http404 from error


def season_of(request: HttpRequest, seen: Seen) -> Season | None:
    """Return the season in the query string, else the running one, else the last."""
    if "season" not in request.GET:
        return seen.shown()
    asked = whole_number(request.GET["season"])
    found = next((season for season in seen.seasons if season.pk == asked), None)
    if found is None:
        raise Http404
    return found
