"""The page on which staff decide matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Match, StaffAction
from league.services.competitions.pages import fixture_of_claim
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.records import profiles, timeline
from league.services.results.records.lines import in_lines
from league.services.results.reports import live
from league.services.results.rules import own_matches
from league.services.results.staff import decisions, reopening
from league.web.core.acting import account_of, player_of
from league.web.results import lineups
from league.web.results.answer_forms import DecisionForm, ReopenForm
from league.web.results.forms import DRAW
from league.web.results.history import history_context
from league.web.results.matches import DECIDABLE, match_page
from league.web.results.scoresheets import sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """Uphold, correct or void a result, with a reason that both sides will read."""
    people = ("reported_by", "disputed_by", "confirmed_by")
    loaded = profiles.with_sides(Match.objects.select_related(*people))
    match = get_object_or_404(timeline.with_traces(loaded), pk=pk)
    if not request.user.has_perm(own_matches.DECIDE, match):
        raise Forbidden("not_staff", _("Only staff can decide a result."))
    if request.method != "POST" and match.status not in DECIDABLE:
        return redirect(match)
    own_matches.check_own_match(match, account_of(request))
    lineup = lineups.of_match(match)
    others = timeline.counter_reports(match)
    initial = as_reported(match) | {"mode": match.mode}
    if others and "other" in request.GET:
        initial |= as_placed(others[-1].placings) | {"mode": others[-1].mode or match.mode}
    form = DecisionForm(lineup, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            decisions.decide(
                pk,
                verdict=StaffAction.Kind(form.cleaned_data["verdict"]),
                by=account_of(request),
                reason=form.cleaned_data["reason"],
                now=database_now(),
                placings=form.placings(),
                leavers=form.leavers(),
                mode=form.chosen_mode,
            )
        except Conflict as refusal:
            return match_page(request, pk, refusal=refusal)
        except Refused as refusal:
            form.refuse(refusal)
        else:
            messages.success(request, _("Decided. Both sides can read your reason."))
            return redirect(match)
    line = sheet(in_lines(Match.objects.filter(pk=pk)).get())
    context = {
        "match": match,
        "sheet": line,
        "form": form,
        "other": others[-1] if others else None,
        "missing_events": live.missing_events(match),
        "unplayed": fixture_of_claim(pk),
        **history_context(request, match, player_of(request), database_now()),
        "may_write": False,  # the match page has the form
    }
    return render(request, "results/decide.html", context, status=400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def reopen(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo the void of a match that was never rated, with a reason that both sides will read."""
    match = get_object_or_404(Match.objects.select_related("arena", "season"), pk=pk)
    if not request.user.has_perm(own_matches.DECIDE, match):
        raise Forbidden("not_staff", _("Only staff can decide a result."))
    voided = reopening.void_of(match)
    if request.method != "POST" and voided is None:
        return redirect(match)
    own_matches.check_own_match(match, account_of(request))
    form = ReopenForm(request.POST or None)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            reopening.reopen(pk, by=account_of(request), reason=reason, now=database_now())
        except Conflict as refusal:
            return match_page(request, pk, refusal=refusal)
        messages.success(request, _("Undone. Both sides can read your reason."))
        return redirect(match)
    context = {"match": match, "voided": voided, "form": form}
    return render(request, "results/reopen.html", context, status=400 if form.is_bound else 200)


def as_reported(match: Match) -> dict[str, object]:
    """Return the reported places, scores and leavers as initial values."""
    sides = list(match.sides.all())
    initial: dict[str, object] = {f"score-{s.index}": as_typed(s.score) for s in sides}
    initial["leavers"] = [p.player_id for s in sides for p in s.participants.all() if p.quit]
    if any(s.place is None for s in sides):
        return initial
    return initial | as_placed([(s.place or 0, s.score) for s in sides])


def as_typed(score: float | None) -> float | None:
    """Return a score as people type it: 1, not 1.0."""
    return int(score) if score is not None and score.is_integer() else score


def as_placed(placings: Sequence[tuple[int, float | None]]) -> dict[str, object]:
    """Return places and scores as initial values."""
    places = [place for place, _score in placings]
    return {
        **{f"place-{index}": place + 1 for index, place in enumerate(places)},
        **{f"score-{index}": as_typed(score) for index, (_place, score) in enumerate(placings)},
        "outcome": DRAW if places == [0, 0] else str(places.index(0)),
    }
