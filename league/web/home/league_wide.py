"""Pages of the whole league, across arenas: its schedule, its competitions, and where to play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.models import Arrangement, Competition
from league.services.competitions.pages import with_entered
from league.services.core.clock import database_now
from league.services.core.pages import Page
from league.services.dates.lists import to_play
from league.services.home.front import front
from league.web.core.acting import player_of
from league.web.core.parameters import whole_number
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

DATES_A_PAGE, MOST_MINE, MOST_COMPETITIONS, OVER_A_PAGE = 60, 20, 200, 30
State = Competition.State


@require_safe
def schedule(request: HttpRequest) -> HttpResponse:
    """Show the reader's next matches, those being played, and the coming dates of all arenas."""
    me, now = player_of(request), database_now()
    coming = Arrangement.objects.accepted().filter(play_at__gt=now, arena__is_draft=False)
    rows = coming.in_lines().order_by("play_at", "id")
    asked, total = whole_number(request.GET.get("page")), coming.count()
    page = Page.cut(asked, total, DATES_A_PAGE, lambda part: list(rows[part]))
    is_first = page.number == 1
    context = {
        "now": now,
        "page": page,
        "live": sheets(front(now).live, me=me) if is_first else [],
        "mine": list(to_play(me).in_lines()[:MOST_MINE]) if me and is_first else [],
    }
    return render(request, "home/schedule.html", context)


@require_safe
def competitions(request: HttpRequest) -> HttpResponse:
    """List the competitions of all arenas: being played, open for entries, and over."""
    published = with_entered(Competition.objects.published().filter(season__arena__is_draft=False))
    listed = published.select_related("season__arena")
    over = Competition.objects.published().filter(state=State.OVER, season__arena__is_draft=False)
    latest = listed.filter(state=State.OVER).order_by(F("over_at").desc(nulls_last=True), "-pk")
    asked = whole_number(request.GET.get("page"))
    page = Page.cut(asked, over.count(), OVER_A_PAGE, lambda part: list(latest[part]))
    current = list(listed.unfinished().order_by("starts_at", "pk")[:MOST_COMPETITIONS])
    context = {
        "running": [one for one in current if one.state == State.RUNNING],
        "open": [one for one in current if one.state == State.REGISTRATION],
        "page": page,
    }
    return render(request, "home/competitions.html", context)


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Show how to play in each open arena: queue, challenge, proposal, report."""
    entries = [entry for entry in front(database_now()).arenas if entry.arena.is_open]
    return render(request, "home/play.html", {"entries": [one for one in entries if one.season]})
