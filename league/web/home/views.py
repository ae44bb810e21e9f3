"""The front page: the league for visitors, and for players what is new and what to do."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.models import Match, User
from league.services.dates import limits
from league.services.dates.lists import to_play, waiting_for
from league.services.following.follows import follows_of
from league.services.guesses import giving
from league.services.home.front import front
from league.services.home.since import since_last_visit
from league.services.people import first_admin
from league.services.results.records.lines import lines_of
from league.services.standings import division_news
from league.web.core.acting import player_of
from league.web.core.context import counts_on
from league.web.results.scoresheets import sheet, sheets

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, tzinfo

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from league.models import Arrangement, Player
    from league.models.match import MatchQuerySet
    from league.services.home.front import Front

MOST_OWN = 3
"""The rows of what waits for a player."""


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
        **everybodys_parts(shown, me),
        "now": now,
        "to_guess": to_guess(me, shown) if me or not request.user.is_authenticated else None,
        **(own_context(request, me, shown, now) if me else {}),
    }
    return render(request, "home/home.html", context)


def to_guess(me: Player | None, shown: Front) -> tuple[Arrangement, float] | None:
    """Return the next match that a reader can guess and has not, ``None`` if there is none."""
    rows = shown.to_guess
    left = giving.left_to_guess(me, [one.pk for one, _forecast in rows]) if me and rows else None
    return next((row for row in rows if left is None or row[0].pk in left), None)


def everybodys_parts(shown: Front, me: Player | None) -> dict[str, SafeString]:
    """Return what everybody sees, in the reader's language and time zone."""
    named = me if me and me.pk in shown.named else None
    return render_front(shown, named, timezone.get_current_timezone(), get_language())


@lru_cache(maxsize=32)
def render_front(
    shown: Front, me: Player | None, _zone: tzinfo, _language: str | None
) -> dict[str, SafeString]:
    """Return the parts. They depend on the language and time zone in which the caller reads."""
    context = {
        "front": shown,
        "latest": sheets(shown.latest, me=me),
        "live": sheets(shown.live, me=me),
        "me": me,
    }
    templates = {"now_part": "home/_now.html", "league": "home/_league.html"}
    return {name: render_to_string(template, context) for name, template in templates.items()}


def own_context(request: HttpRequest, me: Player, shown: Front, now: datetime) -> dict[str, Any]:
    """Return what waits for a player, what is new for them, and whom they should play."""
    since = since_last_visit(me, shown.seasons, now=now)
    return {
        **own_matches(me, counts_on(request, me), now),
        "since": since,
        "followed": [(one.names, sheet(one.match, me=me)) for one in since.followed],
        "follows": list(follows_of(me)),
        "news": division_news.news_of(shown.seasons, me),
    }


def own_matches(me: Player, counts: Mapping[str, int], now: datetime) -> dict[str, Any]:
    """Return the first matches that wait for a player, at most ``MOST_OWN`` in all.

    Those being played come first, then results to confirm, dates to answer and dates to play.
    Nothing is read of which the bar has counted none.
    """
    theirs = Match.objects.filter(participants__player=me, participants__live=True)
    asking = Match.objects.awaiting(me).order_by("confirm_deadline")
    live = first_ids(theirs) if counts["playing"] else []
    reported = first_ids(asking) if counts["waiting"] else []
    ids = list(dict.fromkeys([*live, *reported]))[:MOST_OWN]
    lines = lines_of(ids)
    own = sheets([lines[pk] for pk in ids if pk in lines], me=me)
    left = MOST_OWN - len(own)
    asked = list(waiting_for(me, now).in_lines()[:left]) if counts["dated"] and left else []
    left -= len(asked)
    agreed = list(to_play(me).in_lines()[:left]) if counts["to_play"] and left else []
    due = {one.pk for one in agreed if one.has(me) and limits.takes_report(one, now)}
    return {
        "own_games": [(one, one.match.pk in reported) for one in own],
        "dates_asked": asked,
        "dates_to_play": agreed,
        "due": due,
        "own_shown": len(own) + len(asked) + len(agreed),
        "own_total": sum(counts[kind] for kind in ("playing", "waiting", "dated", "to_play")),
    }


def first_ids(matches: MatchQuerySet) -> list[int]:
    return list(matches.values_list("pk", flat=True)[:MOST_OWN])
