"""Pages on which people claim an imported player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Player
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.people import claims
from league.web.core.acting import account_of, player_of
from league.web.core.middleware import status_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class ClaimForm(forms.Form):
    evidence = forms.CharField(
        label=gettext_lazy("Evidence"),
        help_text=gettext_lazy("How can staff tell that this is you? Only staff read it."),
        max_length=claims.LONGEST_EVIDENCE,
        widget=forms.Textarea(attrs={"rows": 4}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def claim(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the evidence, and send the claim to staff."""
    player = get_object_or_404(Player.ever, pk=pk)
    if player.merged_into_id:
        return redirect("player_claim", player.merged_into_id, permanent=True)
    form = ClaimForm(request.POST if request.method == "POST" else None)
    status, now = 200, database_now()
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                claims.claim(
                    account_of(request),
                    player,
                    evidence=form.cleaned_data["evidence"],
                    now=now,
                )
            except Refused as refusal:
                form.add_error(refusal.field or None, refusal.message)
                status = status_of(refusal)
            else:
                messages.success(request, _("Staff will decide your claim."))
                return redirect("settings")
    context = {
        "player": player,
        "form": form,
        "own": player_of(request),
        "refusal": claims.refusal(account_of(request), player, now),
    }
    return render(request, "people/claim.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def withdraw(request: HttpRequest) -> HttpResponse:
    """Withdraw the open claim. GET requests return to the settings."""
    if request.method == "POST":
        claims.withdraw(account_of(request), now=database_now())
        messages.success(request, _("Your claim is withdrawn."))
    return redirect("settings")
