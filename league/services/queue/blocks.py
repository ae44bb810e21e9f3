"""Blocks that keep waiting players apart.

A block must be no way to choose opponents, so not every block counts; ``docs/integrity.md`` has the
rules and their reasons. How long those that count hold is a rule of the queue.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django.db.models import OuterRef, Q

from league.models import Block
from league.services.core.id_lists import any_of
from league.services.queue.presence import row_count

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from matchmaking.ticket import Player, Ticket

MOST_COUNTED = 10
"""Blocks of a player that count here: the oldest."""
COUNTS_AFTER = timedelta(days=1)
"""The least age of a block that counts, so that nobody blocks whom they have just seen online."""

Pair = tuple[Any, Any]


def blocked_pairs(tickets: Sequence[Ticket], team_size: int, now: datetime) -> list[Pair]:
    """Return the pairs of tickets (ids) that blocks keep apart, in order. One statement."""
    places = {player.id: (ticket, player) for ticket in tickets for player in ticket.players}
    found: set[Pair] = set()
    for blocker, blocked in counted_blocks(list(places), now):
        (one, mine), (other, theirs) = places[blocker], places[blocked]
        if one.id != other.id and counts(one, mine, other, theirs, team_size):
            low, high = sorted(cast("list[int]", [one.id, other.id]))
            found.add((low, high))
    return sorted(found)


def counted_blocks(players: Sequence[Any], now: datetime) -> list[Pair]:
    """Return the blocks among players that are old enough and among their oldest."""
    earlier = Q(since__lt=OuterRef("since")) | Q(since=OuterRef("since"), pk__lt=OuterRef("pk"))
    older = Block.objects.filter(earlier, player=OuterRef("player"))
    waiting = any_of(players)
    found = Block.objects.filter(
        player__in=waiting, blocked__in=waiting, since__lte=now - COUNTS_AFTER
    ).annotate(older=row_count(older))
    return list(found.filter(older__lt=MOST_COUNTED).values_list("player", "blocked"))


def counts(one: Ticket, mine: Player, other: Ticket, theirs: Player, team_size: int) -> bool:
    """Return whether ``mine`` can avoid ``theirs`` by a block.

    Where both could be on one team, avoiding somebody costs as good a partner as the opponent they
    would be. Where they can only meet as opponents, nobody avoids a stronger one.
    """
    if len(one.players) + len(other.players) <= team_size:
        return True
    return theirs.rating <= mine.rating
