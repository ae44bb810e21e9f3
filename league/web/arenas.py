"""Arenas and their leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.models import Arena, Season
from league.services import leaderboards, profiles
from league.services.clock import database_now
from league.web.fragments import asks_for_part
from league.web.people import player_of
from league.web.scoresheets import sheets

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

LEADERS = 10
LATEST = 12


@require_safe
def arena(request: HttpRequest, slug: str) -> HttpResponse:
    """What an arena is, who leads it and what happened last."""
    now = database_now()
    arena = get_object_or_404(Arena, slug=slug)
    season = season_of(request, arena, now)
    me = player_of(request)
    leaders = leaderboards.leaderboard(season, now=now, per_page=LEADERS) if season else None
    return render(
        request,
        "arena.html",
        {
            "arena": arena,
            "season": season,
            "seasons": list(arena.seasons.all()),
            "system": (season or arena).system(),
            "leaders": leaders,
            "recent": sheets(profiles.recent_matches(season, limit=LATEST)) if season else [],
            "open": sheets(profiles.open_matches(me, arena), me) if me else [],
            "my_row": leaderboards.standing(season, me, now=now) if season and me else None,
        },
    )


@require_safe
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Who stands where, with a search by name; htmx asks for the table alone."""
    now = database_now()
    arena = get_object_or_404(Arena, slug=slug)
    season = season_of(request, arena, now)
    me = player_of(request)
    search = request.GET.get("q", "").strip()
    page = mine = None
    if season:
        page = leaderboards.leaderboard(
            season, now=now, search=search, page=whole_number(request.GET.get("page"))
        )
        mine = leaderboards.standing(season, me, now=now) if me else None
    part = "#table" if asks_for_part(request) else ""
    return render(
        request,
        f"leaderboard.html{part}",
        {
            "arena": arena,
            "season": season,
            "seasons": list(arena.seasons.all()),
            "page": page,
            "search": search,
            "shows": season.system().shows if season else None,
            "my_row": mine,
        },
    )


def season_of(request: HttpRequest, arena: Arena, now: datetime) -> Season | None:
    """The season that the address asks for, else the running one, else the last."""
    if "season" in request.GET:
        asked = whole_number(request.GET["season"])
        return get_object_or_404(Season.objects.select_related("arena"), arena=arena, pk=asked)
    season = arena.current_season(now) or arena.seasons.filter(starts_at__lte=now).first()
    if season:
        season.arena = arena
    return season


def whole_number(text: str | None, default: int = 1, limit: int = 10**9) -> int:
    """A number from an address; ``default`` where it is none."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 10:
        return default
    return min(int(text), limit)
