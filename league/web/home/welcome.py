"""The welcome page, which leads newcomers from an arena to their first match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.services.core.clock import database_now
from league.services.home.front import front
from league.services.home.welcome import start_in, to_choose_from
from league.web.core.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@player_required
def welcome(request: HttpRequest) -> HttpResponse:
    """Offer the arenas, and show how to begin in the chosen one, or in the only one."""
    now, me = database_now(), acting_player(request)
    entries = to_choose_from(front(now))
    slug = request.GET.get("arena", entries[0].arena.slug if len(entries) == 1 else "")
    chosen = next((entry for entry in entries if entry.arena.slug == slug), None)
    context = {
        "entries": entries,
        "chosen": chosen,
        "shows": chosen.shows if chosen else None,
        "start": start_in(chosen.season, me, now) if chosen and chosen.season else None,
    }
    return render(request, "home/welcome.html", context)
