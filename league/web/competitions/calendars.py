"""Calendars to subscribe to, and the address of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from league.caching import kept_part
from league.models import Team
from league.rates import limit_gets
from league.services.competitions.exports import calendars
from league.services.competitions.versions import version_of
from league.services.core.clock import database_now
from league.web.competitions.views import visible
from league.web.core.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest


@limit_gets("costly")
@require_safe
@never_cache
def own(request: HttpRequest, token: str) -> HttpResponse:
    """Send the calendar of the player whose token it is, whoever asks."""
    player = calendars.player_of_token(token)
    file = calendars.own_calendar(player, database_now(), request.build_absolute_uri)
    return calendar_response(file, "matches")


@limit_gets("costly")
@require_safe
def of_team(request: HttpRequest, pk: int) -> HttpResponse:
    team = get_object_or_404(Team, pk=pk)
    file = calendars.team_calendar(team, database_now(), request.build_absolute_uri)
    return calendar_response(file, f"team-{pk}")


@limit_gets("costly")
@require_safe
def of_competition(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    one = visible(request, slug, pk)
    key = ("competition-calendar", one.pk, version_of(one), request.build_absolute_uri("/"))
    address = request.build_absolute_uri
    file = kept_part(key, lambda: calendars.competition_calendar(one, database_now(), address))
    return calendar_response(file, f"{slug}-competition-{pk}")


def calendar_response(file: bytes, name: str) -> HttpResponse:
    return HttpResponse(
        file,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.ics"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@never_cache
def settings(request: HttpRequest) -> HttpResponse:
    """Show the address of one's own calendar, or renew it."""
    me = acting_player(request)
    if request.method == "POST":
        calendars.renew(me)
        messages.success(request, _("Your calendar has a new address."))
        return redirect("calendar_settings")
    path = reverse("own_calendar", args=[calendars.token_of(me)])
    context = {"address": request.build_absolute_uri(path)}
    return render(request, "competitions/calendar.html", context)
