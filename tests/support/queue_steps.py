"""Rules and steps for tests of queues."""

from __future__ import annotations

from league.models import Player, TicketMember
from tests.support.cast import NOW

ANYBODY = {"potentials_min": 1, "rating_min": 1000, "iteration_interval": "30s"}


def crowd(count: int) -> list[Player]:
    return [Player.objects.create(name=f"Player {number}") for number in range(count)]


def everyone_is_there() -> None:
    """Let all members of all rosters open the page of their queue."""
    TicketMember.objects.filter(seen_at=None).update(seen_at=NOW)
