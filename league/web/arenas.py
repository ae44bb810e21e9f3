"""Arenas and their leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import DateTimeField, Func
from django.http import Http404
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
    arena, seasons, now = seen(slug)
    season = season_of(request, arena, seasons, now)
    me = player_of(request)
    leaders = leaderboards.leaderboard(season, now=now, per_page=LEADERS) if season else None
    return render(
        request,
        "arena.html",
        {
            "arena": arena,
            "season": season,
            "seasons": seasons,
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
    arena, seasons, now = seen(slug)
    season = season_of(request, arena, seasons, now)
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
            "seasons": seasons,
            "page": page,
            "search": search,
            "shows": season.system().shows if season else None,
            "my_row": mine,
        },
    )


def seen(slug: str) -> tuple[Arena, list[Season], datetime]:
    """An arena, its seasons, the last first, and what time it is. One query.

    Raises:
        Http404: there is no such arena.
    """
    clock = Func(function="clock_timestamp", output_field=DateTimeField())
    seasons = list(
        Season.objects.filter(arena__slug=slug)
        .select_related("arena__queue")
        .annotate(now=clock)
        .order_by("-starts_at")
    )
    if not seasons:
        return get_object_or_404(Arena, slug=slug), [], database_now()
    arena = seasons[0].arena
    for season in seasons:
        season.arena = arena
    return arena, seasons, seasons[0].now


def season_of(
    request: HttpRequest, arena: Arena, seasons: list[Season], now: datetime
) -> Season | None:
    """The season that the address asks for, else the running one, else the last."""
    if "season" in request.GET:
        asked = whole_number(request.GET["season"])
        found = next((season for season in seasons if season.pk == asked), None)
        if found is None:
            raise Http404
        return found
    begun = [season for season in seasons if season.starts_at <= now]
    running = (
        season
        for season in begun
        if season.opened_at and (season.ends_at is None or season.ends_at > now)
    )
    return next(running, begun[0] if begun else None)


def whole_number(text: str | None, default: int = 1, limit: int = 10**9) -> int:
    """A number from an address; ``default`` where it is none."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 10:
        return default
    return min(int(text), limit)
