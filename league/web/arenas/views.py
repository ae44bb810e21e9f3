"""The page of an arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.services.competitions.listing import list_competitions
from league.services.points import points_leaderboard
from league.services.results.records.lines import open_matches, recent_matches
from league.services.results.rules import own_matches
from league.services.standings import leaderboards
from league.services.standings.provisional import provisional
from league.web.core.acting import player_of
from league.web.core.lookups import arena_page_or_404, chosen_mode, season_of
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest


LEADERS = 10
LATEST = 12
COMPETITIONS = 5


@require_safe
def arena(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an arena's rules, leaders and latest results."""
    arena_page = arena_page_or_404(slug, also_draft=request)
    season, now = season_of(request, arena_page), arena_page.now
    arena = arena_page.arena
    me = player_of(request)
    mode = chosen_mode(request, arena)
    leaders = leaderboards.leaderboard(season, now=now, per_page=LEADERS) if season else None
    empty = season if leaders and not leaders.rows else None
    rules = season.season_rules().points if season else None
    by_place = rules is not None and rules.ladder.counts and bool(rules.by_place)
    points = points_leaderboard.page(season, count=LEADERS) if season and by_place else None
    recent = recent_matches(season, mode=mode, limit=LATEST) if season else []
    return render(
        request,
        "arenas/arena.html",
        {
            "arena": arena,
            "may_enter": request.user.has_perm(own_matches.ENTER, arena),
            "season": season,
            "seasons": arena_page.seasons,
            "system": (season or arena).system(),
            "shows": season.shows_in(arena) if season else arena.system().shows,
            "leaders": leaders,
            "points": points,
            "provisional": provisional(empty, now=now, count=LEADERS) if empty else (),
            "all_inactive": empty and leaderboards.has_inactive(empty),
            "renews": season and (season.ends_at is None or season.ends_at > now),
            "mode": mode,
            "recent": sheets(recent, me=me),
            "open": sheets(open_matches(me, arena), me, me=me) if me else [],
            "competitions": list_competitions(season, COMPETITIONS) if season else [],
            "my_row": leaderboards.player_row(season, me, now=now) if season and me else None,
        },
    )
