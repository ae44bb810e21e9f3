"""How much a win counts after the winner's earlier wins over the same opponents."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection

from ratings.seasons.one_sided import HALF_YEAR, Earlier, share_left

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.services.core.locking import LockedMatch

LATEST = 500
"""How many of a player's matches that count are read, latest first."""

# Each player's matches with the shares of their opponents who are the same as now, and of others
# who restore the budget, oldest first. For connected players, all opponents who are not connected
# are the same one, and restore nothing.
EARLIER = """
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
    SELECT l.player_id, e.rating_after - e.rating_before, e.deviation_before,
        opponents.same, opponents.others
    FROM latest AS l
    JOIN league_match AS m ON m.id = l.match_id
    JOIN league_ratingevent AS e ON e.match_id = m.id AND e.player_id = l.player_id
        AND e.superseded_by_id IS NULL
    CROSS JOIN LATERAL (
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
    ) AS opponents
    WHERE m.settled_at > %(since)s
    ORDER BY m.rated_order
"""


def one_sidedness(locked: LockedMatch, sides: dict[int, int], met: bool, now: datetime) -> float:
    """Return how much a match between two sides counts by its winners' budgets, 1 for fully.

    ``met`` says whether any of its players have met in earlier matches. If not, and all are
    connected or none, nothing has to be read.
    """
    if not locked.fair_play.one_sided or len(locked.match.sides) != 2:
        return 1.0
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
