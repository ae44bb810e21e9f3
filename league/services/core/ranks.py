"""Players' ranks, read as an SQL expression."""

from __future__ import annotations


def rank_of(*, source: str, arena: str, player: str) -> str:
    """Return an expression for a player's rank, given expressions of its source and of ids.

    The source is a queue's, as ``ArenaQueue.RankSource`` names it.
    """
    return f"""coalesce(CASE {source}
        WHEN 'level' THEN (SELECT level FROM league_player WHERE id = {player})
        WHEN 'site' THEN (
            SELECT sum(past.games) FROM league_rating AS past WHERE past.player_id = {player})
        ELSE (SELECT sum(past.games) FROM league_rating AS past
            JOIN league_season AS every ON every.id = past.season_id
            WHERE past.player_id = {player} AND every.arena_id = {arena})
    END, 0)::float8"""  # noqa: S608 - expressions of ours
