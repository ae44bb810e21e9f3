"""Pages on which players object to rated results, and withdraw their objections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Match
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, LimitReached
from league.services.results.staff import objections
from league.web.core.acting import acting_player, player_required
from league.web.results.answer_forms import ObjectionForm
from league.web.results.matches import match_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def object_to(request: HttpRequest, pk: int) -> HttpResponse:
    """Object to a rated result. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    me, form = acting_player(request), ObjectionForm(request.POST)
    if not form.is_valid():
        return match_page(request, pk, objection_form=form)
    reason = form.cleaned_data["reason"]
    try:
        match = objections.object_to(pk, by=me, reason=reason, now=database_now())
    except (Conflict, LimitReached) as refusal:
        return match_page(request, pk, refusal=refusal, objection_form=form)
    messages.success(request, _("Sent. The result counts until staff have decided."))
    return redirect(f"{match.get_absolute_url()}#history")


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw one's own objection. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    try:
        match = objections.withdraw(pk, by=acting_player(request), now=database_now())
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.success(request, _("Withdrawn. The result stays as it is."))
    return redirect(f"{match.get_absolute_url()}#history")
