"""The page on which figures of a match are entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from league.models import Match
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.results.playing import figures as service
from league.web.core.acting import account_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from league.models import Player


MOST_ROWS = 100
"""The most players on the form. Programs enter those of larger matches."""


class FiguresForm(forms.Form):
    """A number for each player and column; empty for none."""

    def __init__(
        self,
        players: Sequence[Player],
        columns: Sequence[str],
        data: object = None,
        held: dict[int, dict[str, float]] | None = None,
    ) -> None:
        super().__init__(data)  # type: ignore[arg-type] # what a request has
        self.players, self.columns = players, columns
        for player in players:
            for at, name in enumerate(columns):
                self.fields[f"{player.pk}-{at}"] = forms.FloatField(
                    required=False,
                    min_value=-service.LARGEST,
                    max_value=service.LARGEST,
                    initial=(held or {}).get(player.pk, {}).get(name),
                    label=_("%(figure)s of %(player)s") % {"figure": name, "player": player},
                    widget=forms.NumberInput(attrs={"step": "any"}),
                )

    def rows(self) -> list[tuple[Player, list[forms.BoundField]]]:
        """Return the fields of each player."""
        return [
            (player, [self[f"{player.pk}-{at}"] for at in range(len(self.columns))])
            for player in self.players
        ]

    def typed_figures(self) -> dict[int, dict[str, float | None]]:
        """Return the typed figures by player id and column."""
        return {
            player.pk: {
                name: self.cleaned_data[f"{player.pk}-{at}"] for at, name in enumerate(self.columns)
            }
            for player in self.players
        }


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def enter(request: HttpRequest, pk: int) -> HttpResponse:
    """Enter the figures of my side, or of everybody as staff."""
    match = get_object_or_404(Match.objects.select_related("arena", "season"), pk=pk)
    service.check_open(match)
    parts = service.parts_to_enter(match, account_of(request)).select_related("player")
    players = [part.player for part in parts[: MOST_ROWS + 1]]
    if not players:
        raise service.not_yours()
    players, shortened = players[:MOST_ROWS], len(players) > MOST_ROWS
    rows = [row for row in service.stored_figures(match) if row.player in players]
    held = {row.player_id: row.values for row in rows}
    form = FiguresForm(players, service.columns_of(match, rows), request.POST or None, held)
    if request.method == "POST" and form.is_valid():
        try:
            service.enter(pk, form.typed_figures(), by=account_of(request), now=database_now())
        except Forbidden:
            raise
        except Refused as refusal:
            form.add_error(None, refusal.message)
        else:
            messages.success(request, _("Saved. Figures never change a rating."))
            return redirect(match)
    status = 400 if form.is_bound else 200
    context = {"match": match, "arena": match.arena, "form": form, "shortened": shortened}
    return render(request, "results/figures.html", context, status=status)
