"""Pools of a queue: rosters meet rosters only, and lone players lone players, where it says so.

To the matcher, a pool is part of a game mode, as only tickets that share a mode can meet. So every
matcher keeps the pools apart, and a stored tick that is run again does, too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from league.models import ArenaQueue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.services.queue.snapshots import Snapshot
    from matchmaking.ticket import Ticket

LONE, ROSTER = "lone", "roster"
MARK = "|"
"""Between a pool and a mode. Modes may contain it: pools do not."""


def in_pools(queue: ArenaQueue, snapshot: Snapshot) -> Snapshot:
    """Return a snapshot for the queue's matcher, with the pool in the modes of each ticket."""
    if queue.pools == ArenaQueue.Pools.MIXED:
        return snapshot
    tickets = [replace(ticket, modes=with_pool(ticket)) for ticket in snapshot.tickets]
    return replace(snapshot, tickets=tickets)


def with_pool(ticket: Ticket) -> frozenset[str]:
    pool = LONE if len(ticket.players) == 1 else ROSTER
    return frozenset(f"{pool}{MARK}{mode}" for mode in ticket.modes or {""})


def modes_without(queue: ArenaQueue, modes: Iterable[str]) -> list[str]:
    """Return drawn modes as players know them."""
    if queue.pools == ArenaQueue.Pools.MIXED:
        return list(modes)
    return [mode.partition(MARK)[2] for mode in modes]
