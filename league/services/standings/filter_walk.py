"""Ranked players of a division, or of sure ratings: a walk along the stored order.

A walk looks at a bounded number of standings, whatever there is to find, and tells how far it came:
so it costs the same at any depth and size, and the next one goes on where it ended. Divisions lie
between two cuts, a margin wide at both ends, so the walk for one begins and ends there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.services.standings.board import VERSION

if TYPE_CHECKING:
    from league.services.standings.board import Board

LOOKED_AT = 2_000
"""Standings that a walk looks at, at most."""
READ = 500
"""Ratings that it reads, at most: rest may have made a deviation too wide since it was stored."""

Edge = tuple[float, int]
"""Between two standings: right at this key and player."""

# LIMIT in the lateral parts: each standing looks its rating up in the index, in the order they
# have, and the walk ends with the last row that is wanted.
WALK = """
    WITH cuts AS (
        SELECT coalesce((
                SELECT reached[%(division)s::int + 1] FROM league_standingcuts
                WHERE season_id = %(season)s
            ), '-infinity') AS best,
            coalesce((
                SELECT kept[%(division)s::int] FROM league_standingcuts
                WHERE season_id = %(season)s
            ), 'infinity') AS worst
    ), looked AS MATERIALIZED (
        SELECT key, player_id, division, row_number() OVER () AS nth FROM (
            SELECT key, player_id, division FROM league_standing
            WHERE season_id = %(season)s AND active
                AND (key, player_id) {beyond} (%(key)s, %(player)s)
                AND key >= (SELECT best FROM cuts) AND key <= (SELECT worst FROM cuts)
            ORDER BY key {way}, player_id {way} LIMIT %(look)s
        ) AS them
    )
    SELECT v.version, last.key, last.player_id, s.key, s.player_id, s.name, s.id, s.rating,
        s.deviation, s.volatility, s.games, s.last_played_at, s.memory, s.division,
        s.wins, s.draws, s.outcome, s.streak
    FROM (SELECT {version} AS version) AS v
    LEFT JOIN looked AS last ON last.nth = %(look)s
    LEFT JOIN (
        SELECT one.nth, one.key, one.player_id, p.name, r.*, one.division
        FROM looked AS one
        CROSS JOIN LATERAL (
            SELECT id, rating, deviation, volatility, games, last_played_at, memory,
                wins, draws, outcome, streak
            FROM league_rating
            WHERE season_id = %(season)s AND player_id = one.player_id
                AND (%(sure)s::float8 IS NULL OR deviation <= %(sure)s)
            LIMIT 1
        ) AS r
        CROSS JOIN LATERAL (
            SELECT name FROM league_player WHERE id = one.player_id LIMIT 1
        ) AS p
        WHERE %(division)s::int IS NULL OR one.division = %(division)s
        ORDER BY one.nth LIMIT %(read)s
    ) AS s ON true
    ORDER BY s.nth
"""
DOWN = WALK.format(version=VERSION, beyond=">=", way="ASC")
UP = WALK.format(version=VERSION, beyond="<", way="DESC")


@dataclass(frozen=True)
class Choice:
    """Which of the ranked are wanted."""

    division: int | None = None
    """From 0 for the lowest; none: all."""
    sure: float | None = None
    """The widest deviation, with what rest has added to it; none: any."""

    def __bool__(self) -> bool:
        return self.division is not None or self.sure is not None


@dataclass(frozen=True)
class Walk:
    """What a walk found, in the order in which it went."""

    entries: list[tuple[Any, ...]]
    """As the board's ``ROWS`` selects them; some may be less sure by now."""
    last: Edge | None
    """The last standing that it looked at and where it broke off; none: it came to the end."""


def walk(board: Board, choice: Choice, edge: Edge, count: int, *, up: bool = False) -> Walk:
    """Look for ``count`` players from an edge on, down the board or up. One query.

    Raises:
        Moved: the standings have changed since the board was read.
    """
    read = count if choice.sure is None else max(READ, count)
    rows = board.ask(
        UP if up else DOWN,
        division=choice.division,
        sure=choice.sure,
        key=edge[0],
        player=edge[1],
        look=LOOKED_AT,
        read=read,
    )
    entries = [row[2:] for row in rows if row[2] is not None]
    last = (rows[0][0], rows[0][1]) if rows[0][0] is not None else None
    if len(entries) == read:
        last = (entries[-1][0], entries[-1][1])
    return Walk(entries, last)


TOP: Edge = (-math.inf, 0)
