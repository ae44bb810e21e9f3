"""Numbers and choices in what a browser sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models.names import fold

if TYPE_CHECKING:
    from django.http import QueryDict


def whole_number(text: str | None, default: int = 1, limit: int = 10**9) -> int:
    """Return a number from a query string, ``default`` if it is missing or invalid."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 10:
        return default
    return min(int(text), limit)


TYPED = "typed"
"""The field of a preview that has the list as it was typed, to go back to."""


def chosen_players(sent: QueryDict) -> dict[str, int]:
    """Return the players that the organiser chose for names that are like theirs."""
    return {
        fold(key.removeprefix("means-")): player
        for key in sent
        if key.startswith("means-") and (player := whole_number(sent.get(key), default=0))
    }
