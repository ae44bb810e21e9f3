"""An arena as its pages need it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import connection, models

from league.models import Arena, Season

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

Row = TypeVar("Row", bound=models.Model)


def columns(model: type[models.Model], table: str) -> str:
    return ", ".join(f'{table}."{field.column}"' for field in model._meta.concrete_fields)  # noqa: SLF001 - Django's documented way to its fields


SEEN = f"""
    SELECT clock_timestamp(), EXISTS (SELECT FROM league_arenaqueue WHERE arena_id = a.id),
        {columns(Arena, "a")}, {columns(Season, "s")}
    FROM league_arena AS a LEFT JOIN league_season AS s ON s.arena_id = a.id
    WHERE a.slug = %s
    ORDER BY s.starts_at DESC
"""  # noqa: S608 - names of models


@dataclass(frozen=True)
class Seen:
    """An arena at a moment."""

    now: datetime
    """The database's time."""
    arena: Arena
    seasons: list[Season]
    """Planned ones too, the last first."""
    queue: bool
    """Whether it has one."""
    state: tuple[Any, ...] = field(repr=False)
    """All of this but the time: equal where nothing has changed."""

    def shown(self) -> Season | None:
        """The season that runs, else the last that was to begin."""
        begun = [season for season in self.seasons if season.starts_at <= self.now]
        for season in begun:
            if season.opened_at and (season.ends_at is None or season.ends_at > self.now):
                return season
        return begun[0] if begun else None


def seen(slug: str) -> Seen:
    """An arena, its seasons and what time it is: one query, as no page of it needs more.

    Raises:
        Arena.DoesNotExist: no arena has this address.
    """
    with connection.cursor() as cursor:
        cursor.execute(SEEN, [slug])
        rows = cursor.fetchall()
    if not rows:
        raise Arena.DoesNotExist
    width = 2 + len(Arena._meta.concrete_fields)  # noqa: SLF001 - as above
    now, queue = rows[0][:2]
    arena = made(Arena, rows[0][2:width])
    seasons = [made(Season, row[width:]) for row in rows if row[width] is not None]
    for season in seasons:
        season.arena = arena
    return Seen(now, arena, seasons, queue, tuple(row[1:] for row in rows))


def made(model: type[Row], values: Sequence[Any]) -> Row:
    """A row of a model from the values of all its columns, as the database gives them."""
    fields = model._meta.concrete_fields  # noqa: SLF001 - as above
    return model.from_db(
        connection.alias,
        [field.attname for field in fields],
        [
            json.loads(value)
            if isinstance(field, models.JSONField) and value is not None
            else value
            for field, value in zip(fields, values, strict=True)
        ],
    )
