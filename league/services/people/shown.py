"""The player of a page, with what every such page begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from league.models import Player, Profile
from league.services.core.statements import columns, compact, with_related

if TYPE_CHECKING:
    from datetime import datetime

SHOWN = compact(f"""
    SELECT {columns(Player, "p")}, {columns(Profile, "o")}, clock_timestamp(), EXISTS (
        SELECT FROM league_follow AS f
        WHERE f.player_id = %(reader)s AND f.followed_id = coalesce(p.merged_into_id, p.id)
    )
    FROM league_player AS p LEFT JOIN league_profile AS o ON o.player_id = p.id
    WHERE p.id = %(player)s
""")  # noqa: S608 - names of ours


class Shown(NamedTuple):
    """A player at a moment."""

    player: Player
    """With their profile. They may have been merged into another."""
    now: datetime
    """The database's time."""
    followed: bool
    """Whether the reader follows them, or the one into whom they have been merged."""


def shown_player(pk: int, reader: Player | None) -> Shown:
    """Return a player as a reader sees them. One statement.

    Raises:
        Player.DoesNotExist: there is none with this id.
    """
    asked: dict[str, Any] = {"player": pk, "reader": reader and reader.pk}
    with connection.cursor() as cursor:
        cursor.execute(SHOWN, asked)
        row = cursor.fetchone()
    if row is None:
        raise Player.DoesNotExist
    return Shown(with_related(row, Player, profile=Profile), *row[-2:])
