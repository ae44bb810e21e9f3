"""Award ladder points for results, in the transaction that rates them.

Callers hold the locks of the players' rating rows or of the whole season, so the same totals are
never written twice at once. Tallies are only added to, which takes no lock.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from django.db.models import Count, F

from league.models import PointTally
from league.services.core.clock import microseconds
from league.services.core.kill_points import committing
from league.services.rating import versions
from ratings.points.history import EarnedPoints, earned_points

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.core.locking import LockedMatch
    from league.services.rating.versions import Stretch
    from ratings.history import History
    from ratings.types import Booleans, Floats, Integers, States

ENTRY_COLUMNS = "season_id, match_id, player_id, at, odds, score_ratio, victory, deserted, points"

AWARD = f"""
    WITH entries AS (
        SELECT u.* FROM unnest(%(players)s::bigint[], %(odds)s::float8[], %(ratios)s::float8[],
            %(victories)s::bool[], %(deserted)s::bool[], %(points)s::int[])
            AS u(player_id, odds, score_ratio, victory, deserted, points)
    ), written AS (
        INSERT INTO league_pointentry ({ENTRY_COLUMNS})
        SELECT %(season)s, %(match)s, player_id, %(now)s, odds, score_ratio, victory, deserted,
            points
        FROM entries
    ), was AS (
        SELECT t.points FROM league_pointtotal AS t JOIN entries USING (player_id)
        WHERE t.season_id = %(season)s AND t.listed
    ), are AS (
        INSERT INTO league_pointtotal AS t (season_id, player_id, points, matches, wins, listed)
        SELECT %(season)s, player_id, points, 1, (victory AND NOT deserted)::int,
            points >= %(least)s AND 1 >= %(least_matches)s
        FROM entries ORDER BY player_id
        ON CONFLICT (season_id, player_id) DO UPDATE
        SET points = t.points + excluded.points, matches = t.matches + 1,
            wins = t.wins + excluded.wins,
            listed = t.points + excluded.points >= %(least)s
                AND t.matches + 1 >= %(least_matches)s
        RETURNING points, listed
    )
    INSERT INTO league_pointtally (season_id, points, players)
    SELECT %(season)s, points, sum(players) FROM (
        SELECT points, -1 AS players FROM was
        UNION ALL SELECT points, 1 FROM are WHERE listed
    ) AS moved
    GROUP BY points HAVING sum(players) <> 0
"""  # noqa: S608 - literals of this file

# The totals of some players, or of all, from the ledger.
OF = "season_id = %(season)s AND (%(players)s::bigint[] IS NULL OR player_id = ANY(%(players)s))"
ADD_UP = (
    f"""
    INSERT INTO league_pointtally (season_id, points, players)
    SELECT season_id, points, -count(*) FROM league_pointtotal WHERE {OF} AND listed
    GROUP BY season_id, points
    """,  # noqa: S608 - literals of this file
    f"DELETE FROM league_pointtotal WHERE {OF}",  # noqa: S608 - literals of this file
    f"""
    INSERT INTO league_pointtotal (season_id, player_id, points, matches, wins, listed)
    SELECT season_id, player_id, sum(points), count(*),
        count(*) FILTER (WHERE victory AND NOT deserted),
        sum(points) >= %(least)s AND count(*) >= %(least_matches)s
    FROM league_pointentry WHERE {OF} AND superseded_by_id IS NULL
    GROUP BY season_id, player_id
    """,  # noqa: S608 - literals of this file
    f"""
    INSERT INTO league_pointtally (season_id, points, players)
    SELECT season_id, points, count(*) FROM league_pointtotal WHERE {OF} AND listed
    GROUP BY season_id, points
    """,  # noqa: S608 - literals of this file
)

FORGET_TALLIES = "DELETE FROM league_pointtally WHERE season_id = %(season)s"

# Tallies are replaced under this lock, so that two workers never count the same rows.
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('tallies of points', %(season)s))"

# One row for each number of points, plus what is added meanwhile.
COMPACT = """
    WITH taken AS (
        DELETE FROM league_pointtally WHERE season_id = %(season)s RETURNING points, players
    )
    INSERT INTO league_pointtally (season_id, points, players)
    SELECT %(season)s, points, sum(players) FROM taken
    GROUP BY points HAVING sum(players) <> 0
"""


def award(locked: LockedMatch, record: History, before: States, now: datetime) -> None:
    """Award the points of a match that has just been rated, if its season awards any.

    The caller holds the locks of its players' rating rows.
    """
    season = locked.points
    if season is None:
        return
    window = season.window(locked.starts_at)
    odds = None
    if locked.forecast is not None:
        odds = np.repeat(locked.forecast, [len(side.participants) for side in locked.match.sides])
    given = earned_points(season, window, locked.system, record, before, odds)
    if not given.counts.all():
        return
    players = [int(record.players[code]) for code in record.player.tolist()]
    with connection.cursor() as cursor:
        cursor.execute(
            AWARD,
            {
                "season": locked.season_id,
                "match": locked.pk,
                "now": now,
                "players": players,
                "odds": given.odds.tolist(),
                "ratios": given.score_ratio.tolist(),
                "victories": given.victory.tolist(),
                "deserted": given.deserted.tolist(),
                "points": given.points.tolist(),
                "least": season.ladder.leaderboard_points,
                "least_matches": season.ladder.leaderboard_matches,
            },
        )


def earned_in(
    season: Season,
    history: History,
    before: States,
    forecast: Floats,
    orders: Integers,
) -> EarnedPoints:
    """Return the points earned in a season's matches; ``before`` are the states before each.

    ``forecast`` has the odds of matches with a stored forecast, NaN for others. ``orders`` ``(M,)``
    are the places of the matches in the order of rating, which tell the rules that apply.
    """
    rules = versions.stretches(season)
    if len(rules) == 1:
        return earned_under(rules[0], season, history, before, forecast)
    bounds = history.match_offsets
    parts = [
        earned_under(
            one,
            season,
            history.part(start, stop),
            before.take(slice(bounds[start], bounds[stop])),
            forecast[bounds[start] : bounds[stop]],
        )
        for one, start, stop in versions.spans(rules, orders)
    ]
    if not parts:
        return earned_under(rules[-1], season, history, before, forecast)
    return EarnedPoints(
        *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(parts[0]))
    )


def earned_under(
    rules: Stretch,
    season: Season,
    history: History,
    before: States,
    forecast: Floats | None = None,
) -> EarnedPoints:
    """Return the points earned in matches that were rated under these rules."""
    points = rules.rules.points
    window = points.window(microseconds(season.starts_at))
    return earned_points(points, window, rules.system, history, before, forecast)


def award_history(
    season: Season,
    history: History,
    match_ids: Sequence[int],
    players: Sequence[int],
    before: States,
    now: datetime,
) -> None:
    """Award the points of a history that has just been rated. The caller holds the season's lock.

    ``match_ids`` and ``players`` are the ids of the history's matches and players, by code.
    """
    if not season.season_rules().points.ladder.counts:
        return
    given = earned_under(versions.stretches(season)[-1], season, history, before)
    matches = np.repeat(np.array(match_ids), np.diff(history.match_offsets))
    write(
        season,
        matches.tolist(),
        [players[code] for code in history.player],
        given,
        given.counts,
        [now] * len(matches),
    )
    playing = {players[code] for code in history.player[given.counts].tolist()}
    add_up(season, sorted(playing))


def write(
    season: Season,
    matches: Sequence[int],
    players: Sequence[int],
    given: EarnedPoints,
    chosen: Booleans,
    at: Sequence[datetime],
) -> None:
    """Write the ``chosen`` ``(N,)`` of ``N`` entries to the ledger."""
    columns: list[Sequence[Any]] = [
        matches,
        players,
        at,
        given.odds.tolist(),
        given.score_ratio.tolist(),
        given.victory.tolist(),
        given.deserted.tolist(),
        given.points.tolist(),
    ]
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY league_pointentry ({ENTRY_COLUMNS}) FROM STDIN") as into,
    ):
        for row in np.flatnonzero(chosen).tolist():
            into.write_row((season.pk, *(column[row] for column in columns)))


def add_up(season: Season, players: Sequence[int] | None = None) -> None:
    """Recompute the totals of these players, or of all, from the ledger.

    The caller holds the season's lock.
    """
    ladder = season.season_rules().points.ladder
    statements = ADD_UP if players is not None else (FORGET_TALLIES, *ADD_UP[1:])
    with connection.cursor() as cursor:
        cursor.execute(LOCK, {"season": season.pk})
        for statement in statements:
            cursor.execute(
                statement,
                {
                    "season": season.pk,
                    "players": None if players is None else list(players),
                    "least": ladder.leaderboard_points,
                    "least_matches": ladder.leaderboard_matches,
                },
            )
        cursor.execute(COMPACT, {"season": season.pk})


def compact() -> int:
    """Merge the rows that results have added to the tallies; return the number of seasons.

    Safe to run twice at once: the runs take turns.
    """
    counts = PointTally.objects.values("season_id").annotate(
        rows=Count("pk"), numbers=Count("points", distinct=True)
    )
    untidy = counts.filter(rows__gt=F("numbers")).order_by("season_id")
    seasons = list(untidy.values_list("season_id", flat=True))
    with connection.cursor() as cursor:
        for season in seasons:
            with committing("point tally"):
                cursor.execute(LOCK, {"season": season})
                cursor.execute(COMPACT, {"season": season})
    return len(seasons)
