"""Read stored standings together with the ratings that they are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from league.services.core.columns import read_columns, to_array_literal
from league.services.standings.ranking import RatingInputs
from ratings.types import NEVER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.types import Booleans, Floats, Integers

RATING = """
    coalesce(r.rating, 0) AS rating, coalesce(r.games, 0) AS games,
    coalesce(r.last_played_at, '-infinity') AS last_played,
    r.played_before IS NOT NULL AS returning,
    coalesce(r.connected, false) AS connected
"""

OF_PLAYERS = f"""
    SELECT u.player, s.player_id IS NOT NULL AS there, coalesce(s.ctid, '(0,0)') AS row,
        coalesce(s.key, 0) AS key,
        coalesce(s.active, false) AS active, coalesce(s.decaying, 0) AS decaying,
        coalesce(s.due, {NEVER}) AS due, coalesce(s.division, -1) AS division, {RATING}
    FROM unnest(%s::bigint[]) WITH ORDINALITY AS u(player, nth)
    LEFT JOIN league_standing AS s ON s.season_id = %s AND s.player_id = u.player
    LEFT JOIN league_rating AS r ON r.season_id = %s AND r.player_id = u.player
    ORDER BY u.nth
"""  # noqa: S608 - literals of this file

OF_DUE = f"""
    WITH s AS MATERIALIZED (
        SELECT * FROM (
            SELECT player_id, ctid AS row, key, active, decaying, due, division
            FROM league_standing WHERE season_id = %s AND due <= %s
            ORDER BY due LIMIT %s
        ) AS first ORDER BY player_id
    )
    SELECT s.player_id AS player, true AS there, s.row, s.key, s.active, s.decaying, s.due,
        coalesce(s.division, -1) AS division, {RATING}
    FROM s LEFT JOIN league_rating AS r ON r.season_id = %s AND r.player_id = s.player_id
    ORDER BY s.player_id
"""  # noqa: S608 - literals of this file

KINDS = {
    "player": "i8", "there": "b", "row": "tid", "key": "f8", "active": "b", "decaying": "f8",
    "due": "i8", "division": "i8", "rating": "f8", "games": "i8", "last_played": "time",
    "returning": "b", "connected": "b",
}  # fmt: skip


@dataclass(frozen=True)
class StoredStandings:
    """The stored standings of ``n`` players."""

    there: Booleans
    """Whether there is a stored standing; if not, the rest has no meaning."""
    row: NDArray[np.void]
    """The row's location in its table, valid until it is written."""
    key: Floats
    active: Booleans
    decaying: Floats
    due: Integers
    division: Integers
    """-1 for none."""


@dataclass(frozen=True)
class PlayerColumns:
    """Players ``(n,)`` in ascending order, with their stored standings and ratings."""

    columns: dict[str, NDArray[Any]]

    @property
    def players(self) -> Integers:
        return self.columns["player"]

    def stored_standings(self) -> StoredStandings:
        names = ("there", "row", "key", "active", "decaying", "due", "division")
        return StoredStandings(*(self.columns[name] for name in names))

    def ratings(self) -> RatingInputs:
        """Return the ratings, with no games where there is none, and the stored decay time."""
        names = ("rating", "games", "last_played", "decaying", "returning", "connected")
        return RatingInputs(*(self.columns[name].copy() for name in names))

    def with_more(self, more: PlayerColumns) -> PlayerColumns:
        """Return these players and those of ``more`` who are not among them."""
        new = ~np.isin(more.players, self.players)
        order = np.argsort(np.concatenate([self.players, more.players[new]]))
        return PlayerColumns(
            {
                name: np.concatenate([column, more.columns[name][new]])[order]
                for name, column in self.columns.items()
            }
        )


def read_players(season: int, players: Integers) -> PlayerColumns:
    """Read these players, given in ascending order."""
    selected = [to_array_literal(players.tolist()), season, season]
    return PlayerColumns(read_columns(OF_PLAYERS, selected, KINDS))


def read_due(season: int, moment: int, most: int) -> PlayerColumns:
    """Read the first ``most`` players whose standings are due by a moment, in microseconds since
    1970."""
    return PlayerColumns(read_columns(OF_DUE, [season, moment, most, season], KINDS))
