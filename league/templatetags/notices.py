"""Pictures in an inbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

from league.templatetags.profiles import arena_sign, player_picture
from league.templatetags.teams import team_picture

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from league.models import Arena, Notice, Player
    from league.services.notices.grouping import Group

register = template.Library()


@register.simple_tag
def group_picture(group: Group) -> SafeString | str:
    """Return the picture of the team or the player that a group of an inbox is about, the sign of
    its arena if it is about neither or several, and nothing without any. It is decoration."""
    notice, _told = group.newest
    if notice.team:
        return team_picture(notice.team)
    player = None if group.summary else other_player(notice)
    if player:
        return player_picture(player)
    arena = arena_of(notice)
    return arena_sign(arena) if arena else ""


def other_player(notice: Notice) -> Player | None:
    """Return the player who caused a notice, or else the opponent of its reader."""
    if notice.actor:
        return notice.actor
    sides = []
    if one := notice.arrangement:
        sides = [one.proposer, one.opponent]
    elif challenge := notice.challenge:
        sides = [challenge.challenger, challenge.challenged]
    others = [player for player in sides if player.pk != notice.player_id]
    return others[0] if len(others) == 1 else None


def arena_of(notice: Notice) -> Arena | None:
    if notice.arena:
        return notice.arena
    if notice.match:
        return notice.match.arena
    if notice.arrangement:
        return notice.arrangement.arena
    return notice.competition.season.arena if notice.competition else None
