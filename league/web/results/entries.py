"""Pages on which organisers enter results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Arena
from league.services.competitions import counting
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.results.rules import own_matches
from league.services.results.rules.formats import plays_in_rosters
from league.services.results.staff import entering
from league.web.core.acting import account_of
from league.web.core.middleware import status_of, zone_named
from league.web.results import lineups
from league.web.results.forms import EntryForm
from league.web.results.reports import check_open, offer
from ratings.contests.first_side import counts_first_side

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask who played, then how it ended. The result counts at once."""
    arena = get_object_or_404(Arena, slug=slug)
    if not request.user.has_perm(own_matches.ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can enter results."))
    now = database_now()
    check_open(arena, now)
    if request.method != "POST":
        return sides_page(request, arena)
    try:
        lineup = lineups.entered_lineup(arena, request.POST)
    except Refused as refusal:
        return sides_page(request, arena, refusal)
    by = account_of(request)
    date = counting.open_date(arena, lineups.parties_of(lineup, led=False), now, by=by)
    asks_first = counts_first(arena, now)
    if request.POST.get("step") == "who":
        form = EntryForm(lineup, initial=EntryForm.fresh_values(now), asks_first=asks_first)
        offer(form, date)
        return render(request, "results/report.html", {"arena": arena, "form": form})
    form = EntryForm(lineup, request.POST, asks_first=asks_first)
    offer(form, date)
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if form.is_valid():
            try:
                match = entering.enter(
                    arena,
                    form.report(),
                    by=by,
                    reason=form.cleaned_data["reason"],
                    played_at=form.cleaned_data["played_at"],
                    now=now,
                    client_token=form.cleaned_data["client_token"],
                    weight=form.cleaned_data["weight"],
                    mode=form.chosen_mode,
                    link=counting.linking(date if form.chosen_for_fixture else None),
                    first_side=form.cleaned_data.get("first_side"),
                )
            except Refused as refusal:
                form.refuse(refusal)
            else:
                messages.success(request, _("Entered. It counts from now on."))
                return redirect(match)
        context = {"arena": arena, "form": form}
        return render(request, "results/report.html", context, status=400)


def counts_first(arena: Arena, now: datetime) -> bool:
    """Return whether being at home counts in the running season."""
    season = arena.current_season(now)
    return season is not None and counts_first_side(season.system())


def sides_page(request: HttpRequest, arena: Arena, refusal: Refused | None = None) -> HttpResponse:
    """Ask for the sides."""
    context = {
        "arena": arena,
        "in_rosters": plays_in_rosters(arena),
        "sent": request.POST.get("sides", ""),
        "refusal": refusal,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "results/enter.html", context, status=status)
