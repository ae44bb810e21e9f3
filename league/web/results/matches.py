"""Match pages: results, rating changes and answers to reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.clients import sent_from
from league.models import Agreement, Confirmation, Match, Objection, Offence, Status
from league.models.match_states import OPEN
from league.services.competitions import counting_live, fixture_words
from league.services.competitions.locking import PERMISSION
from league.services.competitions.pages import fixture_of_date
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Refused
from league.services.corrections import undoing
from league.services.dates import lists
from league.services.dishonor import abandons, discipline
from league.services.guesses.boxes import box_of
from league.services.queue import reasons
from league.services.rating import versions
from league.services.results.playing import events
from league.services.results.playing.figures import columns_of, figures_of, parts_to_enter
from league.services.results.records import profiles, timeline
from league.services.results.reports import answers, claims, live
from league.services.results.reports.progress import after_confirming, progress, state_of
from league.services.results.rules import own_matches
from league.services.results.staff import conduct, objections, reopening
from league.services.standings import division_news
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.fragments import asks_for_part
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number
from league.web.core.thread import DateMessageForm, thread_context
from league.web.results.answer_forms import DisputeForm, MessageForm, ObjectionForm
from league.web.results.during import during_context
from league.web.results.history import history_context
from league.web.results.live_scores import live_of
from league.web.results.scoresheets import (
    Sheet,
    SideSheet,
)
from league.web.results.sides import sides_context
from league.web.results.summary import what_happened
from league.web.results.weights import weight_context
from ratings.contests.first_side import counts_first_side

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Arrangement, Challenge, Correction, Player

DECIDABLE = {Status.LIVE, Status.REPORTED, Status.DISPUTED}


MOST_FIGURES = 200
"""The most players whose figures the page of a match shows. The API gives all."""


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match. htmx gets its state alone, if it has changed."""
    if not asks_for_part(request):
        return match_page(request, pk)
    if request.GET.get("seen") == state_of(pk):
        return HttpResponse(status=204)
    return match_page(request, pk, template="results/match.html#state")


def match_or_404(pk: int) -> Match:
    try:
        return timeline.whole_match(pk)
    except Match.DoesNotExist as error:
        raise Http404 from error


def rules_version(match: Match) -> int | None:
    """Return the version of the rules that a match was rated under, if its season has several."""
    if match.season.rules_version == 1 or match.status != Status.RATED:
        return None
    return versions.version_of(match.season, match.rated_order)


def match_page(
    request: HttpRequest,
    pk: int,
    *,
    refusal: Refused | None = None,
    dispute_form: DisputeForm | None = None,
    message_form: MessageForm | None = None,
    objection_form: ObjectionForm | None = None,
    talk_form: DateMessageForm | None = None,
    template: str = "results/match.html",
) -> HttpResponse:
    """Show a match, with an error message if an answer to it was refused."""
    match = match_or_404(pk)
    traces = timeline.traces_of(match)
    me = player_of(request)
    led = sides_led(match, me)
    system = match.season.system()
    now = database_now()
    sides = sides_context(match, me, whole_number(request.GET.get("page")))
    awaits_server = live.awaits_server(match, now)
    context: dict[str, Any] = {
        **sides,
        "match": match,
        "shows": match.season.shows_in(match.arena),
        "system": system,
        "progress": progress(match),
        "may_confirm": match.status == Status.REPORTED and may_confirm(match, led),
        "asks_whether_left": me is not None and claims.asking(me).filter(pk=match.pk).exists(),
        "may_object": match.status == Status.REPORTED and may_object(match, me, led),
        "awaits_server": awaits_server,
        "may_report": (
            match.status == Status.LIVE
            and bool(led)
            and not awaits_server
            and match.arena.result_settings().reporters == "captains"
        ),
        "leaving": cost_of_leaving(match, me, now),
        "may_report_conduct": (
            conduct.may_report(match, me) and match.arena.penalty_reasons.exists()
        ),
        "may_decide": (match.status in DECIDABLE and own_matches.may_decide(match, request.user)),
        "may_correct": may_correct(request, match),
        "undoable": undoable(request, match),
        "may_publish_erratum": (
            match.status == Status.RATED
            and match.season.archived_at is not None
            and own_matches.may_change_rated(match, request.user)
        ),
        "may_reopen": (
            match.status == Status.VOID
            and own_matches.may_decide(match, request.user)
            and reopening.void_of(match) is not None
        ),
        "happened": what_happened(sides["sheet"]),
        "played_by_me": any(side.is_mine for side in sides["sheet"].sides),
        "live": live_of(request, match, now) if match.status == Status.LIVE else None,
        "next_date": next_date(match, me, sides["sheet"]),
        **weight_context(match, sides["sheet"]),
        **figures_context(match, request),
        **during_context(match, me, sides["sheet"], now),
        "explained": bool(me and from_queue(sides["sheet"]) and reasons.is_known(match, me)),
        "tallies": events.rows_of(match) if system.rates_events else [],
        "rules_version": rules_version(match),
        "first_side": first_side(sides["sheet"]) if counts_first_side(system) else None,
        "moves": division_news.moves_in(match) if traces.has_division_changes else [],
        "superseded": profiles.superseded_events(match) if traces.has_superseded_events else [],
        **history_context(request, match, me, now),
        "refusal": refusal,
        "state": state_of(pk) if match.status in OPEN else "",
        "is_news": asks_for_part(request),
        "dispute_form": dispute_form or DisputeForm(),
        "message_form": message_form or MessageForm(everyone=match.status == Status.RATED),
        **objection_context(match, me, now),
        "objection_form": objection_form or ObjectionForm(),
        "now": now,
        **date_context(request, match, now),
    }
    if talk_form:
        context["date_message_form"] = talk_form
    context["is_form_shown_again"] = (
        (dispute_form and context["may_object"])
        or (message_form and context["may_write"])
        or (objection_form and context["may_object_to_result"])
        or (talk_form and context.get("reads_messages"))
    )
    refused_form = dispute_form or message_form or objection_form or talk_form
    status = status_of(refusal) if refusal else 400 if refused_form else 200
    return render(request, template, context, status=status)


def first_side(sheet: Sheet) -> SideSheet | None:
    """Return the first side of a match, ``None`` on neutral ground."""
    first = sheet.match.first_side
    return next((side for side in sheet.sides if side.side.index == first), None)


def next_date(match: Match, me: Player | None, sheet: Sheet) -> Arrangement | None:
    """Return the next date of a player whose match is over, to go on from its page."""
    if me is None or match.status == Status.LIVE or not any(one.is_mine for one in sheet.sides):
        return None
    return lists.to_play(me).in_lines().first()


def from_queue(sheet: Sheet) -> bool:
    """Return whether a match came out of a queue."""
    return any(side.side.agreed_by == Agreement.READY_CHECK for side in sheet.sides)


def figures_context(match: Match, request: HttpRequest) -> dict[str, Any]:
    """Return the figures of a match, as a row of values for each player."""
    rows = figures_of(match, MOST_FIGURES)
    columns = columns_of(match, rows)
    user = request.user
    return {
        "figure_columns": columns,
        "figures": [(row.player, [row.values.get(name) for name in columns]) for row in rows],
        "may_enter_figures": bool(
            match.arena.figures and user.is_authenticated and parts_to_enter(match, user).exists()
        ),
    }


def objection_context(match: Match, me: Player | None, now: datetime) -> dict[str, object]:
    """Return until when the players can object to a result, and whether I can."""
    earlier = timeline.objections_of(match)
    if timeline.open_objection(match) or not objections.is_open(match, now):
        return {"objections_until": None, "may_object_to_result": False}
    mine = objections.side_of(match, me)
    objected = {one.side for one in earlier if one.state != Objection.State.WITHDRAWN}
    return {
        "objections_until": objections.closes_at(match),
        "may_object_to_result": mine is not None and mine not in objected,
    }


def date_context(request: HttpRequest, match: Match, now: datetime) -> dict[str, Any]:
    """Return the date on which a match was played, if there is one, and the messages about both.

    A match of a queue and one of a challenge have messages, too.
    """
    one: Arrangement | None = getattr(match, "arrangement", None)
    challenge = accepted_challenge(match)
    if one is None:
        passed_over = counting_live.date_passed_over(match, now)
        about = challenge or (match if match.began_live else None)
        return {
            "uncounted": passed_over and fixture_words.describe_arrangement(passed_over),
            **(thread_context(request, about, now) if about else {}),
        }
    one.arena, me = match.arena, player_of(request)
    fixture = fixture_of_date(one.pk) if one.play_until else None
    return {
        "one": one,
        "arena": one.arena,
        "fixture": fixture,
        "fixture_words": fixture_words.round_in_words(fixture) if fixture else "",
        "steps": list(one.steps.select_related("by")),
        "box": box_of(one, me, now, None),
        "may_run": fixture is not None and request.user.has_perm(PERMISSION, fixture.competition),
        **thread_context(request, one, now, *([challenge] if challenge else [])),
    }


def accepted_challenge(match: Match) -> Challenge | None:
    """Return the challenge that a match was played for."""
    challenge: Challenge | None = getattr(match, "challenge", None)
    if challenge is None or challenge.accepted_at is None:
        return None
    challenge.match, challenge.season = match, match.season
    return challenge


def may_correct(request: HttpRequest, match: Match) -> bool:
    """Return whether the account may void or correct this rated result."""
    open_to_change = match.status == Status.RATED and match.season.archived_at is None
    return open_to_change and own_matches.may_change_rated(match, request.user)


def undoable(request: HttpRequest, match: Match) -> list[Correction]:
    """Return the corrections of a match that the account may undo."""
    if not timeline.traces_of(match).has_superseded_events:
        return []
    return undoing.undoable_by(match, request.user)


def sides_led(match: Match, player: Player | None) -> set[int]:
    """Return the sides of an open match that a player leads."""
    if player is None or match.status not in {Status.LIVE, Status.REPORTED}:
        return set()
    return set(match.sides.filter(captain=player).values_list("index", flat=True))


def may_answer(match: Match, led: set[int]) -> bool:
    """Return whether the captain of these sides can answer a report, as ``counter`` checks."""
    return bool(led) and match.reported_by_side not in led


def may_confirm(match: Match, led: set[int]) -> bool:
    """Return whether the captain of these sides can confirm a report, as ``confirm`` checks."""
    if not may_answer(match, led):
        return False
    answers = Confirmation.objects.filter(match=match, side__index__in=led)
    return not answers.exists()


def may_object(match: Match, me: Player | None, led: set[int]) -> bool:
    """Return whether I can dispute a report, as ``dispute`` checks."""
    if me is None or match.reported_by_side in led:
        return False
    return bool(led) or match.participants.filter(player=me).exists()


def cost_of_leaving(match: Match, me: Player | None, now: datetime) -> discipline.Cost | None:
    """Return what leaving a live match would cost me, if I am in it."""
    if me is None or match.status != Status.LIVE:
        return None
    if not match.participants.filter(player=me, live=True).exists():
        return None
    (cost,) = discipline.costs_of(me, now, [Offence.ABANDON])
    return cost


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a live match for good. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    try:
        abandons.leave(pk, by=acting_player(request), now=database_now())
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.warning(request, _("You have left the match. This gives you dishonor."))
    return redirect("dishonor")


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def confirm(request: HttpRequest, pk: int) -> HttpResponse:
    """Confirm a report. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    revision = whole_number(request.POST.get("revision"))
    try:
        match = answers.confirm(
            pk,
            by=acting_player(request),
            now=database_now(),
            revision=revision,
            sent_from=sent_from(request),
        )
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.success(request, after_confirming(match))
    return redirect(match)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def dispute(request: HttpRequest, pk: int) -> HttpResponse:
    """Dispute a report. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    form = DisputeForm(request.POST)
    if not form.is_valid():
        return match_page(request, pk, dispute_form=form)
    try:
        match = answers.dispute(
            pk,
            by=acting_player(request),
            reason=form.cleaned_data["reason"],
            now=database_now(),
            revision=whole_number(request.POST.get("revision")),
        )
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal, dispute_form=form)
    messages.success(request, _("Disputed. Staff will decide and give their reason here."))
    return redirect(match)
