"""What a queue looks like from outside: how long, how many, never who."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np

from league.models import Ticket
from league.services.snapshots import waiting
from matchmaking.gather import padding

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, ArenaQueue

BAND = 200
"""Width of a band of ratings, in rating points."""
RECENT = timedelta(hours=6)
ENOUGH = 50
"""Of how many tickets that found a match, at most, the wait is estimated."""


@dataclass(frozen=True)
class Band:
    """How many players with ratings from ``low`` to below ``high`` wait."""

    low: int
    high: int
    players: int


def bands(arena: Arena, now: datetime) -> list[Band]:
    """The waiting players by rating, the lowest band first; bands without anybody are left out."""
    season = arena.current_season(now)
    tickets = waiting(season, now) if season else []
    counts = Counter(
        math.floor(player.rating / BAND) * BAND for ticket in tickets for player in ticket.players
    )
    return [Band(low, low + BAND, count) for low, count in sorted(counts.items())]


def estimated_wait(arena: Arena, now: datetime) -> timedelta | None:
    """The median wait of those who found a match lately, ``None`` if nobody did."""
    played = Ticket.objects.filter(
        arena=arena, state=Ticket.State.PLAYED, closed_at__gt=now - RECENT, closed_at__lte=now
    ).order_by("-closed_at")
    waits = [
        (closed - queued).total_seconds()
        for closed, queued in played.values_list("closed_at", "queued_at")[:ENOUGH]
        if closed is not None
    ]
    return timedelta(seconds=round(max(statistics.median(waits), 0))) if waits else None


def reach(queue: ArenaQueue, ticket: Ticket, now: datetime) -> int:
    """How many rating points from a ticket's own the search has come to look."""
    waits = np.array([ticket.waited(now)])
    return round(float(padding(waits, queue.matching().queue)[0]))
