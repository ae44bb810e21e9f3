"""Digests by which reports of the same game, result or request are found."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from league.services.core.types import PlayedBy, ReportedSide

# The size of a UUID, which PostgreSQL stores and indexes as 16 bytes.
DIGEST_BYTES = 16

Placed = tuple["Sequence[int]", int | None, float | None]
"""The player ids of a side, its place and its score."""


def lineup_digest(sides: Iterable[Sequence[int]]) -> UUID:
    """Return a digest of the player ids of each side, whatever the order of sides and players."""
    return digest(sorted(sorted(players) for players in sides))


def result_digest(sides: Iterable[Placed]) -> UUID:
    """Return a digest of who played, with which place and score, whatever the order."""
    placed = [[sorted(players), place, number(score)] for players, place, score in sides]
    return digest(sorted(placed, key=str))


def report_digest(
    arena_id: int,
    reporter_id: int,
    sides: Sequence[ReportedSide],
    played_at: datetime,
    information: dict[str, str] | None,
    mode: str | None,
) -> UUID:
    """Return a digest of everything in a report, whatever the order of sides and players."""
    return digest(
        [
            arena_id,
            reporter_id,
            sorted((side_of(side) for side in sides), key=str),
            played_at.timestamp(),
            sorted((information or {}).items()),
            *([mode.casefold()] if mode else []),
        ]
    )


def side_of(side: ReportedSide) -> list[Any]:
    return [
        sorted((part_of(part) for part in side.participants), key=str),
        side.captain.pk,
        side.place,
        number(side.score),
        side.roster.pk if side.roster else None,
    ]


def part_of(part: PlayedBy) -> list[Any]:
    return [part.player.pk, number(part.seconds), part.quit, part.profession]


def number(value: float | None) -> float | None:
    """Return equal numbers in one form: 3 and 3.0 have one digest."""
    return None if value is None else float(value)


def digest(value: object) -> UUID:
    text = json.dumps(value, separators=(",", ":"))
    return UUID(bytes=hashlib.blake2b(text.encode(), digest_size=DIGEST_BYTES).digest())
