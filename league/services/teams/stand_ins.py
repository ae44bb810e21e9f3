"""Players who offer to stand in for members of rosters in an arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import StandIn

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player


def offer(arena: Arena, player: Player, *, now: datetime) -> None:
    """Let captains in an arena name a player as a stand-in. Offering again changes nothing."""
    StandIn.objects.get_or_create(arena=arena, player=player, defaults={"at": now})


def withdraw(arena: Arena, player: Player) -> None:
    """Take a player's offer back, if they have made one."""
    StandIn.objects.filter(arena=arena, player=player).delete()
