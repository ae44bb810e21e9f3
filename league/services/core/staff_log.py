"""The details by which the log of staff actions names its subjects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Arena


def of_arena(arena: Arena | None) -> dict[str, Any]:
    """Return the details of an action in an arena: its id, which filters the log, and its name."""
    return {"arena_id": arena.pk, "arena": arena.name} if arena else {}


def of_arenas(arenas: Iterable[Arena]) -> dict[str, Any]:
    """Return the details of an action that may reach several arenas: it is of one or of none."""
    found = {arena.pk: arena for arena in arenas}
    return of_arena(next(iter(found.values()))) if len(found) == 1 else {}
