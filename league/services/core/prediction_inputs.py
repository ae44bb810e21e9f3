"""The figures of players that the published prediction goes by, read as an SQL expression."""

from __future__ import annotations

from typing import NamedTuple

from league.services.core.shown_ratings import decayed_rating


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


class PredictionInputs(NamedTuple):
    """The figures of a player in an arena's season."""

    points: float
    """Ladder points of the season."""
    rank: float
    """As the arena's queue counts it."""
    rating: float | None
    """The effective rating that the board shows, ``None`` if it is the stored one."""


def prediction_inputs_of(*, season: str, arena: str, player: str, source: str) -> str:
    """Return an expression for a player's :class:`PredictionInputs`, an array.

    The arguments are expressions for ids and for the source of the queue's ranks. A rating differs
    from the stored one only where the season's rules let it decay.
    """
    return f"""ARRAY[
        coalesce((SELECT t.points FROM league_pointtotal AS t
            WHERE t.season_id = {season} AND t.player_id = {player}), 0)::float8,
        {rank_of(source=source, arena=arena, player=player)},
        {decayed_rating(season=season, player=player)}
    ]"""  # noqa: S608 - expressions of ours
