"""Requests from Discord, with the player and the arena that they are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Arena, Participant, Season
from league.models.names import NAME_MAX_LENGTH
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player, User
    from league.web.discord.payloads import Interaction


class Unlinked(Forbidden):
    """The Discord user is not linked to an account. The answer says where to link one."""


@dataclass(frozen=True)
class Asked:
    """A request from a Discord user."""

    interaction: Interaction
    account: User | None
    now: datetime

    @property
    def player(self) -> Player | None:
        """The player of the linked account, ``None`` without an active one."""
        if self.account is None or not self.account.is_active:
            return None
        return getattr(self.account, "player", None)

    @property
    def me(self) -> Player:
        """The player who acts.

        Raises:
            Unlinked: no account is linked.
            Forbidden: the account is closed or has no player.
        """
        if self.account is None:
            raise Unlinked("unlinked", _("Your Discord account is not linked to this site yet."))
        if not self.account.is_active:
            raise Forbidden("closed", _("Your account is closed."))
        found = self.player
        if found is None:
            text = _("Your account has no player yet. First choose a player name in your settings.")
            raise Forbidden("no_player", text)
        return found

    def argument(self, name: str) -> str:
        return self.interaction.argument(name)


def arena_named(text: str) -> Arena:
    """Return the published arena with this address or name.

    Raises:
        Refused: there is none.
    """
    named = Q(slug=text) | Q(name__iexact=text)
    found = Arena.objects.published().filter(named).order_by("pk").first()
    if found is None:
        name = text if len(text) <= NAME_MAX_LENGTH else text[: NAME_MAX_LENGTH - 1] + "…"
        raise Refused("no_arena", _("There is no arena “%(name)s”.") % {"name": name})
    return found


def arena_meant(asked: Asked) -> Arena:
    """Return the named arena, by default the only current one or the one last played in.

    Raises:
        Refused: it is not clear which one is meant.
    """
    if text := asked.argument("arena"):
        return arena_named(text)
    running = Season.objects.running(asked.now).filter(arena__is_draft=False)
    seasons = list(running.select_related("arena").order_by("arena__sort_name"))
    if len(seasons) == 1:
        return seasons[0].arena
    if asked.player is not None and seasons:
        mine = Participant.objects.filter(player=asked.player, match__season__in=seasons)
        last = mine.order_by("-match_id").values_list("match__season", flat=True).first()
        for season in seasons:
            if season.pk == last:
                return season.arena
    raise Refused("which_arena", _("Choose an arena."))
