"""Pages on which reporters change or withdraw their reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Match
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.records import profiles
from league.services.results.reports import changing
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number
from league.web.results import lineups
from league.web.results.decisions import as_reported
from league.web.results.forms import ChangeForm
from league.web.results.matches import match_page
from league.web.results.stakes import stakes_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a report that nobody has answered."""
    match = get_object_or_404(profiles.with_sides(Match.objects.all()), pk=pk)
    me = acting_player(request)
    if match.reported_by_id != me.pk:
        raise Forbidden("not_the_reporter", _("Only the player who reported it can change this."))
    lineup, status, now = lineups.of_match(match), 200, database_now()
    form = ChangeForm(lineup, request.POST or None, initial=as_last_reported(match))
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                changing.change(
                    pk,
                    form.finishes(),
                    by=me,
                    now=now,
                    revision=form.cleaned_data["revision"],
                    mode=form.chosen_mode,
                )
            except Conflict as refusal:
                return match_page(request, pk, refusal=refusal)
            except Refused as refusal:
                form.refuse(refusal)
                status = status_of(refusal)
            else:
                messages.success(request, _("Changed. The others have their full time again."))
                return redirect(match)
    context = {"arena": match.arena, "match": match, "form": form, "changing": True}
    context["stakes"] = stakes_of(lineup, me, now)
    return render(request, "results/report.html", context, status=status)


def as_last_reported(match: Match) -> dict[str, object]:
    """Return all of a report as initial values."""
    initial = as_reported(match) | {"revision": match.revision, "mode": match.mode}
    for part in (part for side in match.sides.all() for part in side.participants.all()):
        initial[f"seconds-{part.player_id}"] = part.seconds
        initial[f"quit-{part.player_id}"] = part.quit
        initial[f"profession-{part.player_id}"] = part.profession
    return initial


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a report that nobody has answered. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    revision = whole_number(request.POST.get("revision"))
    try:
        match = changing.withdraw(
            pk, by=acting_player(request), now=database_now(), revision=revision
        )
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.success(request, _("Withdrawn. This match does not count."))
    return redirect(match)
