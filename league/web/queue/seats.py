"""Leaving a seat that a player fills in a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Match
from league.services.core.clock import database_now
from league.services.queue import filling
from league.web.core.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def leave_seat(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the seat that I fill, without a penalty. GET requests return to the match."""
    match = get_object_or_404(Match, pk=pk)
    if request.method == "POST":
        filling.leave_seat(pk, by=acting_player(request), now=database_now())
        messages.success(request, _("You have left the seat. You can queue again."))
    return redirect(match)
