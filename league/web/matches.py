"""Matches: what happened, what it did to ratings, and who can answer a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Match, Status
from league.services import profiles, results
from league.services.clock import database_now
from league.services.errors import Conflict, Refused
from league.web.forms import DisputeForm
from league.web.fragments import asks_for_part
from league.web.middleware import status_of
from league.web.people import acting_player, player_of, player_required
from league.web.scoresheets import sheet, sheets

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import Player

DECIDABLE = {Status.LIVE, Status.REPORTED, Status.DISPUTED}


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    return shown(request, pk)


def shown(
    request: HttpRequest,
    pk: int,
    *,
    refusal: Refused | None = None,
    dispute_form: DisputeForm | None = None,
) -> HttpResponse:
    """The page of a match, with what went wrong if an answer to it was refused."""
    people = ("reported_by", "disputed_by", "confirmed_by")
    loaded = profiles.with_sides(Match.objects.select_related(*people))
    match = get_object_or_404(loaded, pk=pk)
    me = player_of(request)
    system = match.season.system()
    context: dict[str, Any] = {
        "match": match,
        "sheet": sheet(match, me, system),
        "shows": system.shows,
        "system": system,
        "answering": [s.captain for s in match.sides.all() if s.index != match.reported_by_side],
        "may_answer": may_answer(match, me),
        "may_report": match.status == Status.LIVE and leads(match, me),
        "may_decide": (match.status in DECIDABLE and request.user.has_perm("league.decide_match")),
        "actions": list(match.staff_actions.select_related("actor__player")),
        "refusal": refusal,
        "dispute_form": dispute_form or DisputeForm(),
        "now": database_now(),
    }
    status = status_of(refusal) if refusal else 400 if dispute_form else 200
    return render(request, "match.html", context, status=status)


def leads(match: Match, player: Player | None) -> bool:
    """Whether a player is captain of a side."""
    return player is not None and any(s.captain_id == player.pk for s in match.sides.all())


def may_answer(match: Match, player: Player | None) -> bool:
    """Whether a player can confirm or dispute the report: what :func:`results.confirm` checks."""
    if match.status != Status.REPORTED or not leads(match, player):
        return False
    reporter = next(s for s in match.sides.all() if s.index == match.reported_by_side)
    return player is not None and reporter.captain_id != player.pk


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Agree with a report. Who comes here by an address sees the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    try:
        match = results.confirm(pk, by=acting_player(request), now=database_now())
    except Conflict as refusal:
        return shown(request, pk, refusal=refusal)
    messages.success(request, _("Confirmed. The ratings have moved: see below."))
    return redirect(match)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Object to a report. Who comes here by an address sees the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    form = DisputeForm(request.POST)
    if not form.is_valid():
        return shown(request, pk, dispute_form=form)
    try:
        match = results.dispute(
            pk,
            by=acting_player(request),
            reason=form.cleaned_data["reason"],
            now=database_now(),
        )
    except Conflict as refusal:
        return shown(request, pk, refusal=refusal)
    messages.success(request, _("Disputed. Staff will decide, and you will see their reason here."))
    return redirect(match)


@require_safe
@player_required
def waiting(request: HttpRequest) -> HttpResponse:
    """Reports that wait for my answer; htmx asks for the banner alone."""
    if asks_for_part(request):
        return render(request, "_waiting.html")
    me = acting_player(request)
    awaiting = profiles.with_sides(Match.objects.awaiting(me).order_by("confirm_deadline"))
    mine = sheets(profiles.open_matches(me), me)
    listed = sheets(awaiting[:50], me)
    answering = {sheet.match.pk for sheet in listed}
    return render(
        request,
        "waiting.html",
        {
            "awaiting": listed,
            "others": [s for s in mine if s.match.pk not in answering],
            "now": database_now(),
        },
    )
