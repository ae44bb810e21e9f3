"""Pages on which players report a player to the moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.models import Match, Player, PlayerReport
from league.models.moderation import LONGEST_TEXT
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.moderation import reports
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import status_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LARGEST_ID = 2**63 - 1


class ReportForm(forms.Form):
    """A report about a player, and the match."""

    reason = forms.ChoiceField(
        label=gettext_lazy("What is it about?"),
        choices=[(value, capfirst(label)) for value, label in PlayerReport.Reason.choices],
    )
    text = forms.CharField(
        label=gettext_lazy("What happened"),
        help_text=gettext_lazy("Only moderators read it. The player is never told who reported."),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    match = forms.IntegerField(
        label=gettext_lazy("Match"),
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The number of the match, if it was in one."),
    )

    def clean_match(self) -> Match | None:
        number = self.cleaned_data["match"]
        if number is None:
            return None
        found = Match.objects.filter(pk=number).first()
        if found is None:
            raise forms.ValidationError(_("There is no match with this number."))
        return found


class ReportFromMatchForm(ReportForm):
    """As above, and who of a match it was."""

    field_order = ("player", "reason", "text")
    player = forms.ModelChoiceField(Player.objects.none(), label=gettext_lazy("Player"))

    def __init__(self, match: Match, me: Player, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type] # what a request has
        del self.fields["match"]
        others = Player.objects.filter(participations__match=match).exclude(pk=me.pk)
        player = cast("forms.ModelChoiceField[Player]", self.fields["player"])
        player.queryset = others.order_by("sort_name")


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Report a player, perhaps about a match."""
    player = get_object_or_404(Player.ever, pk=pk)
    if player.merged_into_id:
        return redirect("player_report", player.merged_into_id, permanent=True)
    if player == acting_player(request):
        raise Refused("own_player", _("You cannot report yourself."))
    match = request.GET.get("match", "")
    initial = {"match": match} if match.isascii() and match.isdigit() else {}
    form = ReportForm(request.POST if request.method == "POST" else None, initial=initial)
    return page(request, form, player, None)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report_from_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Report one of the players of a match."""
    match = get_object_or_404(Match.objects.select_related("arena"), pk=pk)
    if not match.is_game:
        raise Http404
    given = request.POST if request.method == "POST" else None
    form = ReportFromMatchForm(match, acting_player(request), given)
    return page(request, form, None, match)


def page(
    request: HttpRequest, form: ReportForm, player: Player | None, match: Match | None
) -> HttpResponse:
    """Show a form, or report and return to where it was."""
    status = 400 if form.is_bound else 200
    if form.is_valid():
        given = form.cleaned_data
        whom = player or given["player"]
        try:
            reports.report(
                whom,
                given["reason"],
                given["text"],
                by=acting_player(request),
                now=database_now(),
                match=match or given.get("match"),
            )
        except Refused as refusal:
            field = refusal.field if refusal.field in form.fields else None
            form.add_error(field, refusal.message)
            status = status_of(refusal)
        else:
            messages.success(request, _("Reported. Moderators will look at it. Thank you."))
            return redirect(match or whom)
    context = {"form": form, "player": player, "match": match}
    return render(request, "moderation/report.html", context, status=status)
