"""Standings of a million players: what is asked of them, beside the quickest way there is.

    python -m benchmarks.standings [PLAYERS]

A season is written by COPY, then each piece of work is timed in turns with its peer on the same
machine, database and connection. Times are medians; the aims stand beside the ratios.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import psycopg

from benchmarks.scratch import machine, scratch_league
from benchmarks.standings_world import (
    NOW,
    backend_pid,
    cpu_of,
    cursor,
    made_season,
    resident,
    wall,
)

if TYPE_CHECKING:
    from league.models import Season
    from league.services.standings.rules import Rules

PAGE = 50
FOLDS = 40
CHANGES = 800
"""Ratings that move in two seconds at 200 results a second."""
FOLDED_EVERY = 2.0

RAW_KEYSET = """
    SELECT s.key, s.player_id, p.name, r.rating, r.deviation, r.games, r.last_played_at
    FROM (
        SELECT key, player_id FROM league_standing
        WHERE season_id = %s AND active AND (key, player_id) >= (%s, %s)
        ORDER BY key, player_id LIMIT 50
    ) AS s
    JOIN league_rating AS r ON r.season_id = %s AND r.player_id = s.player_id
    JOIN league_player AS p ON p.id = s.player_id
    ORDER BY s.key, s.player_id
"""
OFFSET = RAW_KEYSET.replace(" AND (key, player_id) >= (%s, %s)", "").replace(
    "LIMIT 50", "OFFSET %s LIMIT 50"
)
RAW_START = """
    INSERT INTO {target} (season_id, player_id, rating, deviation, volatility, games,
        last_played_at, memory)
    SELECT {number}, player_id, 1200 + 0.5 * (rating - 1200), deviation, volatility, 0,
        last_played_at, memory
    FROM league_rating WHERE season_id = {source}
"""
RAW_SLICE = """
    UPDATE league_standing SET key = key + 100, due = due + 86400000000
    WHERE season_id = %s AND due <= %s
"""


@dataclass(frozen=True)
class Line:
    """A piece of work: ours beside the peer's, and what was aimed at."""

    work: str
    ours: float
    peer: float
    aim: str
    unit: str = "ms"

    def __str__(self) -> str:
        ratio = self.ours / self.peer
        return (
            f"{self.work:<52}{self.ours:>10.3f}{self.peer:>11.3f} {self.unit:<3}{ratio:>8.2f}"
            f"   {self.aim}"
        )


def run(statement: str, values: list[Any]) -> Callable[[], object]:
    def call() -> object:
        with cursor() as database:
            database.execute(statement, values)
            return database.fetchall()

    return call


def pages(season: Season, players: int) -> list[Line]:
    """A page's rows at four depths, beside a keyset query that knows where to begin."""
    from league.services.standings.board import Board, asked

    lines = []
    for depth in (1, 1_000, players // 2, players - PAGE):
        first = asked(season.pk, partial(Board.rows, start=depth - 1, count=1))[0]
        peer = wall(run(RAW_KEYSET, [season.pk, first[0], first[1], season.pk]))
        ours = wall(partial(asked, season.pk, partial(Board.rows, start=depth - 1, count=PAGE)))
        lines.append(
            Line(f"page of 50 at depth {depth:,}, beside keyset", 1e3 * ours, 1e3 * peer, "3×")
        )
        if depth > 1_000:
            offset = wall(run(OFFSET, [season.pk, depth - 1, season.pk]), 5)
            lines.append(
                Line(
                    f"the same, beside OFFSET {depth - 1:,}",
                    1e3 * ours,
                    1e3 * offset,
                    "1/300 at 500,000",
                )
            )
    return lines


def places(season: Season, players: int) -> list[Line]:
    """Rank and percentile of one player, beside a sorted set of the same million in Valkey."""
    import numpy as np
    import redis
    from django.conf import settings

    from league.services.standings.board import standings_of

    valkey = redis.Redis.from_url(settings.REDIS_URL)
    with cursor() as database:
        database.execute(
            "SELECT player_id, -key FROM league_standing WHERE season_id = %s", [season.pk]
        )
        scores = database.fetchall()
    for at in range(0, len(scores), 20_000):
        valkey.zadd("bench", {str(player): score for player, score in scores[at : at + 20_000]})
    chosen = itertools.cycle(np.random.default_rng(2).integers(1, players, 400).tolist())
    peer = wall(lambda: valkey.zrevrank("bench", str(next(chosen))), 400)
    ours = wall(lambda: standings_of(next(chosen), [season.pk]), 400)
    valkey.delete("bench")
    return [Line("rank and percentile, beside Valkey ZREVRANK", 1e3 * ours, 1e3 * peer, "3×")]


def freshness(season: Season, players: int) -> list[Line]:
    """Processor time of a fold, ours and the database's, after two seconds of results."""
    import numpy as np

    from league.services.standings import folding

    chance = np.random.default_rng(3)
    server = backend_pid()
    python, database, folds = [], [], []
    for _ in range(FOLDS):
        move(
            season,
            chance.choice(players, CHANGES, replace=False) + 1,
            chance.normal(0, 12, CHANGES),
        )
        began = time.process_time(), cpu_of(server), time.perf_counter()
        assert folding.fold(season, NOW) == CHANGES
        python.append(time.process_time() - began[0])
        database.append(cpu_of(server) - began[1])
        folds.append(time.perf_counter() - began[2])
    seconds = statistics.median(python) + statistics.mean(database)
    print(
        f"a fold of {CHANGES} ratings: {1e3 * statistics.median(folds):.1f} ms, of processor time "
        f"{1e3 * statistics.median(python):.1f} ms ours and "
        f"{1e3 * statistics.mean(database):.1f} ms PostgreSQL's"
    )
    return [
        Line(
            "staying fresh at 200 results/s, of a core",
            100 * seconds / FOLDED_EVERY,
            100,
            "1 %",
            "%",
        )
    ]


def move(season: Season, players: Any, by: Any) -> None:
    """Results of others, on a connection of their own."""

    def change() -> None:
        from django.db import connection

        with connection.cursor() as database:
            database.execute(
                """UPDATE league_rating AS r SET rating = rating + u.by, games = games + 1
                FROM unnest(%(players)s::bigint[], %(by)s::float8[]) AS u(player, by)
                WHERE r.season_id = %(season)s AND r.player_id = ANY(%(players)s)
                    AND r.player_id = u.player""",
                {"players": players.tolist(), "by": by.tolist(), "season": season.pk},
            )
        connection.close()

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()


def rebuild(season: Season) -> list[Line]:
    from league.services.standings.rebuilding import rebuild as again

    with cursor() as database:
        database.execute("SELECT count(*), sum(rating) FROM league_rating")
    began = time.perf_counter()
    again(season, NOW)
    seconds = time.perf_counter() - began
    print(f"rebuild from the ratings: {seconds:.1f} s; this process holds {resident():.0f} MB")
    return []


def start(season: Season) -> list[Line]:
    """A million ratings into a new partition by the season's rules, beside the plain statement."""
    from league.services.seasons import open_season

    arena = season.arena
    arena.season_rules = {**arena.season_rules, "start": {"placement": "linear-scale"}}
    arena.save()
    with cursor() as database:
        database.execute("CREATE TABLE raw_start (LIKE league_rating INCLUDING ALL)")
        began = time.perf_counter()
        database.execute(RAW_START.format(target="raw_start", number=0, source=season.pk))
        peer = time.perf_counter() - began
        database.execute("DROP TABLE raw_start")
    began = time.perf_counter()
    opened = open_season(arena, starts_at=NOW + timedelta(days=1))
    ours = time.perf_counter() - began
    assert opened.ratings.count() == season.ratings.count()
    return [Line("season start, beside INSERT … SELECT", ours, peer, "1.5×", "s")]


def decay_slice(season: Season) -> list[Line]:
    """A seventh of the standings is due: ours beside one UPDATE of the same rows."""
    from django.db import transaction

    from league.services.clock import microseconds
    from league.services.standings import folding

    later = NOW + timedelta(hours=14)
    with transaction.atomic(), cursor() as database:
        began = time.perf_counter()
        database.execute(RAW_SLICE, [season.pk, microseconds(later)])
        peer = time.perf_counter() - began
        transaction.set_rollback(True)
    with cursor() as database:
        database.execute("VACUUM league_standing")
    began = time.perf_counter()
    folded = folding.fold_all(season, later)
    ours = time.perf_counter() - began
    print(f"the slice: {folded:,} players")
    return [Line("decay slice, beside one UPDATE", ours, peer, "1.3×", "s")]


def main(players: int) -> None:
    with scratch_league():
        import django
        from django.db import connection

        from league.services.standings import rules
        from ratings.seasons import Decay

        def month(_season: Season) -> Rules:
            return rules.Rules(placement_matches=10, window=30 * 86_400.0, decay=Decay())

        print(
            f"{machine()}, Django {django.__version__}, psycopg {psycopg.__version__}, "
            f"PostgreSQL {connection.pg_version // 10_000}"  # type: ignore[attr-defined]
        )
        with patch.object(rules, "rules_of", month):
            measure(players)


def measure(players: int) -> None:
    began = time.perf_counter()
    season = made_season(players)
    print(f"{players:,} players and ratings by COPY: {time.perf_counter() - began:.0f} s")
    rebuild(season)
    with cursor() as database:
        database.execute("VACUUM ANALYZE league_standing")
    lines = [
        *pages(season, players),
        *places(season, players),
        *freshness(season, players),
        *decay_slice(season),
        *start(season),
    ]
    print(f"\n{'':<52}{'ours':>10}{'peer':>11}{'ratio':>12}   aim")
    print(*lines, sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
