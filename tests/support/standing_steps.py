"""Test steps for standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from tests.support.cast import NOW

if TYPE_CHECKING:
    from league.models import Season


def write(season: Season, players: list[int], ratings: list[float], *, games: int = 3) -> None:
    """Insert or update ratings directly in the database, bypassing the site's rules."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO league_rating
                (season_id, player_id, rating, games, last_played_at, memory)
            SELECT %s, u.*, %s, %s, '{}' FROM unnest(%s::bigint[], %s::float8[]) AS u
            ON CONFLICT (season_id, player_id) DO UPDATE
            SET rating = excluded.rating, games = league_rating.games + 1,
                last_played_at = excluded.last_played_at""",
            [season.pk, games, NOW, players, ratings],
        )
