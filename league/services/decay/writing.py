"""Write a step of zero-sum decay for all players of a season, in a few statements.

In a large season that takes a while. So the participants are written and checked first, while
results go on, and only the ratings are written while the season is locked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Match, Settlement, Status
from league.services.core.clock import microseconds
from league.services.core.columns import read_columns
from league.services.rating.bulk import next_values
from league.services.rating.tail import codes_among
from ratings.history import History, offsets
from ratings.replay import replay
from ratings.types import States

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season
    from ratings.types import Integers

MOST_SIDES = 30_000
"""The most sides of a step. More players share sides, which makes no difference to it."""

# Players who played in the period, then all others in the season by its end: carried over into it,
# or with a match before that.
PARTICIPANTS = """
    WITH active AS MATERIALIZED (
        SELECT DISTINCT p.player_id
        FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
        WHERE m.arena_id = %s AND m.season_id = %s AND m.status = 'rated' AND m.kind = 'game'
            AND m.played_at >= %s AND m.played_at < %s
    )
    SELECT r.player_id AS player, a.player_id IS NULL AS away
    FROM league_rating AS r LEFT JOIN active AS a USING (player_id)
    WHERE r.season_id = %s AND r.player_id <> ALL(%s) AND (
        a.player_id IS NOT NULL OR r.opening IS NOT NULL
        OR r.last_played_at IS NULL OR r.last_played_at < %s
        OR EXISTS (
            SELECT FROM league_ratingevent AS e JOIN league_match AS m ON m.id = e.match_id
            WHERE e.season_id = %s AND e.player_id = r.player_id AND e.games = 1
                AND e.superseded_by_id IS NULL AND m.kind = 'game' AND m.played_at < %s
        )
    )
    ORDER BY away, player
"""
RATINGS = """
    SELECT id, player_id AS player, rating, games, coalesce(deviation, 'NaN') AS deviation,
        coalesce(volatility, 'NaN') AS volatility,
        coalesce(last_played_at, '-infinity') AS last_played
    FROM league_rating WHERE season_id = %s
"""
KINDS = {
    "id": "i8", "player": "i8", "rating": "f8", "games": "i8", "deviation": "f8",
    "volatility": "f8", "last_played": "time",
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

FOREIGN_KEYS = """
    SELECT string_agg(quote_ident(conname), ', ') FROM pg_constraint
    WHERE conrelid = 'league_participant'::regclass AND contype = 'f'
"""

# A step changes ratings and nothing else of a player's state.
WRITE_RATINGS = """
    WITH step AS MATERIALIZED (
        SELECT * FROM unnest(%(ratings)s::bigint[], %(after)s::float8[], %(change)s::float8[])
            AS u(id, rating, change)
    ), events AS (
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


@dataclass(frozen=True)
class Step:
    """A step with ``N`` participants on ``S`` sides, which are written; its ratings are not yet."""

    season: Season
    entry: Match
    players: Integers
    """``(N,)`` ids, in the order of sides."""
    sizes: Integers
    """``(S,)`` participants of each side."""
    places: Integers
    """``(S,)`` 0 for active players, 1 for inactive ones."""


def prepare(season: Season, since: datetime, at: datetime) -> Step | None:
    """Write the participants of the step of the period from ``since`` to ``at``.

    None if nobody was active then, or nobody inactive. Results of the season go on meanwhile.
    """
    fixed = season.anchors
    given = [season.arena_id, season.pk, since, at, season.pk, fixed, at, season.pk, at]
    held = read_columns(PARTICIPANTS, given, {"player": "i8", "away": "b"})
    away = int(np.count_nonzero(held["away"]))
    active = len(held["away"]) - away
    if not (active and away):
        return None
    entry = Match.objects.create(
        arena_id=season.arena_id,
        season=season,
        status=Status.LIVE,
        played_at=at,
        kind=Match.Kind.DECAY,
    )
    step = Step(season, entry, held["player"], *sides_of(active, away))
    write_sides(step)
    check_keys()
    return step


def carry_out(step: Step, now: datetime) -> Match | None:
    """Rate a step and write the ratings. The caller holds the season's lock.

    None if a correction has removed the rating of a participant meanwhile.
    """
    held = read_columns(RATINGS, [step.season.pk], KINDS)
    rows = codes_among(step.players, held["player"])
    if (rows < 0).any():
        return None
    states = States(
        rating=held["rating"][rows],
        deviation=held["deviation"][rows],
        volatility=held["volatility"][rows],
        games=held["games"][rows],
        last_played=held["last_played"][rows],
        memory=np.empty((len(rows), 0)),
    )
    rated = replay(step.season.system(), history_of(step), states)
    entry = step.entry
    entry.status, entry.settlement, entry.settled_at = Status.RATED, Settlement.DECAY, now
    (entry.rated_order,) = next_values("'league_match_rated_order'", 1)
    entry.save(update_fields=["status", "settlement", "settled_at", "rated_order"])
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE_RATINGS,
            {
                "ratings": held["id"][rows].tolist(),
                "after": rated.after.rating.tolist(),
                "change": rated.terms["change"].tolist(),
                "match": entry.pk,
                "now": now,
                "season": step.season.pk,
            },
        )
    return entry


def sides_of(active: int, away: int) -> tuple[Integers, Integers]:
    """Return the sizes ``(S,)`` and places ``(S,)`` of sides."""
    size = 1 + (active + away) // MOST_SIDES
    sizes = [
        np.diff(np.append(np.arange(0, count, size, dtype=np.int64), count))
        for count in (active, away)
    ]
    return np.concatenate(sizes), np.repeat([0, 1], [len(sizes[0]), len(sizes[1])])


def history_of(step: Step) -> History:
    """Return the step as a history of one match."""
    count, sides = len(step.players), len(step.sizes)
    return History(
        players=[str(player) for player in step.players.tolist()],
        professions=[""],
        match_ids=[str(step.entry.pk)],
        times=np.array([microseconds(step.entry.played_at)]),
        weights=np.ones(1),
        perf_ceilings=np.full(1, np.inf),
        side_offsets=np.array([0, sides]),
        places=step.places,
        scores=np.full(sides, np.nan),
        participant_offsets=offsets(step.sizes),
        player=np.arange(count),
        seconds=np.full(count, np.nan),
        quits=np.zeros(count, np.bool_),
        profession=np.zeros(count, np.int64),
        played=np.zeros(1, np.bool_),
    )


def write_sides(step: Step) -> None:
    """Write the sides and participants of a step."""
    sides = next_values("pg_get_serial_sequence('league_side', 'id')", len(step.sizes))
    firsts = offsets(step.sizes)[:-1]
    positions = np.arange(len(step.players)) - np.repeat(firsts, step.sizes)
    with connection.cursor() as cursor:
        cursor.execute(
            WRITE_SIDES,
            [step.entry.pk, sides, step.places.tolist(), step.players[firsts].tolist()],
        )
        cursor.execute(
            WRITE_PARTICIPANTS,
            [
                step.entry.pk,
                np.repeat(sides, step.sizes).tolist(),
                step.players.tolist(),
                positions.tolist(),
            ],
        )


def check_keys() -> None:
    """Check the foreign keys of the participants now, not at the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(FOREIGN_KEYS)
        (names,) = cursor.fetchone()
        cursor.execute(f"SET CONSTRAINTS {names} IMMEDIATE")
        cursor.execute(f"SET CONSTRAINTS {names} DEFERRED")
