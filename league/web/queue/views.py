"""An arena's queue: join it, wait, and answer the ready check."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect, reswap, retarget

from league.models import Arena, ArenaQueue, Proposal, Ticket
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dishonor import discipline
from league.services.points import grace
from league.services.queue import rank_filters, ranks, ready_checks, regions, statistics
from league.services.queue.presence import match_of
from league.services.queue.queueing import (
    MOST_ARENAS,
    arenas_besides,
    arenas_of,
    join,
    last_professions,
    leave,
    mark_seen,
)
from league.services.results.rules.formats import plays_in_rosters
from league.services.standings.outlook import placement
from league.services.standings.player_standings import player_standings
from league.web.core import polling
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.context import counts_on
from league.web.core.fragments import asks_for_part
from league.web.core.middleware import status_of
from league.web.queue import waiting_table
from league.web.queue.refusals import shown_on
from league.web.queue.several import modes_here, named_arenas, takes_lone_players
from league.web.results.lineups import my_roster

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Player, Season
    from matchmaking.rank_filter import RankFilter

LATELY = timedelta(seconds=20)
"""The time for which players back in the queue read that their match was called off."""

POLLED = {"check": 2, "waiting": 2, "idle": 5, "elsewhere": 5, "timeout": 15}
"""Seconds between polls of my state, for the states that can change on their own."""

FIGURES = {"check", "waiting"}
"""States in which a poll replaces only the figures. Buttons stay in place under a finger, forms
keep what was typed, and the keyboard focus stays where it is."""


@require_safe
def queue(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the queue to its reader. htmx asks for a part, and names the state it shows."""
    part = asks_for_part(request)
    if part and request.GET.get("part") == "who":
        return HttpResponse(waiting_table.who_waits(slug))
    if part and not polling.has_news(request, POLLED["waiting"]):
        return HttpResponse(status=204)
    return queue_page(request, slug, part=part)


def queue_page(
    request: HttpRequest, slug: str, refusal: Refused | None = None, *, part: bool = False
) -> HttpResponse:
    """Show the queue to its reader, or a part of it, or a refusal of one of its forms."""
    arena = get_object_or_404(Arena.objects.published().select_related("queue"), slug=slug)
    its_queue = getattr(arena, "queue", None)
    if its_queue is None:
        if refusal:
            raise refusal
        raise Http404
    now = database_now()
    season = arena.current_season(now)
    context: dict[str, Any] = {"arena": arena, "queue": its_queue, "season": season, "now": now}
    me = player_of(request)
    context["estimate"] = statistics.estimated_wait(arena, now)
    context |= state_context(request, its_queue, now)
    context["grace"] = grace.no_start_until(season, now) if season else None
    context["every"] = POLLED.get(context["kind"])
    if season and context["kind"] == "waiting":
        ticket, members = context["ticket"], len(context["party"])
        context["search"] = statistics.search(its_queue, season, ticket, members, now)
    if part:
        return render_part(request, context)
    context["bands"] = statistics.bands(season) if season else []
    if me:
        context["mine"] = rank_filters.filters_of(arena, [me.pk]).get(me.pk)
        context |= percentile_context(me, season)
    if refusal is None:
        return render(request, "queue/queue.html", context)
    context |= {"refusal": refusal, "typed": request.POST}
    return render(request, "queue/queue.html", context, status=status_of(refusal))


def render_part(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Answer a poll with what changed since the state it names: all, the figures or nothing."""
    previous, kind = request.GET.get("seen", ""), context["kind"]
    if kind == "live" and previous.split("-")[0] in FIGURES:
        return HttpResponseClientRedirect(context["live"].get_absolute_url())
    if previous != context.get("state", kind):
        return render(request, "queue/queue.html#state", context)
    if kind not in FIGURES:
        return HttpResponse(status=204)
    response = render(request, "queue/_queue_state.html#figures", context)
    return reswap(retarget(response, "#figures"), "innerHTML")


def state_context(request: HttpRequest, its_queue: ArenaQueue, now: datetime) -> dict[str, Any]:
    """Return my state in this queue and its template context."""
    me, arena = player_of(request), its_queue.arena
    if me is None:
        return {"kind": "visitor" if its_queue.is_open and arena.is_open else "closed"}
    found = Ticket.objects.of(me).select_related("proposal__arena", "arena", "roster")
    ticket = found.first() if counts_on(request, me)["queued"] else None
    if ticket is None:
        return outside_context(me, its_queue, ticket, now)
    arenas = arenas_of(ticket)
    if arena not in arenas:
        return outside_context(me, its_queue, ticket, now)
    mark_seen(ticket, me, now)
    if ticket.proposal:
        return check_context(ticket, ticket.proposal, me, now)
    also = [one for one in arenas if one != arena]
    return {**waiting_context(its_queue, ticket, me, now), "also": also}


def outside_context(
    me: Player, its_queue: ArenaQueue, elsewhere: Ticket | None, now: datetime
) -> dict[str, Any]:
    """Return what keeps me from joining, or what I can join with."""
    arena = its_queue.arena
    live = match_of(me)
    if live:
        return {"kind": "live", "live": live}
    if elsewhere:
        return {"kind": "elsewhere", "elsewhere": elsewhere}
    if not its_queue.is_open or not arena.is_open:
        return {"kind": "closed"}
    status, ban = discipline.status_and_ban_of(me, now)
    if ban or (its_queue.bars_timeouts and status.in_timeout):
        return {"kind": "timeout", "status": status, "ban": ban}
    return {
        "kind": "idle",
        "rank": ranks.rank_for(its_queue, me),
        "rank_explained": ranks.explain_source(its_queue),
        "rosters": arena.rosters.led_by(me) if plays_in_rosters(arena) else [],
        "professions_count": uses_professions(its_queue),
        "needs_equal_modes": needs_equal_modes(its_queue),
        **regions_context(its_queue, me, [me.pk], None, now),
        "besides": arenas_besides(its_queue, now) if takes_lone_players(its_queue) else [],
        "most_besides": MOST_ARENAS - 1,
        "profession": last_professions(arena, [me]).get(me.pk, ""),
    }


def waiting_context(
    its_queue: ArenaQueue, ticket: Ticket, me: Player, now: datetime
) -> dict[str, Any]:
    members = list(ticket.members.select_related("player"))
    chosen = rank_filters.filters_of(its_queue.arena, [me.pk]).get(me.pk)
    return {
        "kind": "waiting",
        "ticket": ticket,
        "modes": modes_here(its_queue, ticket),
        "pass": polling.pass_of(ticket),
        "waited": round(ticket.waiting_time(now)),
        "party": [member.player for member in members],
        "least_party": len(members) - its_queue.matching().matcher.roster_size_max_diff,
        "absent": [member.player for member in members if member.seen_at is None],
        "filter": visible_filter(chosen, ticket.waiting_time(now), its_queue) if chosen else None,
        **regions_context(its_queue, me, [member.player_id for member in members], ticket, now),
        "called_off": was_called_off(ticket, now),
    }


def regions_context(
    its_queue: ArenaQueue, me: Player, party: list[int], ticket: Ticket | None, now: datetime
) -> dict[str, Any]:
    """Return my choice of regions, and where my party can be matched in words."""
    arena = its_queue.arena
    if not arena.regions:
        return {}
    wishes, rules = regions.wishes_of(arena, party), its_queue.matching().region
    mine = wishes.get(me.pk, regions.Wishes())
    waited = ticket.waiting_time(now) if ticket else 0.0
    choice = regions.choice_of(arena, rules, party, wishes)
    return {
        "region_search": regions.search_in_words(arena, rules, choice, waited),
        "region_rules": rules,
        "regions_strict": mine.strict,
        "regions_measured": mine.measured_at,
        "region_choices": [
            {
                "name": region,
                "chosen": not mine.regions or region in mine.regions,
                "latency": mine.latencies.get(region),
            }
            for region in arena.regions
        ],
    }


def needs_equal_modes(its_queue: ArenaQueue) -> bool:
    """Return whether only players who chose exactly the same game modes can meet."""
    published = its_queue.matcher != ArenaQueue.Matcher.LAUREL
    return published and its_queue.matching().choices.modes == "equal"


def uses_professions(its_queue: ArenaQueue) -> bool:
    """Return whether professions affect the queue's matches."""
    weights = its_queue.matching().matcher
    return any([weights.profession_common, weights.profession_unique, weights.profession_matching])


@dataclass(frozen=True)
class VisibleFilter:
    """A rank filter as the page shows it: its span in percentiles, ``None`` for everyone."""

    reach: float | None
    strict: bool


def visible_filter(chosen: RankFilter, waited: float, its_queue: ArenaQueue) -> VisibleFilter:
    reach = statistics.filter_reach(chosen, waited, its_queue.matching())
    return VisibleFilter(None if math.isinf(reach) else reach, chosen.strict)


def was_called_off(ticket: Ticket, now: datetime) -> bool:
    """Return whether the ticket has just come back from a cancelled ready check."""
    arenas = arenas_of(ticket)
    off = Proposal.objects.filter(
        arena__in=arenas, state=Proposal.State.CANCELLED, closed_at__gt=now - LATELY
    )
    return any(ticket.pk in team for seats in off.values_list("seats", flat=True) for team in seats)


def check_context(ticket: Ticket, proposal: Proposal, me: Player, now: datetime) -> dict[str, Any]:
    """Return the figures of a ready check without names, so that nobody can be blamed."""
    members = ready_checks.members_of(proposal)
    accepted = members.filter(player=me, accepted_at__isnull=False).exists()
    chance = proposal.forecast
    if chance is not None and ticket.team == 2:
        chance = 1.0 - chance
    return {
        "kind": "check",
        "state": f"check-{proposal.pk}-{'accepted' if accepted else 'asked'}",
        "ticket": ticket,
        "accepted": accepted,
        "check": {
            "pk": proposal.pk,
            "arena": proposal.arena,
            "ready": members.exclude(accepted_at=None).count(),
            "asked": members.count(),
            "left": max(round((proposal.deadline - now).total_seconds()), 0),
            "window": round((proposal.deadline - proposal.proposed_at).total_seconds()),
            "chance": chance,
            "mode": proposal.mode,
            "region": proposal.region,
        },
    }


def percentile_context(me: Player, season: Season | None) -> dict[str, Any]:
    """Return my percentile on the season's leaderboard, or what it takes to have one."""
    if season is None:
        return {}
    mine = player_standings(me.pk, [season.pk]).get(season.pk)
    if mine and mine.position:
        return {"percentile": mine.board.percentile(mine.position)}
    return {"needed": placement(season, me)}


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@shown_on(queue_page)
def join_queue(request: HttpRequest, slug: str) -> HttpResponse:
    """Join the queue alone, or with a roster that I lead."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method == "POST":
        me = acting_player(request)
        asked = request.POST.get("roster", "")
        roster = my_roster(arena, me, asked) if asked else None
        members = list(roster.members.all()) if roster else []
        if arena.regions:
            save_regions(request, arena, me)
        join(
            arena,
            me,
            members,
            now=database_now(),
            roster=roster,
            modes=request.POST.getlist("modes"),
            profession=request.POST.get("profession", ""),
            also=named_arenas(request.POST.getlist("also")),
            fills_seat="fills_seat" in request.POST,
        )
    return redirect("queue", arena.slug)


def save_regions(request: HttpRequest, arena: Arena, me: Player) -> None:
    """Keep the regions of a form as a player's choice."""
    strict = "strict_regions" in request.POST
    regions.set_regions(arena, me, request.POST.getlist("regions"), strict=strict)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@shown_on(queue_page)
def choose_regions(request: HttpRequest, slug: str) -> HttpResponse:
    """Set where I would play, before or while I wait."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method == "POST":
        save_regions(request, arena, acting_player(request))
        messages.success(request, _("Saved. Your regions apply from the next search."))
    return redirect("queue", arena.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@shown_on(queue_page)
def leave_queue(request: HttpRequest, slug: str) -> HttpResponse:
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method == "POST":
        me = acting_player(request)
        ticket = Ticket.objects.of(me).in_arena(arena).first()
        if ticket:
            leave(ticket.pk, by=me, now=database_now())
            messages.success(request, _("You have left the queue."))
    return redirect("queue", arena.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@shown_on(queue_page)
def choose_filter(request: HttpRequest, slug: str) -> HttpResponse:
    """Set how close in percentile others must be to be matched with me."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method == "POST":
        typed = request.POST.get("percentiles", "").strip()
        strict = "strict" in request.POST
        rank_filters.set_filter(arena, acting_player(request), number(typed), strict=strict)
        messages.success(request, _("Saved: your rank filter applies from the next search."))
    return redirect("queue", arena.slug)


def number(typed: str) -> float | None:
    """Return the typed number, ``None`` for an empty field."""
    try:
        return float(typed) if typed else None
    except ValueError:
        raise Refused(
            "percentiles",
            _("“%(typed)s” is not a number. Enter percentiles, such as 10.")
            % {"typed": typed[:40]},
            field="percentiles",
        ) from None


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
@shown_on(queue_page)
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Accept or decline a match that was found."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method == "POST":
        proposal = get_object_or_404(Proposal, arena=arena, pk=pk)
        me, now = acting_player(request), database_now()
        if request.POST.get("answer") == "decline":
            ready_checks.decline(proposal.pk, by=me, now=now)
            messages.warning(request, _("You declined a match, which counts as a dodge."))
        else:
            ready_checks.accept(proposal.pk, by=me, now=now)
    return redirect("queue", arena.slug)
