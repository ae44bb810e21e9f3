"""Why a match was made, for its players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.models import Proposal
from league.rates import limited
from league.services.queue import reasons
from league.web.core.fragments import asks_for_part
from league.web.people.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@limited("costly")
@require_safe
@player_required
def why(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Say what the matcher weighed. htmx gets the text alone.

    Only players to whom the match was proposed have this page, for as long as its tick is kept.
    """
    proposals = Proposal.objects.select_related("arena", "match__season")
    proposal = get_object_or_404(proposals, pk=pk, arena__slug=slug)
    found = reasons.why(proposal, acting_player(request))
    arena = proposal.arena
    season = proposal.match.season if proposal.match else arena.current_season(proposal.proposed_at)
    if found is None or season is None:
        raise Http404
    context = {
        "why": found,
        "proposal": proposal,
        "arena": arena,
        "season": season,
        "shows": season.shows_in(arena),
    }
    template = "queue/_why.html" if asks_for_part(request) else "queue/why.html"
    return render(request, template, context)
