"""Pages for arranging matches: the list of dates, proposing one, and each date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arena, Arrangement
from league.models.moments import describe_moment
from league.rates import limit_gets
from league.services.competitions.pages import fixture_of_date
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.pages import Page
from league.services.dates import answers, calendars, limits, lists, proposals
from league.services.dates.people import seen_as_staff
from league.services.dates.previews import preview
from league.services.guesses.boxes import box_of
from league.services.results.forecasts.suggestions import is_suggested_in, kept_suggestions
from league.services.results.reports.suggestions import recent_opponents
from league.services.standings.leaderboards import player_row
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.context import counts_on
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.core.middleware import status_of, zone_named
from league.web.core.parameters import whole_number
from league.web.core.thread import thread_context
from league.web.dates.forms import (
    CallOffForm,
    ClaimForm,
    DenialForm,
    MoveForm,
    ProposalForm,
    TimeForm,
)
from league.web.dates.lineups import lineup_of
from league.web.results import live_scores
from league.web.results.stakes import stakes_against

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.forms import Form
    from django.http import HttpRequest

    from league.models import Player
    from league.models.arrangement import ArrangementQuerySet
    from league.services.results.forecasts.candidates import Suggestion
    from league.services.results.forecasts.stakes import OwnStakes

MOST_UPCOMING, PAST_A_PAGE = 100, 20


@require_safe
def dates(request: HttpRequest, slug: str) -> HttpResponse:
    """List an arena's dates: those that wait for an answer, the upcoming and the past ones."""
    arena_page = arena_page_or_404(slug)
    arena, now, me = arena_page.arena, arena_page.now, player_of(request)
    is_asked = me is not None and counts_on(request, me)["dated"] > 0
    over = lists.past(arena, me)
    context = {
        "arena": arena,
        "season": season_of(request, arena_page),
        "takes_dates": limits.takes_dates(arena),
        "waiting_for_me": list(lists.waiting_for(me, now).filter(arena=arena).in_lines())
        if me and is_asked
        else [],
        "waiting_for_others": (
            list(lists.waiting_for_others(me, now).filter(arena=arena)) if me else []
        ),
        "upcoming": list(lists.upcoming(arena)[:MOST_UPCOMING]),
        "past": Page.cut(
            whole_number(request.GET.get("page")),
            over.count(),
            PAST_A_PAGE,
            lambda part: list(over[part]),
        ),
        "now": now,
    }
    return render(request, "dates/dates.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose a match."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    me, now = acting_player(request), database_now()
    proposals.check_arena(arena)
    if request.method != "POST":
        initial = TimeForm.fresh_values() | {"opponent": request.GET.get("opponent", "")}
        found = stakes_against(arena, me, request.GET, now)
        return new_page(request, ProposalForm(arena, me, initial=initial), stakes=found)
    form = ProposalForm(arena, me, request.POST)
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if form.is_valid():
            try:
                opponent, mine, theirs = form.sides()
                made = proposals.propose(
                    arena,
                    opponent,
                    form.cleaned_data["play_at"],
                    by=me,
                    now=now,
                    roster=mine,
                    opponent_roster=theirs,
                )
            except Forbidden:
                raise
            except Refused as refusal:
                form.refuse(refusal)
                return new_page(request, form, status_of(refusal))
            messages.success(request, _("Proposed. The other side can now answer."))
            return redirect(made)
        return new_page(request, form, 400)


def suggestions_in(arena: Arena, me: Player, now: datetime) -> list[Suggestion]:
    """Return the opponents whom a player should play in the running season of an arena."""
    season = arena.current_season(now) if is_suggested_in(arena) else None
    return kept_suggestions(season, me, player_row(season, me, now=now), now=now) if season else []


def new_page(
    request: HttpRequest, form: ProposalForm, status: int = 200, stakes: OwnStakes | None = None
) -> HttpResponse:
    """Show the form, until an opponent is named with the last ones and those to play next."""
    named = form.is_bound or form.initial.get("opponent")
    me, arena = acting_player(request), form.arena
    recent = [] if named else recent_opponents(arena, me)
    known = {one.name for one in recent}
    suggested = [] if named else suggestions_in(arena, me, database_now())
    context = {
        "arena": arena,
        "form": form,
        "stakes": stakes,
        "recent": recent,
        "suggested": [one for one in suggested if one.name not in known],
    }
    return render(request, "dates/new.html", context, status=status)


@limit_gets("costly")
@require_safe
def date(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show a date until its match is reported. After that, its address leads to the match."""
    return date_page(request, slug, pk)


def visible(request: HttpRequest, slug: str, pk: int) -> Arrangement:
    return get_object_or_404(visible_to(request).with_people(), pk=pk, arena__slug=slug)


def visible_to(request: HttpRequest) -> ArrangementQuerySet:
    """Return the dates that the reader may see: proposals are for both sides and staff."""
    arenas = seen_as_staff(request.user)
    return Arrangement.objects.visible_to(player_of(request), in_arenas=arenas)


def date_page(
    request: HttpRequest, slug: str, pk: int, refusal: Refused | None = None, **bound: Form
) -> HttpResponse:
    """Show a date from its proposal to its report, with an error after a refusal.

    ``bound`` are forms with errors, by their name on the page.
    """
    arena_page = arena_page_or_404(slug)
    shown = visible_to(request).with_sides().select_related("game")
    one = get_object_or_404(shown, pk=pk, arena=arena_page.arena)
    if one.match_id is not None and refusal is None and not bound:
        return redirect("match", one.match_id)
    one.arena, now, me = arena_page.arena, arena_page.now, player_of(request)
    open_ = one.state == Arrangement.State.PROPOSED and one.play_at > now
    coming = open_ or one.state == Arrangement.State.ACCEPTED
    outlook = preview(one, arena_page.running_season(), now) if coming else None
    context: dict[str, Any] = {
        "one": one,
        "arena": one.arena,
        "open": open_,
        "my_turn": open_ and me == one.asked,
        "may_withdraw": open_ and one.has(me) and me != one.asked,
        "may_report": one.has(me) and limits.takes_report(one, now),
        "may_claim": one.has(me) and limits.takes_claim(one, now),
        "accused": is_accused(one, me, now),
        "denial_form": DenialForm(),
        "reports_from": limits.reports_from(one),
        "reports_until": limits.reports_until(one),
        "in_arena_zone": in_arena_zone(one),
        "preview": outlook,
        "box": box_of(one, me, now, outlook.expected if outlook else None),
        "steps": list(one.steps.select_related("by")),
        "move_form": MoveForm.for_proposal(one),
        "fixture": fixture_of_date(one.pk) if one.play_until else None,
        "refusal": refusal,
        "now": now,
        "live": live_scores.live_of(request, one, now),
        **changes_context(one, me, now),
    }
    challenge = context["challenge"]
    context |= thread_context(request, one, now, *([challenge] if challenge else [])) | bound
    if context["may_claim"]:
        context.setdefault("claim_form", ClaimForm(lineup_of(one, acting_player(request))))
    status = status_of(refusal) if refusal else 400 if bound else 200
    return render(request, "dates/date.html", context, status=status)


def changes_context(one: Arrangement, me: Player | None, now: datetime) -> dict[str, Any]:
    """Return what a reader can do about moving an agreed date or calling it off."""
    open_ = limits.has_request(one, now)
    return {
        "request_step": one.request if open_ else None,
        "may_answer_request": open_ and one.has(me) and me == one.asked,
        "may_drop_request": open_ and one.has(me) and me != one.asked,
        "may_change": one.has(me) and limits.takes_request(one, now) and not open_,
        "calls_off_alone": limits.calls_off_alone(one, now),
        "calls_off_until": limits.calls_off_until(one),
        "reschedule_form": MoveForm.for_proposal(one),
        "call_off_form": CallOffForm.for_date(one),
        "challenge": lists.challenge_of(one) if one.state == Arrangement.State.ACCEPTED else None,
        "claimed_players": list(one.no_show_players.select_related("player"))
        if one.claimed_by_id
        else [],
    }


def is_accused(one: Arrangement, me: Player | None, now: datetime) -> bool:
    """Return whether I have to answer a claim that I did not come."""
    claimed = one.claimed_by_id is not None and limits.takes_report(one, now)
    return claimed and one.has(me) and me != one.claimed_by


def in_arena_zone(one: Arrangement) -> datetime | None:
    """Return the time on the clocks of the arena's zone, ``None`` if the reader's are the same."""
    theirs = timezone.localtime(one.play_at, one.arena.zone)
    if theirs.utcoffset() == timezone.localtime(one.play_at).utcoffset():
        return None
    return theirs.replace(tzinfo=None)


@require_http_methods(["GET", "HEAD", "POST"])
def score(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show or enter the live score of a date."""
    return live_scores.score_page(request, visible(request, slug, pk))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Accept, decline or withdraw a proposed time. GET requests return to its page."""
    return answer_page(request, slug, pk, give_answer)


def answer_page(
    request: HttpRequest, slug: str, pk: int, answered: Callable[[HttpRequest, int], str]
) -> HttpResponse:
    """Give the answer in a form and return to the date, with a message or why it was refused.

    ``answered`` gives the answer about the date with this id and returns the message.
    """
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    try:
        message = answered(request, pk)
    except Forbidden:
        raise
    except Refused as refusal:
        return date_page(request, slug, pk, refusal)
    messages.success(request, message)
    return redirect(one)


def give_answer(request: HttpRequest, pk: int) -> str:
    """Give the answer in the form and return a message about it."""
    me, now = acting_player(request), database_now()
    seen = whole_number(request.POST.get("revision"), default=0)
    match request.POST.get("answer"):
        case "accept":
            one = answers.accept(pk, by=me, seen=seen, now=now)
            return _("Agreed. You play on %(time)s.") % {"time": describe_moment(one.play_at)}
        case "decline":
            answers.decline(pk, by=me, seen=seen, now=now)
            return _("Declined.")
        case "withdraw":
            answers.withdraw(pk, by=me, now=now)
            return _("Withdrawn.")
    raise Refused("answer", _("Choose to accept, decline or withdraw."))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def move(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Propose another time. GET requests return to the page of the date."""
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    me, now = acting_player(request), database_now()

    def propose_another(given: dict[str, Any]) -> str:
        proposals.move(pk, given["play_at"], by=me, seen=given["revision"], now=now)
        return _("You proposed another time. The other side can now answer.")

    with timezone.override(zone_named(request.POST.get("zone", ""))):
        return carry_out(request, one, propose_another, move_form=MoveForm(request.POST))


def carry_out(
    request: HttpRequest,
    one: Arrangement,
    act: Callable[[dict[str, Any]], str],
    **bound: MoveForm | CallOffForm,
) -> HttpResponse:
    """Do what a form on the page of a date asks for, and return to the page or say what is wrong.

    ``bound`` is the form, by its name on the page. ``act`` gets its values and returns a message.
    Refused values show their error in the form. If the date has changed meanwhile, the page shows
    it as it is now.
    """
    [form] = bound.values()
    if not form.is_valid():
        return date_page(request, one.arena.slug, one.pk, None, **bound)
    try:
        message = act(form.cleaned_data)
    except Forbidden:
        raise
    except Conflict as refusal:
        return date_page(request, one.arena.slug, one.pk, refusal)
    except Refused as refusal:
        form.refuse(refusal)
        return date_page(request, one.arena.slug, one.pk, None, **bound)
    messages.success(request, message)
    return redirect(one)


@require_safe
def calendar(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Download an agreed date for a calendar."""
    one = visible(request, slug, pk)
    file = calendars.calendar(one, request.build_absolute_uri(one.get_absolute_url()))
    return HttpResponse(
        file,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{one.arena.slug}-{one.pk}.ics"'},
    )
