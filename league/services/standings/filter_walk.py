"""Filter the leaderboard by division, deviation or matches: a walk along the stored order.

A walk reads a bounded number of standings and returns where it stopped, so it costs the same at
any depth and size, and the next walk continues from there. Divisions lie between two cuts, plus
a margin at both ends, so the walk for a division starts and ends there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.services.standings.board import ENTRY, VERSION, Entry, entries

if TYPE_CHECKING:
    from league.services.standings.board import Board

LOOKED_AT = 2_000
"""The most standings a walk reads."""
READ = 500
"""The most ratings a walk reads: a deviation may have grown too wide since it was stored."""

Cursor = tuple[float, int]
"""A place between two standings: right before this key and player."""

# LIMIT in the lateral parts makes each standing look up its rating in the index, in order, and the
# walk ends with the last row wanted.
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
    SELECT v.version, last.key, last.player_id, found.*
    FROM (SELECT {version} AS version) AS v
    LEFT JOIN looked AS last ON last.nth = %(look)s
    LEFT JOIN (
        SELECT {entry}, s.nth
        FROM looked AS s
        CROSS JOIN LATERAL (
            SELECT * FROM league_rating
            WHERE season_id = %(season)s AND player_id = s.player_id
                AND (%(sure)s::float8 IS NULL OR deviation <= %(sure)s)
                AND (%(games)s::int IS NULL OR games >= %(games)s)
            LIMIT 1
        ) AS r
        CROSS JOIN LATERAL (
            SELECT name FROM league_player WHERE id = s.player_id LIMIT 1
        ) AS p
        WHERE %(division)s::int IS NULL OR s.division = %(division)s
        ORDER BY s.nth LIMIT %(read)s
    ) AS found ON true
    ORDER BY found.nth
"""
DOWN = WALK.format(version=VERSION, entry=ENTRY, beyond=">=", way="ASC")
UP = WALK.format(version=VERSION, entry=ENTRY, beyond="<", way="DESC")


@dataclass(frozen=True)
class Filter:
    """A choice of ranked players to list."""

    division: int | None = None
    """From 0 for the lowest; None for all."""
    deviation: float | None = None
    """The widest deviation, including what inactivity has added; None for any."""
    games: int | None = None
    """The fewest rated matches; None for any."""

    def __bool__(self) -> bool:
        return self != Filter()


@dataclass(frozen=True)
class Walk:
    """The players found by a walk, in its direction."""

    entries: list[Entry]
    """Some deviations may have grown beyond the filter since they were stored."""
    last: Cursor | None
    """The last standing read before the walk stopped early; None if it reached the end."""


def walk(board: Board, chosen: Filter, start: Cursor, count: int, *, up: bool = False) -> Walk:
    """Find ``count`` players from ``start`` on, down or up the leaderboard. One query.

    Raises:
        StaleBoard: the standings have changed since the board was loaded.
    """
    read = count if chosen.deviation is None else max(READ, count)
    rows = board.query(
        UP if up else DOWN,
        division=chosen.division,
        sure=chosen.deviation,
        games=chosen.games,
        key=start[0],
        player=start[1],
        look=LOOKED_AT,
        read=read,
    )
    found = entries([row[2:-1] for row in rows])
    last = (rows[0][0], rows[0][1]) if rows[0][0] is not None else None
    if len(found) == read:
        last = (found[-1].key, found[-1].player_id)
    return Walk(found, last)


TOP: Cursor = (-math.inf, 0)
