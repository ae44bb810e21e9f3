"""A player's place in several seasons: their ratings and, if they are ranked, positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.services.core.columns import binary_cursor, to_array_literal
from league.services.standings.board import (
    ENTRY,
    IS_SHOWN,
    NEAR,
    Entry,
    StaleBoard,
    cached_board,
    load,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.services.standings.board import Board, Position

# One player's ratings and standings. For a ranked player also the keys right before theirs, and
# how many players with the same key follow.
PLAYER = f"""
    SELECT near.keys, near.players, near.level, h.version, r.season_id, s.active, {ENTRY}
    FROM unnest(%s::bigint[]) AS asked(season)
    JOIN league_rating AS r
        ON r.season_id = asked.season AND r.player_id = %s AND {IS_SHOWN}
    JOIN league_player AS p ON p.id = r.player_id
    LEFT JOIN league_standing AS s ON s.season_id = r.season_id AND s.player_id = r.player_id
    LEFT JOIN league_standinghistogram AS h ON h.season_id = r.season_id
    LEFT JOIN LATERAL (
        SELECT array_agg(key) AS keys, array_agg(player_id) AS players, (
            SELECT count(*) FROM (
                SELECT FROM league_standing AS a
                WHERE a.season_id = s.season_id AND a.active
                    AND a.key = s.key AND a.player_id > s.player_id LIMIT {NEAR}
            ) AS them
        ) AS level
        FROM (
            SELECT key, player_id FROM league_standing AS b
            WHERE b.season_id = s.season_id AND b.active
                AND (b.key, b.player_id) < (s.key, s.player_id)
            ORDER BY b.key DESC, b.player_id DESC LIMIT {NEAR}
        ) AS them
    ) AS near ON s.active
"""  # noqa: S608 - literals of this file


@dataclass(frozen=True)
class PlayerStanding:
    """A player's rating in a season, and their position if they are ranked."""

    board: Board
    entry: Entry
    position: Position | None


def player_standings(player: int, seasons: Collection[int]) -> dict[int, PlayerStanding]:
    """Return a player's standings by season, for seasons in which they have a rating.

    One query, one more for histograms that have changed, and one for a rating shared with many.
    """
    while True:
        with binary_cursor() as cursor:
            cursor.execute(PLAYER, [to_array_literal(seasons), player])
            rows = cursor.fetchall()
        boards = {row[4]: board for row in rows if (board := cached_board(row[4]))}
        stale = [
            season
            for _keys, _players, _level, version, season, *_row in rows
            if season not in boards or boards[season].version != version
        ]
        if stale:
            boards |= load(stale)
        try:
            return {
                season: PlayerStanding(
                    boards[season],
                    Entry(*row),
                    boards[season].position_from_neighbours(
                        version, row[0], player, (keys or (), players or ()), level
                    )
                    if active
                    else None,
                )
                for keys, players, level, version, season, active, *row in rows
            }
        except StaleBoard:
            continue
