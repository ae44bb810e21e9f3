"""Opponents to name in a report, by part of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Player
from league.services.results.rules.formats import plays_in_rosters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena, Roster

MOST = 10


def opponents(arena: Arena, text: str) -> Sequence[Player] | Sequence[Roster]:
    """Return rosters of an arena, or players where it has none, with a text in their names."""
    text = text.strip()
    if not text:
        return []
    if plays_in_rosters(arena):
        return list(arena.rosters.search(text).order_by("sort_name")[:MOST])
    return list(Player.objects.listed().search(text).order_by("sort_name")[:MOST])
