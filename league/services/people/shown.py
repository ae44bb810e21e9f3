"""The player of a page, with what every such page begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Exists, OuterRef
from django.db.models.functions import Coalesce, Now

from league.models import Follow, Player

if TYPE_CHECKING:
    from datetime import datetime


class Shown(NamedTuple):
    """A player at a moment."""

    player: Player
    """With their profile. They may have been merged into another."""
    now: datetime
    """The database's time."""
    followed: bool
    """Whether the reader follows them, or the one into whom they have been merged."""


def shown_player(pk: int, reader: Player | None) -> Shown:
    """Return a player as a reader sees them.

    Raises:
        Player.DoesNotExist: there is none with this id.
    """
    person = Coalesce(OuterRef("merged_into"), OuterRef("pk"))
    follows = Follow.objects.filter(player=reader and reader.pk, followed=person)
    players = Player.ever.select_related("profile")
    player: Any = players.annotate(now=Now(), followed=Exists(follows)).get(pk=pk)
    return Shown(player, player.now, player.followed)
