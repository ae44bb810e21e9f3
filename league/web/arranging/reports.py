"""The report of an arranged match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from league.services.arranging import playing
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.web.arranging.views import visible
from league.web.core.middleware import status_of, zone_named
from league.web.people.acting import acting_player, player_required
from league.web.results.forms import ReportForm
from league.web.results.lineups import Lineup, LineupSide, sides_of_rosters

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import Arrangement, Player


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Report the result of an arranged match."""
    one, me, now = visible(request, slug, pk), acting_player(request), database_now()
    playing.check_captain(one, me)
    lineup = lineup_of(one, me)
    if request.method != "POST":
        playing.check_takes_report(one, now)
        form = ReportForm(lineup, initial=ReportForm.fresh_values(now))
        return report_page(request, one, form)
    form = ReportForm(lineup, request.POST)
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if not form.is_valid():
            return report_page(request, one, form, 400)
        try:
            playing.report(
                pk,
                form.report(),
                reporter=me,
                played_at=form.cleaned_data["played_at"],
                now=now,
                client_token=form.cleaned_data["client_token"],
            )
        except Forbidden:
            raise
        except Refused as refusal:
            form.refuse(refusal)
            return report_page(request, one, form, status_of(refusal))
    return redirect(one)


def report_page(
    request: HttpRequest, one: Arrangement, form: ReportForm, status: int = 200
) -> HttpResponse:
    context = {"arena": one.arena, "date": one, "form": form}
    return render(request, "results/report.html", context, status=status)


def lineup_of(one: Arrangement, me: Player) -> Lineup:
    """Return the two sides of an arranged match, mine first."""
    sides = []
    for captain, roster in sorted(one.captains, key=lambda side: side[0].pk != me.pk):
        if roster is None:
            sides.append(LineupSide(captain, [captain]))
        else:
            sides += sides_of_rosters([roster])
    return Lineup(one.arena, sides)
