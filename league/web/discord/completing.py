"""Autocomplete choices for arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arena, Player
from league.models.lookalikes import named_like
from league.services.core.errors import Refused
from league.services.results.reports.suggestions import opponents
from league.web.discord import answers
from league.web.discord.asking import arena_meant
from league.web.discord.queueing import my_rosters
from league.web.discord.reporting import my_open_matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.web.discord.answers import Answer
    from league.web.discord.asking import Asked


def complete(asked: Asked) -> Answer:
    """Return the choices for the typed argument. Refusals give none."""
    focused = asked.interaction.focused
    choose = CHOICES.get(focused.name) if focused else None
    try:
        return answers.choices(choose(asked) if choose else [])
    except Refused:
        return answers.choices([])


def arenas(asked: Asked) -> list[tuple[str, str]]:
    text = asked.argument("arena")
    published = Arena.objects.published()
    found = (named_like(published, text) | published.filter(slug__icontains=text)).order_by(
        "-is_open", "sort_name"
    )
    return [(one.name, one.slug) for one in found[: answers.MOST_CHOICES]]


def players(asked: Asked) -> list[tuple[str, str]]:
    text = asked.argument("player")
    if not text:
        return []
    found = Player.objects.listed().search(text).order_by("sort_name")
    return [(one.name, one.name) for one in found[: answers.MOST_CHOICES]]


def sides(asked: Asked) -> list[tuple[str, str]]:
    """Return opponents in the arena: rosters or players."""
    found = opponents(arena_meant(asked), asked.argument("opponent"))
    return [(one.name, one.name) for one in found]


CHOICES: dict[str, Callable[[Asked], list[tuple[str, str]]]] = {
    "arena": arenas,
    "player": players,
    "opponent": sides,
    "roster": my_rosters,
    "match": my_open_matches,
}
