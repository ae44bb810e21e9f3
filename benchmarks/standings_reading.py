"""Reads of the standings of a million players, beside the fastest alternatives."""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import psycopg

from benchmarks.standings_world import Line, cursor, wall

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Season
    from league.services.standings.board import Board

PAGE = 50

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
# A paginator's query: earlier rows are joined and discarded.
OFFSET = """
    SELECT s.key, s.player_id, p.name, r.rating, r.deviation, r.games, r.last_played_at
    FROM league_standing AS s
    JOIN league_rating AS r ON r.season_id = %s AND r.player_id = s.player_id
    JOIN league_player AS p ON p.id = s.player_id
    WHERE s.season_id = %s AND s.active
    ORDER BY s.key, s.player_id OFFSET %s LIMIT 50
"""
# The best case of it: earlier rows are only counted, in the index.
OFFSET_IN_INDEX = RAW_KEYSET.replace(" AND (key, player_id) >= (%s, %s)", "").replace(
    "LIMIT 50", "OFFSET %s LIMIT 50"
)

# A web process of the site, asked for pages at the top, in the middle and at the end.
WEB_PROCESS = """
import json, sys
from io import BytesIO
from pathlib import Path
from league import settings
settings.STORAGES["staticfiles"]["BACKEND"] = sys.argv[2]  # needs no collected files
from league.wsgi import application
answers = []
for path, query in json.loads(sys.argv[1]):
    asked = {
        "REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": query,
        "SERVER_NAME": "localhost", "SERVER_PORT": "8000", "HTTP_HOST": "localhost:8000",
        "SERVER_PROTOCOL": "HTTP/1.1", "wsgi.url_scheme": "http", "wsgi.input": BytesIO(),
        "wsgi.errors": sys.stderr, "REMOTE_ADDR": "127.0.0.1",
    }
    said = []
    body = application(asked, lambda status, headers, *rest: said.append(status))
    answers.append((said[0], sum(map(len, body))))
held = [row for row in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in row]
print(json.dumps({"answers": answers, "megabytes": int(held[0].split()[1]) / 1024}))
"""
PLAIN_FILES = "django.contrib.staticfiles.storage.StaticFilesStorage"


def asking(
    database: psycopg.Connection[Any], statement: str, values: list[Any] | dict[str, Any]
) -> Callable[[], object]:
    """Return a prepared statement on a plain driver connection, without Django."""
    asked = database.cursor(binary=True)

    def call() -> object:
        asked.execute(statement.encode(), values, prepare=True)
        return asked.fetchall()

    return call


def driver() -> psycopg.Connection[Any]:
    from django.db import connection

    where = connection.settings_dict
    return psycopg.connect(
        host=where["HOST"],
        user=where["USER"],
        password=where["PASSWORD"],
        dbname=where["NAME"],
        autocommit=True,
    )


def in_turns(*calls: Callable[[], object], times: int) -> list[float]:
    """Return the median seconds of calls that take turns."""
    measured: list[list[float]] = [[] for _ in calls]
    for number in range(times + 6):
        for seconds, call in zip(measured, calls, strict=True):
            began = time.perf_counter()
            call()
            if number > 5:
                seconds.append(time.perf_counter() - began)
    return [statistics.median(seconds) for seconds in measured]


def begins(board: Board, depth: int) -> dict[str, Any]:
    """Return where a page starts, from the histogram."""
    bucket = board.histogram.bucket_at(depth - 1)
    key, player = board.histogram.low(bucket)
    skip = depth - 1 - int(board.histogram.ahead[bucket])
    return {"season": board.season, "key": key, "player": player, "skip": skip, "count": PAGE}


def pages(season: Season, players: int) -> list[Line]:
    """Time a page's rows at four depths, beside a keyset query that knows where to start."""
    from league.services.standings.board import ROWS, Board, ask

    lines, wholes = [], []
    with driver() as database:
        for depth in (1, 1_000, players // 2, players - PAGE):
            key, player = ask(season.pk, partial(Board.rows, start=depth - 1, count=1))[0][:2]
            page = partial(ask, season.pk, partial(Board.rows, start=depth - 1, count=PAGE))
            raw = asking(database, RAW_KEYSET, [season.pk, key, player, season.pk])
            statement = asking(database, ROWS, ask(season.pk, partial(begins, depth=depth)))
            whole, ours, peer = in_turns(page, statement, raw, times=300)
            wholes.append(whole)
            lines += [
                Line(f"page of 50 at depth {depth:,}; keyset", 1e3 * ours, 1e3 * peer, "3"),
                Line("the same from Django; keyset", 1e3 * whole, 1e3 * peer, "-"),
            ]
        aim = {players // 2: "1/300", players - PAGE: "-"}
        for depth, ours in zip(aim, [1e3 * whole for whole in wholes[2:]], strict=True):
            offset = [season.pk, season.pk, depth - 1]
            skipped = wall(asking(database, OFFSET, offset), 3)
            counted = wall(asking(database, OFFSET_IN_INDEX, [season.pk, depth - 1, season.pk]), 3)
            lines += [
                Line(f"the same; OFFSET {depth - 1:,}", ours, 1e3 * skipped, aim[depth]),
                Line(
                    f"the same; OFFSET {depth - 1:,} in the index alone", ours, 1e3 * counted, "-"
                ),
            ]
    return lines


def places(season: Season, players: int) -> list[Line]:
    """Time one player's rank and percentile, beside a sorted set of a million in Valkey."""
    import redis
    from django.conf import settings

    from league.services.standings.player_standings import player_standings

    valkey = redis.Redis.from_url(settings.REDIS_URL)
    with cursor() as database:
        database.execute(
            "SELECT player_id, -key FROM league_standing WHERE season_id = %s", [season.pk]
        )
        scores = database.fetchall()
    for at in range(0, len(scores), 20_000):
        valkey.zadd("bench", {str(player): score for player, score in scores[at : at + 20_000]})
    chosen = np.random.default_rng(2).integers(1, players, 2_000).tolist()
    one, other = itertools.cycle(chosen), itertools.cycle(chosen)
    ours, peer = in_turns(
        lambda: player_standings(next(one), [season.pk]),
        lambda: valkey.zrevrank("bench", str(next(other))),
        times=2_000,
    )
    told = valkey.info("server")
    print(f"Valkey {told.get('valkey_version', told['redis_version'])}")
    valkey.delete("bench")
    return [Line("rank and percentile of one player; ZREVRANK", 1e3 * ours, 1e3 * peer, "3")]


def memory(season: Season) -> list[Line]:
    """Measure the memory of a web process that has rendered pages of the season."""
    from django.conf import settings
    from django.db import connection

    path = f"{season.arena.get_absolute_url()}leaderboard/"
    last = -(-season.ratings.count() // PAGE)
    asked = [("/", ""), *((path, f"page={number}") for number in (1, last // 2, last))]
    told = subprocess.run(
        [sys.executable, "-c", WEB_PROCESS, json.dumps(asked), PLAIN_FILES],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "league.settings",
            "DATABASE_URL": settings.DATABASE_URL.rpartition("/")[0]
            + f"/{connection.settings_dict['NAME']}",
            "REDIS_URL": settings.REDIS_URL,
        },
    )
    found = json.loads(told.stdout.splitlines()[-1])
    assert all(status == "200 OK" and size > 1000 for status, size in found["answers"]), found
    return [Line("memory of a web process", found["megabytes"], None, "200", "MB")]
