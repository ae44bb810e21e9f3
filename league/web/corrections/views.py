"""Pages on which staff correct rated results or reject objections to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league import waking
from league.models import CorrectedMatch, CorrectionRequest, Match, StaffAction, Status
from league.services import corrections
from league.services.competitions import fixture_words
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.corrections import undoing
from league.services.results.records import profiles, timeline
from league.services.results.records.lines import in_lines
from league.services.results.rules import own_matches
from league.services.results.staff import objections
from league.services.seasons import errata
from league.web.core.acting import account_of, player_of
from league.web.core.fragments import asks_for_part
from league.web.corrections.forms import CorrectionForm, ErratumForm, RejectionForm, UndoForm
from league.web.results import lineups
from league.web.results.decisions import as_reported
from league.web.results.history import history_context
from league.web.results.matches import match_page
from league.web.results.scoresheets import sheet

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import Correction, User
    from league.services.corrections import Preview

State = CorrectionRequest.State
CORRECTED = StaffAction.Kind.CORRECTED


def check_staff(request: HttpRequest, match: Match) -> None:
    """Raise ``Forbidden`` unless the account may do something about a rated result."""
    for permission in (own_matches.CORRECT, own_matches.VOID, own_matches.DECIDE):
        if request.user.has_perm(permission, match):
            return
    raise Forbidden("not_staff", _("Only staff can correct a rated result."))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form, preview the correction or request it."""
    match = load_match(pk)
    check_staff(request, match)
    if request.method != "POST" and match.status != Status.RATED:
        return redirect(match)
    own_matches.check_own_match(match, account_of(request))
    form = correction_form(match, request.POST or None)
    form.leave_only(verdicts_of(account_of(request), match))
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
def undo(request: HttpRequest, pk: int, correction_id: int) -> HttpResponse:
    """Show what undoing a correction would change, and request it."""
    check_staff(request, get_object_or_404(Match, pk=pk))
    corrected = CorrectedMatch.objects.filter(match=pk, correction=correction_id)
    row = get_object_or_404(
        corrected.select_related("correction__season", "correction__by__player"), match=pk
    )
    match, correction = load_match(pk), row.correction
    if "player" in correction.details:
        return redirect(undoing_page(correction))
    form = UndoForm(request.POST or None)
    by = account_of(request)
    try:
        if request.method == "POST" and form.is_valid() and form.cleaned_data["digest"]:
            requested = corrections.ask_undo(
                correction,
                by=by,
                reason=form.cleaned_data["reason"],
                digest=form.cleaned_data["digest"],
                horizon=form.cleaned_data["horizon"] or 0,
                now=database_now(),
            )
            return begin(request, match, requested, _("Undone. Everyone can read your reason."))
        preview = undoing.preview(correction, by=by)
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    context = {
        "match": match,
        "sheet": sheet(in_lines(Match.objects.filter(pk=match.pk)).get()),
        "correction": correction,
        "who": getattr(correction.by, "player", None) or correction.by,
        "form": form,
        "preview": preview,
        "counts_for": fixture_words.words_of([match.pk]).get(match.pk, ""),
        "shows": match.season.shows_in(match.arena),
    }
    status = 400 if form.is_bound else 200
    return render(request, "corrections/undo.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def erratum(request: HttpRequest, pk: int) -> HttpResponse:
    """Publish what is wrong with a result of an archived season."""
    match, by = load_match(pk), account_of(request)
    check_staff(request, match)
    if request.method != "POST" and match.season.archived_at is None:
        return redirect(match)
    own_matches.check_own_match(match, by)
    form = ErratumForm(request.POST or None)
    if form.is_valid():
        try:
            errata.publish(match, by=by, reason=form.cleaned_data["reason"], now=database_now())
        except Conflict as refusal:
            return match_page(request, pk, refusal=refusal)
        messages.success(request, _("Published. Everyone can read it."))
        return redirect(match.season)
    context = {
        "match": match,
        "sheet": sheet(in_lines(Match.objects.filter(pk=match.pk)).get()),
        "form": form,
        "shows": match.season.shows_in(match.arena),
    }
    status = 400 if form.is_bound else 200
    return render(request, "corrections/erratum.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def reject(request: HttpRequest, pk: int) -> HttpResponse:
    """Reject the objection to a result, which stays as it is. GET requests return to the form."""
    match = load_match(pk)
    check_staff(request, match)
    if request.method != "POST":
        return redirect("match_correct", pk)
    rejection = RejectionForm(request.POST)
    if not rejection.is_valid():
        form = correction_form(match, None)
        form.leave_only(verdicts_of(account_of(request), match))
        return correction_page(request, match, form, rejection=rejection, status=400)
    reason = rejection.cleaned_data["reason"]
    try:
        objections.reject(pk, by=account_of(request), reason=reason, now=database_now())
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.success(request, _("Rejected. Both sides can read your reason."))
    return redirect(match)


def load_match(pk: int) -> Match:
    """Return the match with all that its page and history show."""
    people = ("reported_by", "disputed_by", "confirmed_by")
    matches = profiles.with_sides(Match.objects.select_related(*people))
    return get_object_or_404(timeline.with_traces(matches), pk=pk)


def correction_form(match: Match, data: QueryDict | None) -> CorrectionForm:
    initial = {**as_reported(match), "mode": match.mode}
    if match.is_game:
        initial["verdict"] = StaffAction.Kind.CORRECTED  # harmless until it names another result
    return CorrectionForm(lineups.of_match(match), data, initial=initial)


def verdicts_of(account: User, match: Match) -> list[StaffAction.Kind]:
    """Return what an account may do to a rated result."""
    kinds = {own_matches.VOID: StaffAction.Kind.VOIDED, own_matches.CORRECT: CORRECTED}
    return [kind for permission, kind in kinds.items() if account.has_perm(permission, match)]


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
        "sheet": sheet(in_lines(Match.objects.filter(pk=match.pk)).get()),
        "form": form,
        "rejection": rejection or RejectionForm(),
        "preview": preview,
        "counts_for": fixture_words.words_of([match.pk]).get(match.pk, "") if preview else "",
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
    return begin(request, match, requested, _("Corrected. Everyone can read your reason."))


def begin(
    request: HttpRequest, match: Match, requested: CorrectionRequest, done: str
) -> HttpResponse:
    """Begin a requested correction and redirect to its progress, or to the match if it is done."""
    current = waking.begin_correction(requested)
    if current.state == State.DONE:
        messages.success(request, done)
        return redirect(match)
    return redirect("match_correction", match.pk, current.pk)


def undoing_page(correction: Correction) -> str:
    """Return the address at which a correction of several matches is undone."""
    return reverse("admin:league_player_undo_all", args=[correction.pk])


@require_safe
@login_required
def correction(request: HttpRequest, pk: int, request_id: int) -> HttpResponse:
    """Show the progress of a correction. The page polls until it is done."""
    requested = get_object_or_404(
        CorrectionRequest.objects.select_related("match__arena", "correction"),
        pk=request_id,
        match=pk,
    )
    check_staff(request, requested.match)
    context = {
        "requested": requested,
        "match": requested.match,
        "is_waiting": requested.state == State.WAITING,
    }
    template = (
        "corrections/_correction.html" if asks_for_part(request) else "corrections/correction.html"
    )
    return render(request, template, context)
