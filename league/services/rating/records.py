"""A player's record in a season: wins, draws and the current streak.

Rating rows store the record beside the rating, and the transaction that rates a result updates
both, so leaderboards read it at no cost. A win is an unshared first place, a draw is a shared first
place, and everything else is a loss. A draw that the rating system ignores is in the record, as it
was played, but not among the rated matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Collection

    from ratings.history import History
    from ratings.types import Integers

# An ignored match has as many rated matches as the one before it, so it comes after that.
COUNTED = """
    SELECT t.player_id, count(*) FILTER (WHERE t.outcome = 1) AS wins,
        count(*) FILTER (WHERE t.outcome = 0) AS draws,
        count(*) FILTER (WHERE t.ignored) AS ignored, max(t.latest) AS outcome,
        count(*) FILTER (WHERE t.since) AS streak
    FROM (
        SELECT o.player_id, o.outcome, o.latest, o.ignored,
            bool_and(o.outcome = o.latest) OVER (
                PARTITION BY o.player_id ORDER BY o.games DESC, o.ignored DESC
            ) AS since
        FROM (
            SELECT e.player_id, e.games, e.ignored, r.outcome,
                first_value(r.outcome) OVER (
                    PARTITION BY e.player_id ORDER BY e.games DESC, e.ignored DESC
                ) AS latest
            FROM league_ratingevent AS e
            JOIN league_participant AS p ON p.match_id = e.match_id AND p.player_id = e.player_id
            JOIN league_side AS s ON s.id = p.side_id
            CROSS JOIN LATERAL (
                SELECT CASE WHEN s.place > 0 THEN -1 WHEN EXISTS (
                    SELECT FROM league_side AS x
                    WHERE x.match_id = s.match_id AND x.id <> s.id AND x.place = 0
                ) THEN 0 ELSE 1 END AS outcome
            ) AS r
            WHERE e.season_id = %(season)s AND e.superseded_by_id IS NULL
                AND e.match_id NOT IN (
                    SELECT id FROM league_match WHERE season_id = %(season)s AND kind <> 'game'
                )
                AND (%(players)s::bigint[] IS NULL OR e.player_id = ANY(%(players)s::bigint[]))
        ) AS o
    ) AS t
    GROUP BY t.player_id
"""

RECOUNT = f"""
    UPDATE league_rating AS r
    SET wins = c.wins, draws = c.draws, ignored = c.ignored, outcome = c.outcome,
        streak = c.streak
    FROM (
        SELECT u.player, coalesce(n.wins, 0) AS wins, coalesce(n.draws, 0) AS draws,
            coalesce(n.ignored, 0) AS ignored, n.outcome, coalesce(n.streak, 0) AS streak
        FROM unnest(%(players)s::bigint[]) AS u(player)
        LEFT JOIN ({COUNTED}) AS n ON n.player_id = u.player
    ) AS c
    WHERE r.season_id = %(season)s AND r.player_id = c.player
        AND (r.wins, r.draws, r.ignored, r.outcome, r.streak)
            IS DISTINCT FROM (c.wins, c.draws, c.ignored, c.outcome, c.streak)
"""  # noqa: S608 - a literal of this file


def outcomes(history: History) -> Integers:
    """Return ``(N,)`` outcomes of participations: 1 for a win, 0 for a draw, -1 for a loss."""
    first = history.places == 0
    firsts = np.add.reduceat(first.astype(np.int64), history.side_offsets[:-1])
    alone = np.repeat(firsts == 1, np.diff(history.side_offsets))
    return np.repeat(np.where(first, np.where(alone, 1, 0), -1), history.sizes)


def recount(season_id: int, players: Collection[int]) -> None:
    """Recompute the records of these players from their events."""
    with connection.cursor() as cursor:
        cursor.execute(RECOUNT, {"season": season_id, "players": list(players)})
