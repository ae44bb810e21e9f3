"""The queue of an arena: join, wait, say that you are ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arena, Match, Proposal, Ticket
from league.services import discipline, queue_figures, ready_checks
from league.services.clock import database_now
from league.services.queueing import join, leave, queue_of, see
from league.web.fragments import asks_for_part
from league.web.lineups import my_roster, plays_in_rosters
from league.web.people import acting_player, player_of, player_required

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import ArenaQueue, Player


@require_safe
def queue(request: HttpRequest, slug: str) -> HttpResponse:
    """The queue as its reader sees it; htmx asks for its state alone, every two seconds."""
    arena = get_object_or_404(Arena, slug=slug)
    its_queue = queue_of(arena)
    if its_queue is None:
        raise Http404
    now = database_now()
    me = player_of(request)
    context: dict[str, Any] = {
        "arena": arena,
        "queue": its_queue,
        "now": now,
        "bands": queue_figures.bands(arena, now),
        "estimate": queue_figures.estimated_wait(arena, now),
    }
    if me:
        context |= place_of(me, its_queue, now)
    part = "#state" if asks_for_part(request) else ""
    return render(request, f"queue.html{part}", context)


def place_of(me: Player, its_queue: ArenaQueue, now: datetime) -> dict[str, Any]:
    """Where I am: in a match, in a ready check, waiting, or about to join."""
    arena = its_queue.arena
    ticket = Ticket.objects.of(me).select_related("proposal", "arena", "roster").first()
    if ticket and ticket.arena_id == arena.pk:
        see(ticket, me, now)
        mine = ticket.members.get(player=me)
        return {
            "ticket": ticket,
            "waited": round(ticket.waited(now)),
            "reach": queue_figures.reach(its_queue, ticket, now),
            "party": [member.player for member in ticket.members.select_related("player")],
            "accepted": mine.accepted_at is not None,
            "check": check_of(ticket.proposal, now) if ticket.proposal else None,
        }
    return {
        "elsewhere": ticket,
        "live": Match.objects.filter(participants__player=me, participants__live=True).first(),
        "standing": discipline.standing_of(me, now) if its_queue.bars_timeouts else None,
        "rosters": arena.rosters.led_by(me) if plays_in_rosters(arena) else [],
    }


def check_of(proposal: Proposal, now: datetime) -> dict[str, Any]:
    """The figures of a ready check: never who, so that nobody can be told off for waiting."""
    members = ready_checks.members_of(proposal)
    return {
        "pk": proposal.pk,
        "ready": members.exclude(accepted_at=None).count(),
        "asked": members.count(),
        "left": max(round((proposal.deadline - now).total_seconds()), 0),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def join_queue(request: HttpRequest, slug: str) -> HttpResponse:
    """Queue alone, or with a roster that I lead."""
    arena = get_object_or_404(Arena, slug=slug)
    if request.method == "POST":
        me = acting_player(request)
        asked = request.POST.get("roster", "")
        roster = my_roster(arena, me, asked) if asked else None
        members = list(roster.members.all()) if roster else []
        join(arena, me, members, now=database_now(), roster=roster)
    return redirect("queue", arena.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def leave_queue(request: HttpRequest, slug: str) -> HttpResponse:
    arena = get_object_or_404(Arena, slug=slug)
    if request.method == "POST":
        me = acting_player(request)
        ticket = Ticket.objects.of(me).filter(arena=arena).first()
        if ticket:
            leave(ticket.pk, by=me, now=database_now())
            messages.success(request, _("You have left the queue."))
    return redirect("queue", arena.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Accept or decline a match that was found."""
    arena = get_object_or_404(Arena, slug=slug)
    if request.method == "POST":
        proposal = get_object_or_404(Proposal, arena=arena, pk=pk)
        me, now = acting_player(request), database_now()
        if request.POST.get("answer") == "decline":
            ready_checks.decline(proposal.pk, by=me, now=now)
            messages.warning(request, _("You declined a match: that counts as a dodge."))
        else:
            ready_checks.accept(proposal.pk, by=me, now=now)
    return redirect("queue", arena.slug)
