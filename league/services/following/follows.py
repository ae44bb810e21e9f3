"""Follows of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Follow, Player
from league.services.core.errors import LimitReached, Refused

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Team

MOST_FOLLOWED = 100
"""The most players and teams that a player can follow: their home page reads the results of all."""


def follow(player: Player, whom: Player | Team, *, now: datetime) -> None:
    """Follow a player or a team. Following again changes nothing.

    Raises:
        Refused: players cannot follow themselves.
        LimitReached: they follow too many.
    """
    if whom == player:
        raise Refused("self", _("You cannot follow yourself."))
    with transaction.atomic():
        # One follow after the other, so that the limit holds. Matches can still be written.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if follows(player, whom):
            return
        if player.follows.count() >= MOST_FOLLOWED:
            raise LimitReached(
                "followed",
                _("You can follow %(most)d players and teams. Stop following some first.")
                % {"most": MOST_FOLLOWED},
            )
        Follow.objects.bulk_create(
            [Follow(player=player, since=now, **{field_of(whom): whom})], ignore_conflicts=True
        )


def unfollow(player: Player, whom: Player | Team) -> None:
    """Stop following a player or a team."""
    player.follows.filter(**{field_of(whom): whom}).delete()


def follows(player: Player | None, whom: Player | Team) -> bool:
    """Return whether a player follows another, or a team. No query for visitors."""
    return player is not None and player.follows.filter(**{field_of(whom): whom}).exists()


def follows_of(player: Player) -> QuerySet[Follow]:
    """Return whom a player follows: players, then teams, by name."""
    found = player.follows.select_related("followed", "team")
    return found.order_by("followed__sort_name", "team__sort_name")


def field_of(whom: Player | Team) -> str:
    """Return the field of a follow that refers to a player or a team."""
    return "team" if whom._meta.model_name == "team" else "followed"  # noqa: SLF001 - Django's documented name
