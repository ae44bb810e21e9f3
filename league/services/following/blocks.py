"""Players who want nothing from each other: asked before they invite, propose or write.

Queues keep them apart for a time (``services/queue/blocks.py``). Whom other rules bring together
plays all the same: in competitions, and on ladders, where declining a challenge costs ranks and a
block would be a way around that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import Block, Player
from league.services.core.errors import LimitReached, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

MOST_BLOCKED = 50
"""The most players that a player can block."""


def block(player: Player, whom: Player, *, now: datetime) -> None:
    """Block a player. Blocking again changes nothing.

    Raises:
        Refused: players cannot block themselves.
        LimitReached: they block too many.
    """
    if whom == player:
        raise Refused("self", _("You cannot block yourself."))
    with transaction.atomic():
        # One block after the other, so that the limit holds. Matches can still be written.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if player.blocks.filter(blocked=whom).exists():
            return
        if player.blocks.count() >= MOST_BLOCKED:
            raise LimitReached(
                "blocked",
                _("You can block %(most)d players. Unblock some first, or report them to staff.")
                % {"most": MOST_BLOCKED},
            )
        Block.objects.bulk_create(
            [Block(player=player, blocked=whom, since=now)], ignore_conflicts=True
        )


def unblock(player: Player, whom: Player) -> None:
    """Let a player reach this one again."""
    player.blocks.filter(blocked=whom).delete()


def blocks(player: Player | None, whom: Player) -> bool:
    """Return whether a player blocks another. No query for visitors."""
    return player is not None and player.blocks.filter(blocked=whom).exists()


def blocks_of(player: Player) -> QuerySet[Block]:
    """Return whom a player blocks, by name."""
    return player.blocks.select_related("blocked").order_by("blocked__sort_name")


def blocks_between(player: Player, others: Sequence[Player | int]) -> QuerySet[Block]:
    """Return the blocks between a player and others, in either direction."""
    theirs = Q(player__in=others, blocked=player)
    return Block.objects.filter(theirs | Q(player=player, blocked__in=others))


def parted_from(player: Player, others: Sequence[Player]) -> set[int]:
    """Return the ids of those of ``others`` who block a player, or whom the player blocks."""
    pairs = blocks_between(player, others).values_list("player", "blocked")
    return {one for pair in pairs for one in pair} - {player.pk}


def refuse_blocked(players: Iterable[Player | int], *, by: Player, field: str = "") -> None:
    """Refuse what ``by`` sends to players of whom one blocks the other. One query.

    Raises:
        Refused: the message names the player.
    """
    found = blocks_between(by, list(players)).select_related("player", "blocked").first()
    if found is None:
        return
    if found.player == by:
        text = _("You have blocked %(player)s. Unblock them in your settings first.")
        raise Refused("you_blocked", text % {"player": found.blocked}, field=field)
    text = _("%(player)s does not want to hear from you.")
    raise Refused("blocked", text % {"player": found.player}, field=field)
