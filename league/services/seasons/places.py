"""Players' places in a season of matches with more than two sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.models import Season

PLACES = """
    SELECT p.player_id,
        count(*) FILTER (WHERE s.place = 0),
        count(*) FILTER (WHERE s.place = 1),
        count(*) FILTER (WHERE s.place = 2),
        avg(s.place + 1)::float8
    FROM league_participant AS p
    JOIN league_match AS m ON m.id = p.match_id
    JOIN league_side AS s ON s.id = p.side_id
    WHERE p.player_id = ANY(%(players)s) AND m.season_id = %(season)s
        AND m.status = 'rated' AND m.kind = 'game'
    GROUP BY p.player_id
"""


class Places(NamedTuple):
    """The number of first, second and third places of a player, shared or not, and the average
    place.
    """

    first: int
    second: int
    third: int
    average: float


def places_of(season: Season, players: Collection[int]) -> dict[int, Places]:
    """Return the places of these players in a season's rated matches, by player id. One query."""
    with connection.cursor() as cursor:
        cursor.execute(PLACES, {"season": season.pk, "players": list(players)})
        return {player: Places(*row) for player, *row in cursor.fetchall()}
