"""Writing a step of zero-sum decay: of everybody of a season at once, in a few statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Match, Settlement, Status
from league.services import imported_rows
from league.services.clock import microseconds
from league.services.columns import read_columns
from ratings.history import History, offsets
from ratings.replay import replay
from ratings.types import States

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season
    from ratings.types import Integers

MOST_SIDES = 30_000
"""Of more players, several are written on one side: it makes no difference to a step."""

# Who played in the period, then all others who were of the season by its end: taken over by it, or
# with an earlier match than that.
EVERYBODY = """
    WITH active AS MATERIALIZED (
        SELECT DISTINCT p.player_id
        FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
        WHERE m.arena_id = %s AND m.season_id = %s AND m.status = 'rated' AND m.played
            AND m.played_at >= %s AND m.played_at < %s
    )
    SELECT r.id, r.player_id AS player, r.rating, r.games,
        coalesce(r.deviation, 'NaN') AS deviation, coalesce(r.volatility, 'NaN') AS volatility,
        coalesce(r.last_played_at, '-infinity') AS last_played, a.player_id IS NULL AS away
    FROM league_rating AS r LEFT JOIN active AS a USING (player_id)
    WHERE r.season_id = %s AND (
        a.player_id IS NOT NULL OR r.opening IS NOT NULL
        OR r.last_played_at IS NULL OR r.last_played_at < %s
        OR EXISTS (
            SELECT FROM league_ratingevent AS e JOIN league_match AS m ON m.id = e.match_id
            WHERE e.season_id = %s AND e.player_id = r.player_id AND e.games = 1
                AND e.superseded_by_id IS NULL AND m.played AND m.played_at < %s
        )
    )
    ORDER BY away, player
"""
KINDS = {
    "id": "i8", "player": "i8", "rating": "f8", "games": "i8", "deviation": "f8",
    "volatility": "f8", "last_played": "time", "away": "b",
}  # fmt: skip

WRITE_SIDES = """
    INSERT INTO league_side (id, match_id, index, place, captain_id)
    SELECT id, %s, number - 1, place, captain
    FROM unnest(%s::bigint[], %s::int[], %s::bigint[])
        WITH ORDINALITY AS u(id, place, captain, number)
"""

WRITE_PARTICIPANTS = """
    INSERT INTO league_participant
        (match_id, side_id, player_id, position, quit, profession, live)
    SELECT %s, side, player, position, false, '', false
    FROM unnest(%s::bigint[], %s::bigint[], %s::int[]) AS u(side, player, position)
"""

# A step moves ratings and nothing else that players are known by.
WRITE_RATINGS = """
    WITH step AS MATERIALIZED (
        SELECT * FROM unnest(%(ratings)s::bigint[], %(after)s::float8[], %(change)s::float8[])
            AS u(id, rating, change)
    ), told AS (
        INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, games,
            rating_before, rating_after, deviation_before, deviation_after,
            volatility_before, volatility_after, why, last_played_before)
        SELECT r.season_id, %(match)s, r.player_id, %(now)s, r.games,
            r.rating, step.rating, r.deviation, r.deviation, r.volatility, r.volatility,
            jsonb_build_object('change', step.change), r.last_played_at
        FROM step JOIN league_rating AS r ON r.season_id = %(season)s AND r.id = step.id
    )
    UPDATE league_rating AS r SET rating = step.rating
    FROM step WHERE r.season_id = %(season)s AND r.id = step.id AND r.rating <> step.rating
"""


def write(season: Season, since: datetime, at: datetime, now: datetime) -> Match | None:
    """Write and rate the step of the period from ``since`` to ``at``; none if nobody was active
    then, or nobody away. The caller holds the season alone."""
    held = read_columns(
        EVERYBODY, [season.arena_id, season.pk, since, at, season.pk, at, season.pk, at], KINDS
    )
    away = held["away"]
    if away.all() or not away.any():
        return None
    states = States(
        rating=held["rating"],
        deviation=held["deviation"],
        volatility=held["volatility"],
        games=held["games"],
        last_played=held["last_played"],
        memory=np.empty((len(away), 0)),
    )
    (order,) = imported_rows.next_values("'league_match_rated_order'", 1)
    entry = Match.objects.create(
        arena_id=season.arena_id,
        season=season,
        status=Status.RATED,
        played_at=at,
        played=False,
        settled_at=now,
        settlement=Settlement.DECAY,
        rated_order=order,
    )
    sizes, places = sides_of(int(np.count_nonzero(~away)), int(np.count_nonzero(away)))
    rated = replay(season.system(), history_of(entry, held["player"], sizes, places), states)
    write_sides(entry, held["player"], sizes, places)
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE_RATINGS,
            {
                "ratings": held["id"].tolist(),
                "after": rated.after.rating.tolist(),
                "change": rated.terms["change"].tolist(),
                "match": entry.pk,
                "now": now,
                "season": season.pk,
            },
        )
    return entry


def sides_of(active: int, away: int) -> tuple[Integers, Integers]:
    """``(S,)`` how many share each side, and its place."""
    size = 1 + (active + away) // MOST_SIDES
    sizes = [
        np.diff(np.append(np.arange(0, count, size, dtype=np.int64), count))
        for count in (active, away)
    ]
    return np.concatenate(sizes), np.repeat([0, 1], [len(sizes[0]), len(sizes[1])])


def history_of(entry: Match, players: Integers, sizes: Integers, places: Integers) -> History:
    """The step as a history of one entry, of ``players`` (N,) in the order of sides."""
    return History(
        players=[str(player) for player in players.tolist()],
        professions=[""],
        match_ids=[str(entry.pk)],
        times=np.array([microseconds(entry.played_at)]),
        weights=np.ones(1),
        perf_ceilings=np.full(1, np.inf),
        side_offsets=np.array([0, len(sizes)]),
        places=places,
        scores=np.full(len(sizes), np.nan),
        participant_offsets=offsets(sizes),
        player=np.arange(len(players)),
        seconds=np.full(len(players), np.nan),
        quits=np.zeros(len(players), np.bool_),
        profession=np.zeros(len(players), np.int64),
        played=np.zeros(1, np.bool_),
    )


def write_sides(entry: Match, players: Integers, sizes: Integers, places: Integers) -> None:
    """Write the sides of a step and who is on them."""
    ids = imported_rows.next_values("pg_get_serial_sequence('league_side', 'id')", len(sizes))
    firsts = offsets(sizes)[:-1]
    positions = np.arange(len(players)) - np.repeat(firsts, sizes)
    with connection.cursor() as cursor:
        cursor.execute(WRITE_SIDES, [entry.pk, ids, places.tolist(), players[firsts].tolist()])
        cursor.execute(
            WRITE_PARTICIPANTS,
            [
                entry.pk,
                np.repeat(ids, sizes).tolist(),
                players.tolist(),
                positions.tolist(),
            ],
        )
