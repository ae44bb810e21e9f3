"""Check stored records of wins, draws and streaks against the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection

from league.services.rating.records import COUNTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Season

WRONG = f"""
    SELECT p.name, (r.wins, r.draws, r.ignored, r.outcome, r.streak)::text,
        (coalesce(c.wins, 0), coalesce(c.draws, 0), coalesce(c.ignored, 0), c.outcome,
            coalesce(c.streak, 0))::text
    FROM league_rating AS r
    JOIN league_player AS p ON p.id = r.player_id
    LEFT JOIN ({COUNTED}) AS c ON c.player_id = r.player_id
    WHERE r.season_id = %(season)s
        AND (r.wins, r.draws, r.ignored, r.outcome, r.streak) IS DISTINCT FROM
        (coalesce(c.wins, 0), coalesce(c.draws, 0), coalesce(c.ignored, 0), c.outcome,
            coalesce(c.streak, 0))
    ORDER BY r.player_id
"""  # noqa: S608 - a literal of this file


def differences(season: Season) -> Iterator[tuple[str, str, str]]:
    """Yield the player name, stored and correct record where they differ."""
    with connection.cursor() as cursor:
        cursor.execute(WRONG, {"season": season.pk, "players": None})
        yield from cursor.fetchall()
