"""Updating the standings of a million players, a slice of decay, and the start of a season."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import timedelta
from typing import TYPE_CHECKING

from benchmarks.standings_world import NOW, Line, backend_pid, cpu_of, cursor, resident

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season

RESULTS = 200
"""Results a second, of two players each."""
SECONDS = 64.0
UPDATED_EVERY = 2.0
AT_ONCE = 4
"""Results in one transaction, so that the players keep pace on a busy machine."""

# Players in a process of their own, until its input ends; it prints the number of results.
PLAYERS = f"""
import json, select, sys, time
import numpy as np, psycopg
where, season, players = json.loads(sys.argv[1])
chance, results = np.random.default_rng(3), 0
began = time.perf_counter()
with psycopg.connect(**where, autocommit=True) as database:
    database.execute("SET synchronous_commit = off")
    while not select.select([sys.stdin], [], [], max(began + results / {RESULTS}
            - time.perf_counter(), 0))[0]:
        who = sorted((chance.choice(players, {2 * AT_ONCE}, replace=False) + 1).tolist())
        by = chance.normal(0, 12, {2 * AT_ONCE}).tolist()
        database.execute('''
            UPDATE league_rating AS r SET rating = rating + u.by, games = games + 1,
                last_played_at = last_played_at + '1 minute'
            FROM unnest(%(players)s::bigint[], %(by)s::float8[]) AS u(player, by)
            WHERE r.season_id = %(season)s AND r.player_id = ANY(%(players)s)
                AND r.player_id = u.player''',
            dict(players=who, by=by, season=season), prepare=True)
        results += {AT_ONCE}
print(results)
"""
RAW_START = """
    INSERT INTO raw_start (season_id, player_id, rating, deviation, volatility, games,
        last_played_at, memory)
    SELECT 0, player_id, 1200 + 0.5 * (rating - 1200), deviation, volatility, 0, last_played_at,
        memory
    FROM league_rating WHERE season_id = %s
"""
RAW_SLICE = """
    UPDATE league_standing SET key = key + 100, due = due + 86400000000
    WHERE season_id = %s AND due <= %s
"""


def rebuild(season: Season) -> None:
    from league.services.standings.rebuilding import rebuild as again
    from league.services.standings.updating import update_pending

    with cursor() as database:
        database.execute("SELECT count(*), sum(rating) FROM league_rating")
    began = time.perf_counter()
    again(season, NOW)
    seconds = time.perf_counter() - began
    print(f"rebuild from the ratings: {seconds:.1f} s; that process holds {resident():.0f} MB")
    with cursor() as database:  # the first update sets all divisions
        database.execute("UPDATE league_rating SET games = games + 1 WHERE player_id = 1")
    update_pending(NOW)
    with cursor() as database:
        database.execute("VACUUM ANALYZE league_standing")


def freshness(season: Season, players: int) -> list[Line]:
    """Measure the CPU time of updates, ours and the database's, while others play."""
    from django.db import connection

    from league.services.standings.updating import update_pending

    where = connection.settings_dict
    database_of = {
        "host": where["HOST"],
        "user": where["USER"],
        "password": where["PASSWORD"],
        "dbname": where["NAME"],
    }
    given = json.dumps([database_of, season.pk, players])
    server = backend_pid()
    updated, slowest = 0, 0.0
    with subprocess.Popen(
        [sys.executable, "-c", PLAYERS, given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as playing:
        began, ours, database = time.perf_counter(), time.thread_time(), cpu_of(server)
        number = 0
        while time.perf_counter() - began < SECONDS:
            number += 1
            time.sleep(max(began + number * UPDATED_EVERY - time.perf_counter(), 0))
            start = time.perf_counter()
            updated += update_pending(NOW)
            slowest = max(slowest, time.perf_counter() - start)
        took = time.perf_counter() - began
        ours, database = time.thread_time() - ours, cpu_of(server) - database
        results, _errors = playing.communicate()
    rate = int(results) / took
    update_pending(NOW)
    print(
        f"staying fresh: {number} updates of {updated / number:.0f} ratings in {took:.0f} s, "
        f"{rate:.0f} results a second; CPU an update: {1e3 * ours / number:.1f} ms ours "
        f"and {1e3 * database / number:.1f} ms PostgreSQL's; the slowest took {slowest:.2f} s"
    )
    share = 100 * (ours + database) / took
    return [Line(f"staying fresh at {rate:.0f} results/s, of a core", share, None, "1", "%")]


def decay_slice(season: Season) -> list[Line]:
    """Time a slice of decay between two UPDATE statements of as many rows."""
    from league.services.standings import updating

    later = NOW + timedelta(hours=14)
    peers = [raw_slice(season, later)]
    began = time.perf_counter()
    updated = updating.update_all(season, later)
    ours = time.perf_counter() - began
    clean()
    peers.append(raw_slice(season, later + timedelta(days=1)))
    print(
        f"decay slice: {updated:,} players; UPDATE before {peers[0]:.2f} s, after {peers[1]:.2f} s"
    )
    return [
        Line("daily decay slice; one UPDATE of the same rows", ours, sum(peers) / 2, "1.3", "s")
    ]


def raw_slice(season: Season, moment: datetime) -> float:
    from django.db import transaction

    from league.services.core.clock import microseconds

    with transaction.atomic(), cursor() as database:
        began = time.perf_counter()
        database.execute(RAW_SLICE, [season.pk, microseconds(moment)])
        took = time.perf_counter() - began
        transaction.set_rollback(True)
    clean()
    return took


def clean() -> None:
    with cursor() as database:
        database.execute("VACUUM league_standing")


def start(season: Season) -> list[Line]:
    """Time a season start with a million ratings, between two plain INSERT statements."""
    from league.services.seasons.opening import open_season

    arena = season.arena
    arena.season_rules = {**arena.season_rules, "start": {"placement": "linear-scale"}}
    arena.save()
    peers = [raw_start(season)]
    began = time.perf_counter()
    opened = open_season(arena, starts_at=NOW + timedelta(days=1))
    ours = time.perf_counter() - began
    assert opened.ratings.count() == season.ratings.count()
    peers.append(raw_start(season))
    print(f"season start: INSERT … SELECT before {peers[0]:.2f} s, after {peers[1]:.2f} s")
    peer = sum(peers) / 2
    return [Line("season start; INSERT … SELECT into a new table", ours, peer, "1.5", "s")]


def raw_start(season: Season) -> float:
    with cursor() as database:
        began = time.perf_counter()
        database.execute("CREATE TABLE raw_start (LIKE league_rating INCLUDING ALL)")
        database.execute(RAW_START, [season.pk])
        took = time.perf_counter() - began
        database.execute("DROP TABLE raw_start")
    return took
