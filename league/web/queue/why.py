"""The reasons for a match, for its players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.models import Match, Proposal
from league.rates import limit_gets
from league.services.queue import reasons
from league.web.core.acting import acting_player, player_required
from league.web.core.fragments import asks_for_part

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@limit_gets("costly")
@require_safe
@player_required
def why(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what the matcher weighed. htmx gets the text alone.

    Only its players have this page, for as long as the tick that found it is kept.
    """
    proposal = get_object_or_404(Proposal.objects.select_related("arena"), match=pk)
    match = get_object_or_404(Match.objects.select_related("season"), pk=pk)
    found = reasons.why(proposal, acting_player(request))
    if found is None:
        raise Http404
    arena = proposal.arena
    context = {"why": found, "match": match, "arena": arena, "shows": match.season.shows_in(arena)}
    template = "queue/_why.html" if asks_for_part(request) else "queue/why.html"
    return render(request, template, context)
