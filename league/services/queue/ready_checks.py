"""Ready checks: everyone accepts and the match starts, or those who accepted rejoin the queue."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Min, Q
from django.utils.translation import gettext as _

from league.models import (
    Agreement,
    NoticeKind,
    Offence,
    Participant,
    Player,
    Proposal,
    Ticket,
    TicketArena,
    TicketMember,
)
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.dishonor import discipline
from league.services.eligibility.reasons import is_locked
from league.services.notices.reading import mark_answered
from league.services.queue.queueing import close_tickets
from league.services.results.reports import live
from league.services.site import frame

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

STEPPED_BACK = timedelta(seconds=10)
"""A ready check that started this far in the future started before the clock was set back. It is
cancelled at once and nobody is penalised."""
ASLEEP = timedelta(seconds=10)
"""A ready check still open this long after its deadline expired while the site was down. Nobody is
penalised, because players may have had no page to answer on."""


def accept(proposal_id: int, *, by: Player, now: datetime) -> Proposal:
    """Accept a match for a player, and start it once everyone has. Accepting twice is harmless.

    Raises:
        Forbidden: the match was not proposed to ``by``.
        Conflict: the ready check is over.
    """
    with committing("acceptance"):
        proposal = lock_proposal(proposal_id)
        member = member_to_answer(proposal, by, now)
        if member.accepted_at is None:
            member.accepted_at = now
            member.save(update_fields=["accepted_at"])
            mark_answered(by, NoticeKind.FOUND, now, arena=proposal.arena)
        if not members_of(proposal).filter(accepted_at=None).exists():
            start_match(proposal, now)
    return proposal


def decline(proposal_id: int, *, by: Player, now: datetime) -> Proposal:
    """Decline a match for a player. This cancels it at once, and only they are penalised.

    Raises as :func:`accept`.
    """
    with committing("refusal"):
        proposal = lock_proposal(proposal_id)
        member_to_answer(proposal, by, now)
        cancel(proposal, {by.pk}, now)
        mark_answered(by, NoticeKind.FOUND, now, arena=proposal.arena)
    return proposal


def cancel_expired(now: datetime, limit: int = 500) -> int:
    """Close expired ready checks and return how many. Safe to run concurrently."""
    stale = Q(deadline__lte=now) | Q(proposed_at__gt=now + STEPPED_BACK)
    expired = Proposal.objects.filter(stale, state=Proposal.State.OPEN)
    ids = list(expired.order_by("deadline").values_list("pk", flat=True)[:limit])
    return sum(cancel_if_expired(proposal_id, now) for proposal_id in ids)


def cancel_if_expired(proposal_id: int, now: datetime) -> bool:
    with committing("expired ready check"):
        # An answer that has the lock came before the deadline was processed, and counts.
        free = Proposal.objects.select_for_update(of=("self",), skip_locked=True)
        proposal = free.select_related("arena").filter(pk=proposal_id).first()
        if proposal is None or proposal.state != Proposal.State.OPEN:
            return False
        if proposal.proposed_at > now + STEPPED_BACK or proposal.deadline < now - ASLEEP:
            cancel(proposal, set(), now)
            return True
        if proposal.deadline > now:
            return False
        unanswered = members_of(proposal).filter(accepted_at=None)
        silent = list(unanswered.select_related("player__user"))
        # Everyone answers for themselves, and only tickets whose members are all there are matched.
        # Players who were banned in the meantime could not answer.
        able = {member.player_id for member in silent if not is_locked(member.player)}
        cancel(proposal, able, now, silent={member.ticket_id for member in silent})
    return True


def remove_banned(now: datetime) -> int:
    """Take tickets with a banned player out of queues and ready checks, and return how many.

    A match cancelled this way is nobody's offence. Safe to run concurrently.
    """
    members = TicketMember.objects.filter(open=True)
    banned = discipline.bans_of(members.values_list("player", flat=True), now)
    out = members.filter(Q(player__user__is_active=False) | Q(player__in=list(banned)))
    tickets = list(out.order_by("ticket").values_list("ticket", flat=True).distinct())
    return sum(remove_ticket(ticket_id, now) for ticket_id in tickets)


def remove_ticket(ticket_id: int, now: datetime) -> bool:
    """Take a ticket out of its queue or ready check. Return whether it is out."""
    with transaction.atomic():
        proposal_id = Ticket.objects.values_list("proposal", flat=True).get(pk=ticket_id)
        if proposal_id is not None:  # lock it before its tickets, as everywhere
            proposal = lock_proposal(proposal_id)
            if proposal.state == Proposal.State.OPEN:
                cancel(proposal, set(), now)
        ticket = Ticket.objects.select_for_update().get(pk=ticket_id)
        if ticket.state == Ticket.State.WAITING:
            close_tickets([ticket.pk], Ticket.State.DROPPED, now)
            ticket.state = Ticket.State.DROPPED
    return ticket.state == Ticket.State.DROPPED


def lock_proposal(proposal_id: int) -> Proposal:
    """Return the ready check with a row lock, so that answers come one at a time."""
    rows = Proposal.objects.select_for_update(of=("self",)).select_related("arena")
    proposal = rows.filter(pk=proposal_id).first()
    if proposal is None:
        raise Refused("no_proposal", _("There is no such ready check."))
    return proposal


def members_of(proposal: Proposal) -> QuerySet[TicketMember]:
    """Return the members who are asked, by team and ticket."""
    return TicketMember.objects.filter(ticket__proposal=proposal).order_by(
        "ticket__team", "ticket__place", "ticket_id", "id"
    )


def member_to_answer(proposal: Proposal, player: Player, now: datetime) -> TicketMember:
    """Return the player's membership in an open ready check. Raises as :func:`accept`."""
    if not any(
        TicketMember.objects.filter(player=player, ticket__in=team).exists()
        for team in proposal.seats
    ):
        raise Forbidden("not_asked", _("This match was not proposed to you."))
    if proposal.state == Proposal.State.ACCEPTED:
        raise Conflict("accepted", _("Everyone has accepted: the match is on."))
    if proposal.state == Proposal.State.CANCELLED:
        raise Conflict("cancelled", _("This match is off: a player was not ready."))
    if proposal.deadline <= now:
        raise Conflict("too_late", _("Time is up for this match."))
    return members_of(proposal).get(player=player)


def start_match(proposal: Proposal, now: datetime) -> None:
    """Start the match that everyone accepted. If it cannot start, cancel it without penalty."""
    if frame.current().maintenance:
        cancel(proposal, set(), now)
        return
    # Proposal, then tickets in id order: the same in every transaction, so none can deadlock.
    tickets = list(proposal.tickets.select_for_update().order_by("pk"))
    members = list(members_of(proposal).select_related("player", "player__user"))
    if any(is_locked(member.player) for member in members):  # banned since accepting
        cancel(proposal, set(), now)
        return
    try:
        with transaction.atomic():
            keep_arena_of(proposal, tickets)
            close_tickets([ticket.pk for ticket in tickets], Ticket.State.PLAYED, now)
            match = live.start(
                proposal.arena,
                [side_of(team, tickets, members) for team in (1, 2)],
                now=now,
                agreed_by=Agreement.READY_CHECK,
                forecast=proposal.forecast,
                mode=proposal.mode,
                region=proposal.region,
            )
    except Refused:
        cancel(proposal, set(), now)
        return
    proposal.state, proposal.match, proposal.closed_at = Proposal.State.ACCEPTED, match, now
    proposal.save(update_fields=["state", "match", "closed_at"])


def keep_arena_of(proposal: Proposal, tickets: Sequence[Ticket]) -> None:
    """Let tickets that found their match in another of their arenas belong to it from now on."""
    elsewhere = [ticket.pk for ticket in tickets if ticket.arena_id != proposal.arena_id]
    if elsewhere:
        for row in TicketArena.objects.filter(ticket__in=elsewhere, arena=proposal.arena_id):
            Ticket.objects.filter(pk=row.ticket_id).update(
                arena=proposal.arena_id, modes=row.modes, place=row.place
            )


def side_of(
    team: int, tickets: Sequence[Ticket], members: Sequence[TicketMember]
) -> live.StartingSide:
    """Make a side of a team.

    The captain of its largest roster leads it, of equally large rosters the first in the queue. It
    plays under that roster's name if the roster is the whole team.
    """
    mine = [ticket for ticket in tickets if ticket.team == team]
    sizes = {ticket.pk: sum(member.ticket_id == ticket.pk for member in members) for ticket in mine}
    largest = min(mine, key=lambda ticket: (-sizes[ticket.pk], ticket.place, ticket.pk))
    seated = [member for member in members if member.ticket_id in sizes]
    players = [member.player for member in seated]
    captain = next(player for player in players if player.pk == largest.captain_id)
    roster = largest.roster if len(mine) == 1 else None
    return live.StartingSide(
        captain,
        sorted(players, key=lambda player: player != captain),
        roster=roster,
        professions={member.player_id: member.profession for member in seated},
    )


def cancel(
    proposal: Proposal,
    dodged: Collection[int],
    now: datetime,
    *,
    silent: Collection[int] = (),
) -> None:
    """Cancel a match.

    The players in ``dodged`` are penalised. Their tickets and those in ``silent`` are dropped. The
    others return to the front of the queue and keep their waiting time.
    """
    tickets = list(proposal.tickets.select_for_update().order_by("pk"))
    members = list(members_of(proposal).select_related("player__user"))
    playing = set(
        Participant.objects.filter(
            player__in=[member.player_id for member in members], live=True
        ).values_list("player", flat=True)
    )
    out = set(silent) | {
        member.ticket_id
        for member in members
        if member.player_id in dodged or member.player_id in playing or is_locked(member.player)
    }
    discipline.penalise(
        Player.objects.filter(pk__in=dodged).order_by("pk"),
        Offence.QUEUE_DODGE,
        proposal.arena,
        now=now,
        proposal=proposal,
    )
    close_tickets(sorted(out), Ticket.State.DROPPED, now)
    return_to_front([ticket for ticket in tickets if ticket.pk not in out], proposal)
    proposal.state, proposal.closed_at = Proposal.State.CANCELLED, now
    proposal.missed = sorted(dodged)
    proposal.save(update_fields=["state", "closed_at", "missed"])


def return_to_front(tickets: Sequence[Ticket], proposal: Proposal) -> None:
    """Put tickets at the front of the queue that found their match, in their old order.

    In their other queues they keep their places."""
    arena = proposal.arena
    own = Ticket.objects.waiting().filter(arena=arena).values_list("place")
    also = TicketArena.objects.filter(arena=arena).values_list("place")
    fronts = [rows.aggregate(front=Min("place"))["front"] for rows in (own, also)]
    front: int = min((front for front in fronts if front is not None), default=0)
    elsewhere = [ticket.pk for ticket in tickets if ticket.arena_id != arena.pk]
    rows = {
        row.ticket_id: row
        for row in (
            TicketArena.objects.filter(ticket__in=elsewhere, arena=arena) if elsewhere else ()
        )
    }

    def order(ticket: Ticket) -> tuple[int, int]:
        row = rows.get(ticket.pk)
        return (row.place if row else ticket.place), ticket.pk

    back = sorted(tickets, key=order)
    for place, ticket in enumerate(back, start=front - len(back)):
        if ticket.pk in rows:
            rows[ticket.pk].place = place
        else:
            ticket.place = place
        ticket.state, ticket.proposal, ticket.team = Ticket.State.WAITING, None, None
    Ticket.objects.bulk_update(back, ["state", "place", "proposal", "team"])
    if rows:
        TicketArena.objects.bulk_update(rows.values(), ["place"])
    TicketMember.objects.filter(ticket__in=back).update(accepted_at=None)
