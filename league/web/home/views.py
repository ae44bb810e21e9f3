"""The front page: the league for visitors, and for players what is new and what to do."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.models import User
from league.services.dates.lists import to_play
from league.services.following.follows import follows_of
from league.services.guesses import giving
from league.services.home.front import front
from league.services.home.since import since_last_visit
from league.services.people import first_admin
from league.services.standings import division_news
from league.web.core.acting import player_of
from league.web.results.scoresheets import sheet, sheets

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from league.models import Arrangement, Player
    from league.services.home.front import Front

MOST_TO_PLAY = 5
"""The player's next dates."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show what is new, and the arenas. Lead to the setup of a new league, which has nothing."""
    needs_admin, now = first_admin.is_missing_now()
    shown = front(now)
    if needs_admin and not shown.arenas and not User.objects.exists():
        return redirect("setup")
    me = player_of(request)
    context = {
        "needs_admin": needs_admin,
        "front": shown,
        **everybodys_parts(
            shown, me, may_report=me is not None or not request.user.is_authenticated
        ),
        "now": now,
        "to_guess": to_guess(me, shown) if me or not request.user.is_authenticated else None,
        **(own_context(me, shown, now) if me else {}),
    }
    return render(request, "home/home.html", context)


def to_guess(me: Player | None, shown: Front) -> tuple[Arrangement, float] | None:
    """Return the next match that a reader can guess and has not, ``None`` if there is none."""
    rows = shown.to_guess
    left = giving.left_to_guess(me, [one.pk for one, _forecast in rows]) if me and rows else None
    return next((row for row in rows if left is None or row[0].pk in left), None)


def everybodys_parts(shown: Front, me: Player | None, *, may_report: bool) -> dict[str, SafeString]:
    """Return what everybody sees, in the reader's language and time zone.

    Accounts without a player cannot report results.
    """
    named = me if me and me.pk in shown.named else None
    zone = timezone.get_current_timezone()
    return render_front(shown, named, zone, get_language(), may_report=may_report)


@lru_cache(maxsize=32)
def render_front(
    shown: Front, me: Player | None, _zone: tzinfo, _language: str | None, *, may_report: bool
) -> dict[str, SafeString]:
    """Return the parts. They depend on the language and time zone in which the caller reads."""
    context = {
        "front": shown,
        "latest": sheets(shown.latest, me=me),
        "live": sheets(shown.live, me=me),
        "me": me,
        "may_report": may_report,
    }
    templates = {"now_part": "home/_now.html", "league": "home/_league.html"}
    return {name: render_to_string(template, context) for name, template in templates.items()}


def own_context(me: Player, shown: Front, now: datetime) -> dict[str, Any]:
    """Return what waits for a player, what is new for them, and whom they should play."""
    since = since_last_visit(me, shown.seasons, now=now)
    return {
        "since": since,
        "followed": [(one.names, sheet(one.match, me=me)) for one in since.followed],
        "follows": list(follows_of(me)),
        "dates_to_play": list(to_play(me).in_lines()[:MOST_TO_PLAY]),
        "news": division_news.news_of(shown.seasons, me),
    }


@require_safe
def arena_list(request: HttpRequest) -> HttpResponse:
    """Redirect ``/arenas/`` to the list of arenas on the home page."""
    del request
    return redirect(f"{reverse('home')}#arenas", permanent=True)
