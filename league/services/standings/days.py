"""Daily ranks, from which a leaderboard shows how far players have moved.

Once a day, at midnight in the arena's time zone, every rank is stored in four bytes, players with
neighbouring ids together. Reading the past ranks of any fifty players takes the same time on every
page of a leaderboard.
"""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection, transaction

from league.models import Season, StandingDay
from league.services.core import binary
from league.services.core.columns import binary_cursor, to_array_literal
from league.services.standings.distributions import measure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from ratings.types import Floats, Integers

TOGETHER = 128
"""Players whose ranks share a row."""
WEEK = timedelta(days=7)

BEGIN = """
    INSERT INTO league_standingday (season_id, day, noted_at) VALUES (%s, %s, %s)
    ON CONFLICT DO NOTHING
"""

ORDER = """
    SELECT player_id, key FROM league_standing WHERE season_id = {season} AND active
    ORDER BY key, player_id
"""

FORGET = """
    WITH old AS (
        DELETE FROM league_standingday WHERE day < %s RETURNING season_id, day
    )
    DELETE FROM league_standingdayranks AS r USING old AS o
    WHERE r.season_id = o.season_id AND r.day = o.day
"""

THEN = f"""
    SELECT d.day, string_agg(coalesce(
        substring(r.ranks FROM (u.player %% {TOGETHER})::int * 4 + 1 FOR 4), '\\x00000000'
    ), '' ORDER BY u.nth)
    FROM league_standingday AS d
    CROSS JOIN unnest(%s::bigint[]) WITH ORDINALITY AS u(player, nth)
    LEFT JOIN league_standingdayranks AS r
        ON r.season_id = d.season_id AND r.day = d.day AND r.chunk = u.player / {TOGETHER}
    WHERE d.season_id = %s AND d.day = ANY(%s)
    GROUP BY d.day
"""  # noqa: S608 - literals of this file


def record_all(now: datetime) -> int:
    """Store today's ranks of each running season that lacks them; return the number of seasons.

    Safe to run twice, and by two workers at once: the second finds nothing to do.
    """
    seasons = Season.objects.running(now).select_related("arena")
    due = [(season, day_of(season, now)) for season in seasons]
    done = StandingDay.objects.filter(season_id__in=[season.pk for season, _ in due])
    done_days = set(done.values_list("season_id", "day"))
    missing = [(season, day) for season, day in due if (season.pk, day) not in done_days]
    recorded = 0
    for season, day in missing:
        if record(season, day, now):
            recorded += 1
            measure(season)
    if recorded:
        with connection.cursor() as cursor:
            cursor.execute(FORGET, [now.astimezone(UTC).date() - WEEK - timedelta(days=1)])
    return recorded


def day_of(season: Season, now: datetime) -> date:
    """Return the date in the arena's time zone."""
    return now.astimezone(season.arena.zone).date()


def record(season: Season, day: date, now: datetime) -> bool:
    """Store a season's ranks as those at the start of ``day``, unless that is already done."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(BEGIN, [season.pk, day, now])
        if not cursor.rowcount:
            return False
        players, keys = order(season.pk)
        if len(players):
            chunks, ranks = in_chunks(players, ranks_of(keys))
            columns = {
                "season_id": np.full(len(chunks), season.pk),
                "day": np.full(len(chunks), binary.days_since_2000(day)),
                "chunk": chunks,
                "ranks": ranks.astype(">i4").view(f"V{4 * TOGETHER}")[:, 0],
            }
            kinds = {"season_id": "bigint", "day": "date", "chunk": "bigint", "ranks": "ranks"}
            binary.write("league_standingdayranks", kinds, [columns])
    return True


def order(season: int) -> tuple[Integers, Floats]:
    """Return the ranked players and their keys, best first."""
    parts = list(binary.read(ORDER.format(season=season), {"player_id": "bigint", "key": "float8"}))
    if not parts:
        return np.zeros(0, np.int64), np.zeros(0)
    return (
        np.concatenate([part["player_id"] for part in parts]).astype(np.int64),
        np.concatenate([part["key"] for part in parts]).astype(float),
    )


def ranks_of(keys: Floats) -> Integers:
    """Return the ranks of ascending keys ``(n,)``; equal keys share a rank."""
    return np.searchsorted(keys, keys, side="left") + 1


def in_chunks(players: Integers, ranks: Integers) -> tuple[Integers, Integers]:
    """Return the chunks ``(c,)`` of these players and their ranks ``(c, TOGETHER)``, 0 for players
    without one."""
    chunks, which = np.unique(players // TOGETHER, return_inverse=True)
    rows = np.zeros((len(chunks), TOGETHER), np.int64)
    rows[which, players % TOGETHER] = ranks
    return chunks, rows


def past_ranks_of(
    season: Season, players: Sequence[int], now: datetime
) -> tuple[list[int] | None, list[int] | None]:
    """Return players' ranks at the end of yesterday and a week earlier; 0 if unranked then.

    None for a day that was not recorded, and for a season that is over. One query.
    """
    if not players or (season.ends_at is not None and season.ends_at <= now):
        return None, None
    today = day_of(season, now)
    with binary_cursor() as cursor:
        cursor.execute(THEN, [to_array_literal(players), season.pk, [today, today - WEEK]])
        found = {day: np.frombuffer(ranks, ">i4").tolist() for day, ranks in cursor.fetchall()}
    return found.get(today), found.get(today - WEEK)
