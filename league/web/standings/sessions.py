"""The table of one session, such as an evening, rated on its own."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.rates import limit_gets
from league.services.core.errors import Refused
from league.services.standings import sessions
from league.web.core.acting import player_of
from league.web.core.local_time import LocalTime
from league.web.core.lookups import arena_page_or_404

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

EVENING = timedelta(hours=6)
"""The length of a session when the reader gives no times."""


class SessionForm(forms.Form):
    """From when to when, on the reader's clocks."""

    since = LocalTime(label=gettext_lazy("From"))
    until = LocalTime(label=gettext_lazy("To"))


def last_hours(now: datetime) -> dict[str, datetime]:
    """Return the times of a session that ends now."""
    until = timezone.localtime(now) + timedelta(minutes=1)
    return {"since": until - EVENING, "until": until}


@limit_gets("costly")
@require_safe
def session(request: HttpRequest, slug: str) -> HttpResponse:
    """Rate the matches of a session from newcomers and show the table. Nothing is stored."""
    arena_page = arena_page_or_404(slug)
    arena, now = arena_page.arena, arena_page.now
    asked = bool(request.GET.get("since") or request.GET.get("until"))
    form = SessionForm(request.GET) if asked else SessionForm(initial=last_hours(now))
    context: dict[str, Any] = {"arena": arena, "form": form, "me": player_of(request)}
    if not asked or form.is_valid():
        times = form.cleaned_data if asked else last_hours(now)
        opened = [season for season in arena_page.seasons if season.opened_at]
        season = next((one for one in opened if one.starts_at < times["until"]), None)
        context["season"] = season
        try:
            sessions.check_times(times["since"], times["until"])
            if season:
                context["shows"] = season.shows
                context["found"] = sessions.session(season, times["since"], times["until"])
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
    status = 400 if asked and form.errors else 200
    return render(request, "standings/session.html", context, status=status)
