"""The home page and robots.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.models import Arena, Season, User
from league.services.core.clock import database_now
from league.services.people import first_admin
from league.services.results import profiles
from league.services.standings import division_news, leaderboards
from league.web.people.acting import player_of
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest

ROBOTS = """User-agent: *
Disallow: /accounts/
Disallow: /admin/
Disallow: /api/
Disallow: /settings/
"""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the arenas, or lead to the setup of a new league, which has nothing yet."""
    now = database_now()
    seasons = list(Season.objects.running(now).select_related("arena").order_by("arena__name"))
    running = {season.arena_id: season for season in seasons}
    leaders = leaderboards.leaders(seasons, now=now)
    counts = leaderboards.ranked_players(seasons)
    arenas = [
        {
            "arena": arena,
            "shows": running[arena.pk].shows_in(arena)
            if arena.pk in running
            else arena.system().shows,
            "season": running.get(arena.pk),
            "leaders": leaders.get(running[arena.pk].pk, []) if arena.pk in running else [],
            "players": counts.get(running[arena.pk].pk, 0) if arena.pk in running else 0,
        }
        for arena in Arena.objects.order_by("-is_open", "name")
    ]
    needs_admin = first_admin.is_missing()
    if needs_admin and not arenas and not User.objects.exists():
        return redirect("setup")
    me = player_of(request)
    context = {
        "needs_admin": needs_admin,
        "arenas": arenas,
        "latest": sheets(profiles.latest_rated(seasons, 8)),
        "news": division_news.news_of(seasons, me) if me else None,
    }
    return render(request, "core/home.html", context)


@require_safe
def arena_list(request: HttpRequest) -> HttpResponse:
    """Redirect ``/arenas/`` to the list of arenas on the home page."""
    del request
    return redirect(f"{reverse('home')}#arenas", permanent=True)


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead browsers to the icon when they open something that is no page, such as an image."""
    del request
    return redirect(static("img/favicon.svg"))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    del request
    return HttpResponse(ROBOTS, content_type="text/plain")
