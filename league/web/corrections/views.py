"""Pages on which staff correct rated results or reject objections to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league import tasks
from league.models import CorrectionRequest, Match, StaffAction, Status
from league.services import corrections
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results import objections, own_matches, profiles, timeline
from league.web.core.fragments import asks_for_part
from league.web.core.outages import long_work
from league.web.corrections.forms import CorrectionForm, RejectionForm
from league.web.people.acting import account_of, player_of
from league.web.results import lineups
from league.web.results.decisions import as_reported
from league.web.results.history import history_context
from league.web.results.matches import match_page
from league.web.results.scoresheets import sheet

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.services.corrections import Preview

State = CorrectionRequest.State


def check_staff(request: HttpRequest) -> None:
    if not request.user.has_perm("league.decide_match"):
        raise Forbidden("not_staff", _("Only staff can correct a rated result."))


@long_work
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form, preview the correction or request it."""
    check_staff(request)
    match = loaded(pk)
    if request.method != "POST" and match.status != Status.RATED:
        return redirect(match)
    own_matches.check(match, account_of(request))
    form = correction_form(match, request.POST or None)
    preview: Preview | None = None
    if request.method == "POST" and form.is_valid():
        try:
            if "apply" in request.POST:
                return request_correction(request, match, form)
            preview = corrections.preview(
                match,
                by=account_of(request),
                placings=form.placings(),
                mode=form.chosen_mode,
            )
        except Conflict as refusal:
            return match_page(request, pk, refusal=refusal)
        except Refused as refusal:
            form.refuse(refusal)
    status = 400 if form.is_bound and not preview else 200
    return correction_page(request, match, form, preview=preview, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def reject(request: HttpRequest, pk: int) -> HttpResponse:
    """Reject the objection to a result, which stays as it is. GET requests return to the form."""
    check_staff(request)
    match = loaded(pk)
    if request.method != "POST":
        return redirect("match_correct", pk)
    rejection = RejectionForm(request.POST)
    if not rejection.is_valid():
        form = correction_form(match, None)
        return correction_page(request, match, form, rejection=rejection, status=400)
    reason = rejection.cleaned_data["reason"]
    try:
        objections.reject(pk, by=account_of(request), reason=reason, now=database_now())
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.success(request, _("Rejected. Both sides can read your reason."))
    return redirect(match)


def loaded(pk: int) -> Match:
    """Return the match with all that its page and history show."""
    people = ("reported_by", "disputed_by", "confirmed_by")
    matches = profiles.with_sides(Match.objects.select_related(*people))
    return get_object_or_404(timeline.with_traces(matches), pk=pk)


def correction_form(match: Match, data: QueryDict | None) -> CorrectionForm:
    verdict = StaffAction.Kind.VOIDED
    initial = {**as_reported(match), "mode": match.mode, "verdict": verdict}
    return CorrectionForm(lineups.of_match(match), data, initial=initial)


def correction_page(
    request: HttpRequest,
    match: Match,
    form: CorrectionForm,
    *,
    status: int,
    preview: Preview | None = None,
    rejection: RejectionForm | None = None,
) -> HttpResponse:
    """Show both decisions about a result: a correction, or the rejection of an objection."""
    context: dict[str, Any] = {
        "match": match,
        "sheet": sheet(profiles.in_lines(Match.objects.filter(pk=match.pk)).get()),
        "form": form,
        "rejection": rejection or RejectionForm(),
        "preview": preview,
        "shows": match.season.shows_in(match.arena),
        **history_context(request, match, player_of(request), database_now()),
        "may_write": False,  # the match page has the form
    }
    return render(request, "corrections/correct.html", context, status=status)


def request_correction(request: HttpRequest, match: Match, form: CorrectionForm) -> HttpResponse:
    """Request the previewed correction and redirect to its progress or the match."""
    requested = corrections.ask(
        match,
        by=account_of(request),
        reason=form.cleaned_data["reason"],
        digest=form.cleaned_data["digest"],
        horizon=form.cleaned_data["horizon"] or 0,
        now=database_now(),
        placings=form.placings(),
        mode=form.chosen_mode,
    )
    begun = tasks.begin_correction(requested)
    if begun.state == State.DONE:
        messages.success(request, _("Corrected. Everyone can read your reason."))
        return redirect(match)
    return redirect("match_correction", match.pk, begun.pk)


@require_safe
@login_required
def correction(request: HttpRequest, pk: int, request_id: int) -> HttpResponse:
    """Show the progress of a correction. The page polls until it is done."""
    check_staff(request)
    requested = get_object_or_404(
        CorrectionRequest.objects.select_related("match__arena", "correction"),
        pk=request_id,
        match=pk,
    )
    context = {
        "requested": requested,
        "match": requested.match,
        "is_waiting": requested.state == State.WAITING,
    }
    template = (
        "corrections/_correction.html" if asks_for_part(request) else "corrections/correction.html"
    )
    return render(request, template, context)
