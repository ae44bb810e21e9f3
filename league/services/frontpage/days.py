"""Figures of each day: matches, waits, fairness, and whether forecasts come true."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction

from league.models import ArenaDay

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

SHOWN = 30
"""The days that a chart shows."""
KEPT = timedelta(days=400)
WAITS = (10, 20, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600)
"""Seconds: a ticket is counted at the first that it did not wait longer than."""
BINS = 5
"""50 to 60 %, and so on up to 100 %."""

GAMES = """
    WITH games AS (
        SELECT m.id, m.arena_id, (m.played_at AT TIME ZONE 'UTC')::date AS day, m.forecast
        FROM league_match AS m
        WHERE m.played_at >= %(first)s AND m.played_at < %(last)s
            AND m.status = 'rated' AND m.kind = 'game'
    ), duels AS (
        SELECT g.arena_id, g.day, greatest(g.forecast[1], g.forecast[2]) AS chance, CASE
            WHEN one.place = other.place OR g.forecast[1] = g.forecast[2] THEN 0.5
            WHEN (g.forecast[1] > g.forecast[2]) = (one.place < other.place) THEN 1.0
            ELSE 0.0 END AS won
        FROM games AS g
        JOIN league_side AS one ON one.match_id = g.id AND one.index = 0
        JOIN league_side AS other ON other.match_id = g.id AND other.index = 1
        WHERE cardinality(g.forecast) = 2
    ), binned AS (
        SELECT arena_id, day, least(floor((chance - 0.5) * 2 * %(bins)s), %(bins)s - 1)::int AS bin,
            count(*) AS games, sum(chance) AS chances, sum(won) AS wins
        FROM duels GROUP BY arena_id, day, bin
    )
    SELECT g.arena_id, g.day, g.matches, b.bin, b.games, b.chances, b.wins
    FROM (SELECT arena_id, day, count(*) AS matches FROM games GROUP BY arena_id, day) AS g
    LEFT JOIN binned AS b ON b.arena_id = g.arena_id AND b.day = g.day
"""
TICKETS = """
    SELECT t.arena_id, (t.closed_at AT TIME ZONE 'UTC')::date AS day,
        width_bucket(extract(epoch FROM t.closed_at - t.queued_at)::float8 - 1e-6,
            %(waits)s::float8[]) AS slot, count(*)
    FROM league_arena AS a
    JOIN league_ticket AS t ON t.arena_id = a.id
    WHERE t.closed_at >= %(first)s AND t.closed_at < %(last)s AND t.state = 'played'
    GROUP BY t.arena_id, day, slot
"""


def note_days(now: datetime) -> int:
    """Compute the figures of all days that charts show. Return on how many something happened.

    A result changes the day on which it was played, however late it was rated, voided or imported.
    Safe to run twice.
    """
    today = now.astimezone(UTC).date()
    first = today - timedelta(days=SHOWN - 1)
    rows = list(compute_days(first, today))
    with transaction.atomic():
        ArenaDay.objects.filter(day__gte=first, day__lte=today).delete()
        ArenaDay.objects.filter(day__lt=today - KEPT).delete()
        ArenaDay.objects.bulk_create(rows)
    return len({row.day for row in rows})


def compute_days(first: date, last: date) -> Iterable[ArenaDay]:
    """Return the days from ``first`` to ``last`` on which something happened."""
    found: dict[tuple[int, date], ArenaDay] = {}

    def of(arena: int, day: date) -> ArenaDay:
        nothing = {"forecasts": [0] * BINS, "chances": [0.0] * BINS, "wins": [0.0] * BINS}
        fresh = ArenaDay(arena_id=arena, day=day, waits=[0] * (len(WAITS) + 1), **nothing)
        return found.setdefault((arena, day), fresh)

    values: dict[str, Any] = {
        "first": datetime(first.year, first.month, first.day, tzinfo=UTC),
        "last": datetime(last.year, last.month, last.day, tzinfo=UTC) + timedelta(days=1),
        "bins": BINS,
        "waits": list(WAITS),
    }
    with connection.cursor() as cursor:
        cursor.execute(GAMES, values)
        for arena, day, matches, bin_, games, chances, wins in cursor.fetchall():
            row = of(arena, day)
            row.matches = matches
            if bin_ is not None:
                row.forecasts[bin_], row.chances[bin_], row.wins[bin_] = games, chances, wins
        cursor.execute(TICKETS, values)
        for arena, day, slot, count in cursor.fetchall():
            of(arena, day).waits[slot] = count
    return found.values()


@dataclass
class Day:
    """A day of the league, or of some of its arenas."""

    day: date
    matches: int = 0
    waits: list[int] = field(default_factory=lambda: [0] * (len(WAITS) + 1))
    games: int = 0
    chances: float = 0.0

    @property
    def wait(self) -> int | None:
        """The wait in seconds that half of the tickets did not exceed, as one of ``WAITS``."""
        total, so_far = sum(self.waits), 0
        for slot, limit in zip(self.waits, (*WAITS, WAITS[-1]), strict=True):
            so_far += slot
            if total and 2 * so_far >= total:
                return limit
        return None

    @property
    def favourite(self) -> float | None:
        """The favourites' average chance to win: 0.5 is even."""
        return self.chances / self.games if self.games else None


@dataclass
class Calibration:
    """Matches whose favourite had about the same chance."""

    low: int
    """In percent."""
    high: int
    games: int
    chance: float
    """The favourites' average chance."""
    won: float
    """The share that they won."""


@dataclass
class LastDays:
    """The last days, oldest first, and whether their forecasts came true."""

    days: list[Day]
    calibration: list[Calibration]

    @property
    def is_empty(self) -> bool:
        return not any(day.matches or sum(day.waits) for day in self.days)


def read_last_days(now: datetime, arenas: Collection[int] | None = None) -> LastDays:
    """Return the figures of the last days, of all arenas (``None``) or of some."""
    today = now.astimezone(UTC).date()
    days = [Day(today - timedelta(days=back)) for back in reversed(range(SHOWN))]
    by_day = {day.day: day for day in days}
    rows = ArenaDay.objects.filter(day__in=by_day)
    if arenas is not None:
        rows = rows.filter(arena__in=arenas)
    games, chances, wins = [0] * BINS, [0.0] * BINS, [0.0] * BINS
    for row in rows:
        day = by_day[row.day]
        day.matches += row.matches
        day.waits = [one + other for one, other in zip(day.waits, row.waits, strict=True)]
        day.games += sum(row.forecasts)
        day.chances += sum(row.chances)
        for at in range(BINS):
            games[at] += row.forecasts[at]
            chances[at] += row.chances[at]
            wins[at] += row.wins[at]
    width = 50 // BINS
    calibration = [
        Calibration(
            50 + width * at,
            50 + width * (at + 1),
            games[at],
            chances[at] / games[at],
            wins[at] / games[at],
        )
        for at in range(BINS)
        if games[at]
    ]
    return LastDays(days, calibration)
