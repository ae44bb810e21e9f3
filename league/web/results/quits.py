"""Answer whether I quit a match, as its report says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Match
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.results.reports import answers
from league.web.core.acting import acting_player, player_required
from league.web.results.matches import match_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Say whether I quit a match. GET requests return to the match."""
    if request.method != "POST" or request.POST.get("left") not in {"yes", "no"}:
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    left = request.POST["left"] == "yes"
    try:
        match = answers.answer_claim(pk, by=acting_player(request), left=left, now=database_now())
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    if left:
        messages.warning(request, _("You said that you left. This gives you dishonor."))
    else:
        messages.success(request, _("The report no longer says that you left."))
    return redirect(match)
