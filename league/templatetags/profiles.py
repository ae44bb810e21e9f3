"""Pictures, countries and links of players in templates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from django import template
from django.urls import reverse
from django.utils.html import format_html

from league.models.countries import COUNTRIES
from league.services.privacy.profile import profile_of

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from league.models import Arena, Player, Profile

    class HasPicture(Protocol):
        """A row of a leaderboard, of final standings, or of a live match."""

        @property
        def player_id(self) -> int: ...
        @property
        def name(self) -> str: ...
        @property
        def picture(self) -> str:
            """The digest of the player's picture, empty without one."""


register = template.Library()

FACES = 12
"""The number of colours of generated pictures, in ``static/css/core/base.css``."""


@register.simple_tag
def player_picture(player: Player, size: int = 32) -> SafeString:
    """Return a player's picture, or their initials on a colour of their own. It is decoration.

    The player's profile is read unless it is loaded.
    """
    return face(player.pk, player.name, player.picture, size)


def face(player: int, name: str, digest: str, size: int = 24) -> SafeString:
    """Return the picture with a digest, or without one the initials of a name.

    Style sheets draw the letters, so that neither search nor screen readers meet them in names.
    """
    if digest:
        return format_html(
            '<img class="player-picture" src="{}" width="{}" height="{}" alt="" loading="lazy">',
            reverse("avatar", args=[player, digest]),
            size,
            size,
        )
    return format_html(
        '<span class="player-picture face face-{} face-of-{}" data-letters="{}" aria-hidden="true">'
        "</span>",
        player % FACES,
        size,
        initials(name),
    )


@register.simple_tag
def row_picture(row: HasPicture, size: int = 20) -> SafeString:
    """Return the picture of the player in a row that has the digest of their picture."""
    return face(row.player_id, row.name, row.picture, size)


@register.simple_tag
def arena_sign(arena: Arena, size: int = 32) -> SafeString:
    """Return the initials of an arena on a colour of its own. It is decoration."""
    return format_html(
        '<span class="face face-{} face-of-{} arena-sign" data-letters="{}" aria-hidden="true">'
        "</span>",
        arena.pk % FACES,
        size,
        initials(arena.name),
    )


def initials(name: str) -> str:
    """Return the first letters of the first and the last word of a name, as capitals.

    Words without letters and digits do not count.
    """
    firsts = [word[0].upper()[0] for word in re.findall(r"[^\W_][^\s]*", name)]
    return "".join(firsts[:1] + firsts[1:][-1:]) or "?"


@register.filter
def country_name(code: str) -> str:
    """Return a country in the reader's language, empty for an unknown code."""
    return str(COUNTRIES.get(code, ""))


@register.filter
def flag(code: str) -> SafeString | str:
    """Return a chip with the code of a country, as not every platform has flags among its emoji.

    Empty for an unknown code.
    """
    if code not in COUNTRIES:
        return ""
    return format_html(
        '<span class="flag" role="img" aria-label="{name}" title="{name}" '
        'data-code="{code}"></span>',
        name=COUNTRIES[code],
        code=code,
    )


@register.filter
def without_scheme(link: str) -> str:
    """Return a link as pages show it, shortened."""
    text = link.removeprefix("https://").removesuffix("/")
    return text if len(text) <= 40 else f"{text[:39]}…"


@register.filter
def shown_profile(player: Player) -> Profile:
    return profile_of(player)
