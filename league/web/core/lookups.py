"""Find the arena and season of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from django.http import Http404

from league.models import Arena
from league.services.arenas.pages import load_arena, may_see_draft
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Season
    from league.services.arenas.pages import ArenaPage


def no_page(request: HttpRequest, rest: str = "") -> NoReturn:
    """Answer 404, as if the page did not exist."""
    del request, rest
    raise Http404


def arena_page_or_404(slug: str, *, also_draft: HttpRequest | None = None) -> ArenaPage:
    """Return the page of a published arena, or of a draft that the sender may change."""
    try:
        page = load_arena(slug)
    except Arena.DoesNotExist as error:
        raise Http404 from error
    if page.arena.is_draft and not (also_draft and may_see_draft(also_draft.user, page.arena)):
        raise Http404
    return page


def chosen_mode(request: HttpRequest, arena: Arena) -> str:
    """Return the game mode in the query string, empty for all of the arena's modes."""
    asked = request.GET.get("mode", "")
    return asked if asked in arena.modes else ""


def season_of(request: HttpRequest, arena_page: ArenaPage) -> Season | None:
    """Return the season in the query string, else the running one, else the last."""
    if "season" not in request.GET:
        return arena_page.default_season()
    asked = whole_number(request.GET["season"])
    season = next((season for season in arena_page.seasons if season.pk == asked), None)
    if season is None:
        raise Http404
    return season
