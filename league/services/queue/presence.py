"""What a queue needs from a player, on whatever page they are.

A roster is matched once all its members are there: the captain joins, and each other member opens
the queue's page or reads the queue through the API. From then on they answer for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import TicketMember

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from league.models import Arena, Player, Proposal


@dataclass(frozen=True)
class Call:
    """A queue that waits for a player: to show up, or to answer a ready check."""

    arena: Arena
    captain: Player
    check: Proposal | None


def call_of(player: Player) -> Call | None:
    """Return the queue that waits for something from ``player``, if one does."""
    people = ("ticket__arena", "ticket__captain", "ticket__proposal")
    member = calls_of(player).select_related(*people).first()
    if member is None:
        return None
    return Call(member.ticket.arena, member.ticket.captain, member.ticket.proposal)


def calls_of(player: Player) -> QuerySet[TicketMember]:
    """Return the player's place in a queue if something waits for them there: one row at most."""
    mine = TicketMember.objects.filter(player=player, open=True, accepted_at=None)
    return mine.filter(Q(seen_at=None) | Q(ticket__proposal__isnull=False))
