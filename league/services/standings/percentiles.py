"""Percentiles of many players at once, in SQL, as the leaderboard shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.core.columns import binary_cursor, to_array_literal

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.models import Season

PLACED = """
    SELECT player_id, division, rank() OVER by_key AS rank, count(*) OVER () AS total,
        count(*) OVER (by_key RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS upto
    FROM league_standing WHERE season_id = %(season)s AND active
    WINDOW by_key AS (ORDER BY key)
"""
"""The ranked players of a season. ``upto`` counts those with the same key or a better one."""

PERCENTILE = """
    CASE WHEN rank = 1 THEN 100
        WHEN total >= 100 THEN 1 + 100 * (total - upto) / total
        ELSE 1 + 99 * (total - upto) / greatest(total - 1, 1) END
"""
"""The percentile of a row of ``PLACED``, as ``ratings.percentile`` defines it."""

OF_PLAYERS = f"""
    WITH placed AS ({PLACED})
    SELECT player_id, {PERCENTILE} FROM placed WHERE player_id = ANY(%(players)s::bigint[])
"""  # noqa: S608 - literals of this file


def percentiles_of(season: Season, players: Collection[int]) -> dict[int, int]:
    """Return percentiles from 1 to 100 by player id, without players who are not ranked."""
    with binary_cursor() as cursor:
        cursor.execute(OF_PLAYERS, {"season": season.pk, "players": to_array_literal(players)})
        return dict(cursor.fetchall())
