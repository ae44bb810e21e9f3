"""Levels of players, which staff and game servers set."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Player
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from league.models import User

logger = logging.getLogger(__name__)

PERMISSIONS = ("league.change_player", "league.add_match")
"""Of staff and of game servers. Either is enough."""


def check_may_set(by: User) -> None:
    """Raise ``Forbidden`` for accounts that are neither staff nor game servers."""
    if not any(by.has_perm(permission) for permission in PERMISSIONS):
        raise Forbidden("not_staff", _("Only staff and game servers can set levels."))


def set_level(player: Player, level: int | None, *, by: User) -> None:
    """Set a player's level; ``None`` removes it.

    Raises:
        Forbidden: ``by`` may not set levels, or it is their own.
    """
    check_may_set(by)
    if player.user_id == by.pk:
        raise Forbidden("own_level", _("You cannot set your own level."))
    Player.objects.filter(pk=player.pk).update(level=level)
    player.level = level
    logger.info("Level of player %d set to %s by account %d.", player.pk, level, by.pk)
