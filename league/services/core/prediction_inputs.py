"""The figures of players that the published prediction goes by, read as an SQL expression."""

from __future__ import annotations

from typing import NamedTuple

from league.services.core.ranks import rank_of
from league.services.core.shown_ratings import decayed_rating


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
