"""The page on which a captain reports a player's conduct to staff."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Match, Player
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.results.staff import conduct
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import status_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


class ConductForm(forms.Form):
    """The offences of a match and their players."""

    player = forms.ModelChoiceField(
        Player.objects.none(), label=gettext_lazy("Player"), empty_label=None
    )
    reason = forms.ChoiceField(label=gettext_lazy("What they did"))
    note = forms.CharField(
        label=gettext_lazy("What happened"),
        help_text=gettext_lazy("Only staff can read it."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, match: Match, me: Player, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type] # what a request has
        others = Player.objects.filter(participations__match=match).exclude(pk=me.pk)
        player: forms.ModelChoiceField[Player] = self.fields["player"]  # type: ignore[assignment] # declared above
        player.queryset = others.order_by("sort_name")
        reason: forms.ChoiceField = self.fields["reason"]  # type: ignore[assignment] # likewise
        reason.choices = [(each.name, each.name) for each in match.arena.penalty_reasons.all()]


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a player's conduct, as the captain of a side."""
    match = get_object_or_404(Match.objects.select_related("arena", "season"), pk=pk)
    me = acting_player(request)
    if not conduct.may_report(match, me) or not match.arena.penalty_reasons.exists():
        raise Forbidden(
            "not_a_captain",
            _(
                "Only captains can report conduct, once there is a result, in arenas that declare "
                "reasons for penalties."
            ),
        )
    form = ConductForm(match, me, request.POST or None)
    status = 400 if form.is_bound else 200
    if form.is_valid():
        given = form.cleaned_data
        try:
            conduct.report(
                pk, given["player"].pk, given["reason"], by=me, note=given["note"],
                now=database_now(),
            )  # fmt: skip
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
            status = status_of(refusal)
        else:
            messages.success(request, _("Reported. Staff will look at it and decide."))
            return redirect(match)
    context = {"match": match, "arena": match.arena, "form": form}
    return render(request, "dishonor/conduct.html", context, status=status)
