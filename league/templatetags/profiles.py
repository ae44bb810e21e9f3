"""Pictures, countries and links of players in templates."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join

from league.models.countries import COUNTRIES
from league.services.privacy.profile import profile_of
from league.services.teams.pictures import CELLS, pattern

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from league.models import Player, Profile

register = template.Library()

INDICATOR = ord("\N{REGIONAL INDICATOR SYMBOL LETTER A}") - ord("A")
"""From a letter to its regional indicator."""
COLOURS = (
    ("#e7f0ea", "#1c6a47"), ("#efe9f7", "#5b3f8c"), ("#fbeee0", "#9a4f12"), ("#e4eef8", "#1f5a94"),
    ("#f9e6ea", "#9c2740"), ("#eceee2", "#5a6414"),
)  # fmt: skip
"""Backs and fronts of patterns."""


@register.simple_tag
def player_picture(player: Player, size: int = 32) -> SafeString:
    """Return a player's picture, or the pattern of their id. It is only decoration."""
    digest = profile_of(player).picture
    if digest:
        return format_html(
            '<img class="player-picture" src="{}" width="{}" height="{}" alt="" loading="lazy">',
            reverse("avatar", args=[player.pk, digest]),
            size,
            size,
        )
    number = blake2b(str(player.pk).encode(), digest_size=1).digest()[0]
    back, front = COLOURS[number % len(COLOURS)]
    cells = format_html_join("", "M{} {}h1v1h-1z", pattern(-player.pk))
    return format_html(
        '<svg class="player-picture" viewBox="-1 -1 {side} {side}" width="{size}" height="{size}" '
        'aria-hidden="true" shape-rendering="crispEdges"><path fill="{back}" d="M-1-1h{side}v{side}'
        'h-{side}z"/><path fill="{front}" d="{cells}"/></svg>',
        side=CELLS + 2,
        size=size,
        back=back,
        front=front,
        cells=cells,
    )


@register.filter
def country_name(code: str) -> str:
    """Return a country in the reader's language, empty for an unknown code."""
    return str(COUNTRIES.get(code, ""))


@register.filter
def flag(code: str) -> str:
    """Return a country's flag: its code in regional indicators, of which platforms make a flag.

    Those without flags show the two letters. Empty for an unknown code.
    """
    return "".join(chr(ord(letter) + INDICATOR) for letter in code) if code in COUNTRIES else ""


@register.filter
def without_scheme(link: str) -> str:
    """Return a link as pages show it, shortened."""
    text = link.removeprefix("https://").removesuffix("/")
    return text if len(text) <= 40 else f"{text[:39]}…"


@register.filter
def shown_profile(player: Player) -> Profile:
    return profile_of(player)
