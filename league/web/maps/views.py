"""Bans of maps, and the part of the match page that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Match
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.maps import vetoes
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.fragments import asks_for_part
from league.web.core.parameters import whole_number
from league.web.maps.shown import map_context

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
def maps(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the maps of a match to its page, if they have changed. Others are led to the page."""
    match = get_object_or_404(Match.objects.select_related("map_choice", "arena"), pk=pk)
    if not asks_for_part(request):
        return redirect(match)
    sides = list(match.sides.select_related("captain").order_by("index"))
    context = map_context(match, sides, player_of(request), database_now())
    if not context:
        raise Http404
    if request.GET.get("seen") == context.get("map_state"):
        return HttpResponse(status=204)
    return render(request, "maps/_maps.html", {"match": match, **context})


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def ban(request: HttpRequest, pk: int) -> HttpResponse:
    """Ban a map as a captain. GET requests return to the match."""
    match = get_object_or_404(Match, pk=pk)
    if request.method == "POST":
        name = request.POST.get("map", "")
        try:
            veto = vetoes.ban(
                pk,
                name,
                by=acting_player(request),
                number=whole_number(request.POST.get("turn")),
                now=database_now(),
            )
        except Forbidden:
            raise
        except Refused as refusal:
            messages.error(request, refusal.message)
        else:
            message = _("%(map)s is banned. You play on %(chosen)s.")
            if not veto.chosen:
                message = _("%(map)s is banned. Now it is the other captain’s turn.")
            messages.success(request, message % {"map": name, "chosen": veto.chosen})
    return redirect(match)
