"""How much a win counts after the winner's earlier wins over the same opponents.

With more than two sides, everybody wins over those placed below.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection

from ratings.seasons.one_sided import (
    HALF_YEAR,
    Earlier,
    EarlierOfMany,
    share_left,
    share_left_of_many,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.services.core.locking import LockedMatch

LATEST = 500
"""How many of a player's matches that count are read, latest first."""

LARGEST_READ = 100_000
"""Roughly how many opponents are read for a match of more than two sides."""

EARLIER_MATCHES = """
    WITH latest AS (
        SELECT one.match_id, one.player_id, one.side_id
        FROM unnest(%(players)s::bigint[]) AS u(player)
        CROSS JOIN LATERAL (
            SELECT p.match_id, p.player_id, p.side_id FROM league_participant AS p
            JOIN league_match AS g ON g.id = p.match_id
            WHERE p.player_id = u.player AND g.season_id = %(season)s AND g.status = 'rated'
                AND g.kind = 'game' AND g.settlement <> 'import'
            ORDER BY p.match_id DESC LIMIT %(latest)s
        ) AS one
    )
    SELECT l.player_id, e.rating_after - e.rating_before, e.deviation_before, opponents.*
    FROM latest AS l
    JOIN league_match AS m ON m.id = l.match_id
    JOIN league_ratingevent AS e ON e.match_id = m.id AND e.player_id = l.player_id
        AND e.superseded_by_id IS NULL
    CROSS JOIN LATERAL ({opponents}) AS opponents
    WHERE m.settled_at > %(since)s
    ORDER BY m.rated_order
"""

# Each player's matches with the shares of their opponents who are the same as now, and of others
# who restore the budget, oldest first. For connected players, all opponents who are not connected
# are the same one, and restore nothing.
EARLIER = EARLIER_MATCHES.format(
    opponents="""
        SELECT avg(kind.same::int)::float8 AS same,
            avg((NOT kind.same AND NOT kind.unknown)::int)::float8 AS others
        FROM league_participant AS t
        LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = t.player_id
        CROSS JOIN LATERAL (
            SELECT l.player_id = ANY(%(connected)s) AND NOT coalesce(r.connected, false) AS unknown
        ) AS one
        CROSS JOIN LATERAL (
            SELECT one.unknown,
                t.player_id = ANY(%(opponents)s) OR (one.unknown AND %(unknown)s) AS same
        ) AS kind
        WHERE t.match_id = l.match_id AND t.side_id <> l.side_id
    """
)

# Each player's matches with how many opponents they had, how many of these are not connected
# though the player is, and which of them play now, oldest first.
EARLIER_OF_MANY = EARLIER_MATCHES.format(
    opponents="""
        SELECT count(*),
            count(*) FILTER (
                WHERE l.player_id = ANY(%(connected)s) AND NOT coalesce(r.connected, false)
            ),
            coalesce(array_agg(t.player_id) FILTER (WHERE t.player_id = ANY(%(players)s)), '{}')
        FROM league_participant AS t
        LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = t.player_id
        WHERE t.match_id = l.match_id AND t.side_id <> l.side_id
    """
)


def one_sidedness(locked: LockedMatch, sides: dict[int, int], met: bool, now: datetime) -> float:
    """Return how much a match counts by its winners' budgets, 1 for fully.

    ``met`` says whether any of its players have met in earlier matches. If not, and all are
    connected or none, nothing has to be read.
    """
    if not locked.fair_play.one_sided:
        return 1.0
    if len(locked.match.sides) != 2:
        return one_sidedness_of_many(locked, sides, met, now)
    return min(
        (share for side in gaining(locked) for share in shares(locked, sides, side, met, now)),
        default=1.0,
    )


def gaining(locked: LockedMatch) -> list[int]:
    """Return the winning side, or both of a draw: one of them gains by it."""
    one, other = (side.place for side in locked.match.sides)
    if one == other:
        return [0, 1]
    return [0] if one < other else [1]


def shares(
    locked: LockedMatch,
    sides: dict[int, int],
    side: int,
    met: bool,
    now: datetime,
) -> Iterator[float]:
    """Yield what is left of the budget of each player of a side."""
    rules = locked.fair_play
    own = [player for player, theirs in sides.items() if theirs == side]
    opponents = [player for player, theirs in sides.items() if theirs != side]
    connected = [player for player in own if player in locked.connected]
    unknown = bool(connected) and not locked.connected.issuperset(opponents)
    if not met and not unknown:
        return
    selected: dict[str, Any] = {
        "players": own,
        "opponents": opponents,
        "connected": connected,
        "unknown": unknown,
        "latest": LATEST,
        "season": locked.season_id,
        "since": now - timedelta(seconds=HALF_YEAR),
    }
    earlier: dict[int, list[Earlier]] = {player: [] for player in own}
    with connection.cursor() as cursor:
        cursor.execute(EARLIER, selected)
        for player, *values in cursor.fetchall():
            earlier[player].append(Earlier(*values))
    for player, matches in earlier.items():
        restored = rules.restored
        if unknown and player in locked.connected:
            restored = rules.restored_unranked
        yield share_left(rules.one_sided, restored, matches, locked.system.scale)


def one_sidedness_of_many(
    locked: LockedMatch, sides: dict[int, int], met: bool, now: datetime
) -> float:
    """Return the same for a match of more than two sides: the least that a player has left."""
    connected = [player for player in sides if player in locked.connected]
    if not met and (not connected or len(connected) == len(sides)):
        return 1.0
    earlier: dict[int, list[EarlierOfMany]] = {player: [] for player in sides}
    selected: dict[str, Any] = {
        "players": list(sides),
        "connected": connected,
        "latest": min(LATEST, LARGEST_READ // len(sides) ** 2),
        "season": locked.season_id,
        "since": now - timedelta(seconds=HALF_YEAR),
    }
    with connection.cursor() as cursor:
        cursor.execute(EARLIER_OF_MANY, selected)
        for player, *values in cursor.fetchall():
            earlier[player].append(EarlierOfMany(*values))
    places = [side.place for side in locked.match.sides]
    scale = locked.system.scale
    return min(
        (
            share_left_of_many(locked.fair_play, matches, below, scale)
            for player, matches in earlier.items()
            if (below := placed_below(locked, player, sides, places))
        ),
        default=1.0,
    )


def placed_below(
    locked: LockedMatch, player: int, sides: dict[int, int], places: list[int]
) -> dict[int, bool]:
    """Return the opponents whose side was placed below that of a player, or shared its place.

    The values say whether they are not connected, though the player is.
    """
    own, known = sides[player], player in locked.connected
    return {
        other: known and other not in locked.connected
        for other, side in sides.items()
        if side != own and places[side] >= places[own]
    }
