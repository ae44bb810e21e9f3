"""Pictures and colours of teams in templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import reverse
from django.utils.html import format_html

from league.services.teams.pictures import SHIELD, crest
from league.templatetags.profiles import player_picture

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from league.models import Player, Team

register = template.Library()


@register.simple_tag
def team_picture(team: Team, size: int = 32) -> SafeString:
    """Return a team's picture, or a crest in its colours. It is only decoration."""
    if team.picture:
        return format_html(
            '<img class="team-picture" src="{}" width="{}" height="{}" alt="" loading="lazy">',
            reverse("team_picture", args=[team.pk, team.picture]),
            size,
            size,
        )
    return format_html(
        '<svg class="team-crest" viewBox="0 0 32 32" width="{size}" height="{size}" '
        'aria-hidden="true"><path fill="{back}" d="{shield}"/><path fill="{fore}" d="{crest}"/>'
        '<path class="edge" d="{shield}"/></svg>',
        size=size,
        back=team.colour,
        fore=team.second_colour,
        shield=SHIELD,
        crest=crest(team.pk),
    )


@register.simple_tag
def team_mark(team: Team | None, size: int = 20) -> SafeString | str:
    """Return a team's picture and tag beside the name of its roster, nothing without a team."""
    if not team:
        return ""
    return format_html(
        '<span class="team-mark">{} <span class="soft small">{}</span></span> ',
        team_picture(team, size),
        team.tag,
    )


@register.simple_tag
def side_mark(team: Team | None, player: Player | None = None, size: int = 20) -> SafeString | str:
    """Return what stands before the name of a side: its team's picture and tag, or its player's.

    Nothing for a side of several players without a team. The player's profile is read unless it
    is loaded.
    """
    if team or not player:
        return team_mark(team, size)
    return format_html("{} ", player_picture(player, size))


@register.simple_tag
def team_colours(team: Team) -> SafeString:
    """Return two swatches of a team's colours."""
    return format_html(
        '<svg class="team-colours" viewBox="0 0 2 1" width="32" height="16" aria-hidden="true">'
        '<path fill="{}" d="M0 0h1v1H0z"/><path fill="{}" d="M1 0h1v1H1z"/></svg>',
        team.colour,
        team.second_colour,
    )
