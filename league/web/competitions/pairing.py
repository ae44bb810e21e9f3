"""The page on which organisers see the next round of a Swiss, and draw it as they want it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from league.services.competitions import progress
from league.services.competitions.running import swiss_rounds
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.web.competitions.organising import competition_to_organise
from league.web.core.acting import account_of
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import Competition


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def pair(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the next round of a Swiss as the rules pair it, and draw it as organisers want it."""
    one = competition_to_organise(request, slug, pk)
    if request.method != "POST":
        try:
            return pair_page(request, one)
        except Refused as refusal:
            messages.error(request, refusal.message)
            return redirect("competition_run", slug, pk)
    sent, now = request.POST, database_now()
    try:
        swiss_rounds.pair_next(
            pk,
            lines_in(sent),
            by=account_of(request),
            reason=sent.get("reason", ""),
            now=now,
            knowingly=bool(sent.get("knowingly")),
            number=whole_number(sent.get("number"), default=0) or None,
        )
    except Refused as refusal:
        try:
            return pair_page(request, one, refusal=refusal)
        except Refused:  # it is drawn, so there is nothing to show here
            messages.error(request, refusal.message)
            return redirect("competition_run", slug, pk)
    progress.go_on_at_once(pk, now)
    messages.success(request, _("The round is drawn."))
    return redirect("competition_run", slug, pk)


def pair_page(
    request: HttpRequest, one: Competition, refusal: Refused | None = None
) -> HttpResponse:
    """Show the games of the next round, as they were sent or as the rules pair them."""
    round_, standing, by_rules = swiss_rounds.preview(one)
    entrants = one.entrants.in_bulk()
    out = standing.out
    choices = [
        (entrants[pk].seed, entrants[pk].name)
        for pk in sorted(standing.entrants, key=lambda pk: entrants[pk].seed or 0)
        if pk not in out
    ]
    lines: list[list[Any]] = [[entrants[a].seed, entrants[b].seed] for a, b in by_rules.pairs]
    if by_rules.free is not None:
        lines.append([entrants[by_rules.free].seed])
    if refusal is not None:
        lines = lines_in(request.POST) or lines
    context = {
        "arena": one.season.arena,
        "competition": one,
        "round": round_,
        "games": [line for line in lines if len(line) == 2],
        "alone": next((line[0] for line in lines if len(line) == 1), None),
        "has_bye": len(choices) % 2 == 1,
        "choices": choices,
        "refusal": refusal,
        "reason": request.POST.get("reason", "")[:500],
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "competitions/pair.html", context, status=status)


def lines_in(sent: QueryDict) -> list[list[int]]:
    """Return the seeds of each game that was chosen, home first, and of the bye."""
    homes, aways = sent.getlist("home"), sent.getlist("away")
    pairs = zip(homes, aways, strict=False)
    lines = [[whole_number(each, default=0) for each in pair] for pair in pairs]
    if sent.get("bye"):
        lines.append([whole_number(sent.get("bye"), default=0)])
    return lines
