"""The page on which a player appeals against a penalty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models.moderation import LONGEST_TEXT
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dishonor import discipline
from league.services.moderation import appeals
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import status_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class AppealForm(forms.Form):
    text = forms.CharField(
        label=gettext_lazy("Your appeal"),
        help_text=gettext_lazy("Why the penalty is wrong or too hard. Only staff read it."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 6}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def appeal(request: HttpRequest, pk: int) -> HttpResponse:
    """Appeal against one of my penalties."""
    me, now = acting_player(request), database_now()
    award = get_object_or_404(discipline.history_of(me), pk=pk)
    form = AppealForm(request.POST if request.method == "POST" else None)
    status = 400 if form.is_bound else 200
    if form.is_valid():
        try:
            appeals.appeal(award.pk, form.cleaned_data["text"], by=me, now=now)
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
            status = status_of(refusal)
        else:
            messages.success(request, _("Your appeal was sent. You will get a notice."))
            return redirect("dishonor")
    context = {"form": form, "award": award, "may_appeal": appeals.can_appeal(award, now)}
    return render(request, "moderation/appeal.html", context, status=status)
