"""The figures of players that the published prediction goes by, read as an SQL expression."""

from __future__ import annotations

from typing import NamedTuple


class Figures(NamedTuple):
    """The figures of a player in an arena's season."""

    points: float
    """Ladder points of the season."""
    rank: float
    """Rated matches in the arena, over all seasons."""
    rating: float | None
    """The effective rating that the board shows, ``None`` if it is the stored one."""


def figures_of(*, season: str, arena: str, player: str) -> str:
    """Return an expression for a player's :class:`Figures`, an array, given expressions of ids.

    A rating differs from the stored one only where the season's rules let it decay.
    """
    return f"""ARRAY[
        coalesce((SELECT t.points FROM league_pointtotal AS t
            WHERE t.season_id = {season} AND t.player_id = {player}), 0)::float8,
        coalesce((SELECT sum(past.games) FROM league_rating AS past
            JOIN league_season AS every ON every.id = past.season_id
            WHERE past.player_id = {player} AND every.arena_id = {arena}), 0)::float8,
        (SELECT -shown.key FROM league_standing AS shown
            JOIN league_season AS own ON own.id = shown.season_id
            WHERE shown.season_id = {season} AND shown.player_id = {player}
                AND coalesce((own.rules->'decay'->>'points')::float8, 0) > 0)
    ]"""  # noqa: S608 - expressions of ours
