"""A player's place in a queue, as pages show it wherever they are.

A roster is matched once all its members are there: the captain joins, and each other member opens
the queue's page or reads the queue through the API. From then on they answer for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, IntegerField, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from league.models import FillIn, Match, Participant, Ticket, TicketArena, TicketMember

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena, Player, Proposal


@dataclass(frozen=True)
class Call:
    """A player's place in a queue: to show up, to wait, to answer a ready check, or answered."""

    arena: Arena
    captain: Player
    ticket: Ticket
    check: Proposal | None
    is_absent: bool
    """Whether the queue waits for the player to show up."""
    has_accepted: bool
    ready: int
    """The number of players who have accepted the ready check. Nobody reads their names."""
    asked: int
    place: int
    """The roster's place by the time waited, from 1."""
    waiting: int
    """The rosters that wait in this queue."""
    also: Sequence[str]
    """The slugs of the other arenas in which the ticket waits."""

    @property
    def needs_answer(self) -> bool:
        return self.check is not None and not self.has_accepted

    @property
    def is_waiting(self) -> bool:
        return self.check is None and not self.is_absent

    def seconds_left(self, now: datetime) -> int:
        """Return the seconds left to answer the ready check, 0 if there is none."""
        if self.check is None:
            return 0
        return max(round((self.check.deadline - now).total_seconds()), 0)


def call_of(player: Player) -> Call | None:
    """Return the player's place in a queue, if they have one. One query."""
    people = ("ticket__arena", "ticket__captain", "ticket__proposal__arena")
    asked = TicketMember.objects.filter(ticket__proposal=OuterRef("ticket__proposal"))
    waiting = Ticket.objects.waiting().in_arena(OuterRef("ticket__arena"))
    also = TicketArena.objects.filter(ticket=OuterRef("ticket")).order_by("arena")
    before = Q(queued_at__lt=OuterRef("ticket__queued_at"))
    same_time = Q(queued_at=OuterRef("ticket__queued_at"), pk__lt=OuterRef("ticket"))
    rows = calls_of(player).select_related(*people)
    member = rows.annotate(
        asked=row_count(asked),
        ready=row_count(asked.exclude(accepted_at=None)),
        waiting=row_count(waiting),
        also=ArraySubquery(also.values("arena__slug")),
        before=row_count(waiting.filter(before | same_time)),
    ).first()
    if member is None:
        return None
    ticket, check = member.ticket, member.ticket.proposal
    return Call(
        check.arena if check else ticket.arena,
        ticket.captain,
        ticket,
        check,
        is_absent=member.seen_at is None and check is None,
        has_accepted=member.accepted_at is not None,
        ready=member.ready,
        asked=member.asked,
        place=member.before + 1,
        waiting=member.waiting,
        also=member.also,
    )


def row_count(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of rows of a subquery, as an expression."""
    totals = rows.order_by().values(nothing=Value(0)).annotate(n=Count("pk"))
    return Coalesce(Subquery(totals.values("n"), output_field=IntegerField()), 0)


def calls_of(player: Player) -> QuerySet[TicketMember]:
    """Return the player's place in a queue: one row at most."""
    return TicketMember.objects.filter(player=player, open=True)


def match_of(player: Player) -> Match | None:
    """Return the live match in which a player plays, or fills a seat."""
    plays = Participant.objects.filter(player=player, live=True).values("match")
    fills = FillIn.objects.now().filter(player=player).order_by().values("match")
    return Match.objects.filter(pk__in=plays.union(fills)).first()
