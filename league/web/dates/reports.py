"""The report of an arranged match, and no-shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.clients import sent_from
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.dates import no_shows, playing
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import status_of, zone_named
from league.web.dates.forms import ClaimForm, DenialForm
from league.web.dates.lineups import lineup_of
from league.web.dates.views import date_page, visible
from league.web.results.forms import ReportForm
from league.web.results.live_scores import known_scores
from league.web.results.stakes import stakes_of

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
        form = ReportForm(lineup, initial=ReportForm.fresh_values(now) | known_scores(one, lineup))
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
                sent_from=sent_from(request),
                mode=form.chosen_mode,
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
    stakes = stakes_of(form.lineup, acting_player(request), database_now())
    context = {"arena": one.arena, "date": one, "form": form, "stakes": stakes}
    return render(request, "results/report.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def no_show(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Claim a no-show, agree to it or deny it. GET requests return to the page of the date."""
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    me = acting_player(request)
    playing.check_captain(one, me)
    if request.POST.get("answer") == "claim":
        return claim(request, one, me)
    form = DenialForm(request.POST)
    if request.POST.get("answer") == "deny" and not form.is_valid():
        return date_page(request, slug, pk, denial_form=form)
    try:
        message = take_step(request, pk, form)
    except Forbidden:
        raise
    except Refused as refusal:
        return date_page(request, slug, pk, refusal)
    messages.success(request, message)
    return redirect(one)


def claim(request: HttpRequest, one: Arrangement, me: Player) -> HttpResponse:
    """Claim a no-show, with the players that the form names."""
    form = ClaimForm(lineup_of(one, me), request.POST)
    if not form.is_valid():
        return date_page(request, one.arena.slug, one.pk, claim_form=form)
    try:
        no_shows.claim(one.pk, by=me, now=database_now(), **form.players())
    except Forbidden:
        raise
    except Refused as refusal:
        if refusal.field in form.fields:
            form.refuse(refusal)
            return date_page(request, one.arena.slug, one.pk, claim_form=form)
        return date_page(request, one.arena.slug, one.pk, refusal)
    messages.success(request, _("Claimed. The other side can now agree or deny it."))
    return redirect(one)


def take_step(request: HttpRequest, pk: int, form: DenialForm) -> str:
    """Take the step in the form and return a message about it."""
    me, now = acting_player(request), database_now()
    match request.POST.get("answer"):
        case "concede":
            no_shows.concede(pk, by=me, now=now)
            return _("You agreed. The other side has won.")
        case "deny":
            no_shows.deny(pk, by=me, reason=form.cleaned_data["reason"], now=now)
            return _("Denied. Staff will decide.")
    raise Refused("answer", _("Choose to claim a no-show, agree or deny."))
