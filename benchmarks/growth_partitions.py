"""Rating events in one table, in a partition for each season, and with old seasons moved away.

``python -m benchmarks.growth_partitions`` measures what decision 12 compares: settling a match (the
last event of both players, and two new ones), reading the events of a match, and bytes. The three
tables have the columns, indexes and foreign key of ``league_ratingevent`` and take turns. The
database is empty at first and dropped afterwards.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

from benchmarks.results_at_once import connected
from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    import psycopg

SEASONS = 10
MATCHES = 25_000
"""In each season, of two players each."""
PLAYERS = 5_000
ROUNDS = 400

MATCH_ROWS = """
    CREATE TABLE bench_match (id bigint PRIMARY KEY, season_id bigint NOT NULL);
    INSERT INTO bench_match SELECT n, least(1 + n / {matches}, {seasons})
    FROM generate_series(0, {seasons} * {matches} + 10000) AS n;
"""
EVENTS = """
    INSERT INTO {table} (season_id, match_id, player_id, rated_at, games, rating_before,
        rating_after, deviation_before, deviation_after, volatility_before, volatility_after, why,
        last_played_before)
    SELECT 1 + n / {matches}, n, (n * 7919 + side * 2503) % {players}, now(),
        n / {players}, random() * 3000, random() * 3000, random(), random(), random(), random(),
        jsonb_build_object('expected', random(), 'variance', random(), 'change', random()), now()
    FROM generate_series({first}, {seasons} * {matches} - 1) AS n, generate_series(0, 1) AS side
"""
COLUMNS = "LIKE league_ratingevent INCLUDING DEFAULTS INCLUDING STORAGE"
TABLES = {
    "one table": f"""
        CREATE TABLE bench_one ({COLUMNS}, PRIMARY KEY (id),
            FOREIGN KEY (match_id) REFERENCES bench_match);
        CREATE SEQUENCE bench_one_ids;
    """,
    "partitions": f"""
        CREATE UNIQUE INDEX ON bench_match (id, season_id);
        CREATE TABLE bench_many ({COLUMNS}, PRIMARY KEY (id, season_id),
            FOREIGN KEY (match_id, season_id) REFERENCES bench_match (id, season_id))
            PARTITION BY LIST (season_id);
        CREATE SEQUENCE bench_many_ids;
    """,
    "old ones away": f"""
        CREATE TABLE bench_last ({COLUMNS}, PRIMARY KEY (id),
            FOREIGN KEY (match_id) REFERENCES bench_match);
        CREATE SEQUENCE bench_last_ids;
    """,
}
NAMES = dict(zip(TABLES, ("bench_one", "bench_many", "bench_last"), strict=True))
INDEXES = """
    CREATE UNIQUE INDEX ON {table} (match_id, player_id{season}) WHERE superseded_by_id IS NULL;
    CREATE INDEX ON {table} (season_id, player_id, games) WHERE superseded_by_id IS NULL;
"""
SIZE = """
    SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relkind = 'r' AND starts_with(relname, %s)
"""
LATEST = """
    SELECT rating_after, deviation_after, games FROM {table}
    WHERE season_id = %s AND player_id = %s AND superseded_by_id IS NULL
    ORDER BY games DESC LIMIT 1
"""
SETTLE = """
    INSERT INTO {table} (season_id, match_id, player_id, rated_at, games, rating_before,
        rating_after, why)
    VALUES (%s, %s, %s, now(), %s, 1500, 1510, '{{"expected": 0.5}}')
"""
OF_MATCH = "SELECT * FROM {table} WHERE match_id = %s AND superseded_by_id IS NULL"
OF_MATCH_IN_SEASON = OF_MATCH + " AND season_id = %s"


def fill(database: psycopg.Connection[Any]) -> None:
    size = {"matches": MATCHES, "seasons": SEASONS, "players": PLAYERS}
    database.execute(MATCH_ROWS.format(**size))
    for name, table in NAMES.items():
        database.execute(TABLES[name])
        database.execute(f"ALTER TABLE {table} ALTER id SET DEFAULT nextval('{table}_ids')")
        if name == "partitions":
            for season in range(1, SEASONS + 1):
                database.execute(
                    f"CREATE TABLE bench_many_{season} PARTITION OF bench_many"
                    f" FOR VALUES IN ({season})"
                )
        first = (SEASONS - 1) * MATCHES if name == "old ones away" else 0
        database.execute(EVENTS.format(table=table, first=first, **size))
        key = ", season_id" if name == "partitions" else ""
        database.execute(INDEXES.format(table=table, season=key))
        database.execute(f"VACUUM ANALYZE {table}")


def settle(database: psycopg.Connection[Any], table: str, match: int) -> None:
    with database.transaction():
        for player in (match * 31 % PLAYERS, (match * 31 + 1) % PLAYERS):
            row = database.execute(LATEST.format(table=table), [SEASONS, player]).fetchone()
            games = row[2] + 1 if row else 1
            database.execute(SETTLE.format(table=table), [SEASONS, match, player, games])


def work(database: psycopg.Connection[Any], what: str, table: str, number: int) -> None:
    if what == "settle":
        settle(database, table, SEASONS * MATCHES + number)
        return
    match = random.Random(number).randrange((SEASONS - 1) * MATCHES, SEASONS * MATCHES)
    if what == "events of a match":
        database.execute(OF_MATCH.format(table=table), [match]).fetchall()
    else:
        season = 1 + match // MATCHES
        database.execute(OF_MATCH_IN_SEASON.format(table=table), [match, season]).fetchall()


def main() -> int:
    with scratch_league(), connected() as database:
        print(machine())
        fill(database)
        database.execute(
            "UPDATE bench_match SET season_id = %s WHERE season_id > %s", [SEASONS] * 2
        )
        database.execute("SET synchronous_commit = off")  # what the disk takes is the same for all
        database.execute("VACUUM ANALYZE bench_match")
        print(f"{'':<32}" + "".join(f"{name:>16}" for name in NAMES))
        sizes = [
            float((database.execute(SIZE, [table]).fetchone() or [0])[0])
            for table in NAMES.values()
        ]
        print(f"{'MB':<32}" + "".join(f"{size / 1e6:>16.1f}" for size in sizes))
        for what in ("settle", "events of a match", "events of a match of a season"):
            taken: dict[str, list[float]] = {name: [] for name in NAMES}
            for number in range(ROUNDS):
                for name, table in NAMES.items():
                    began = time.perf_counter()
                    work(database, what, table, number)
                    taken[name].append(time.perf_counter() - began)
            medians = [statistics.median(each[10:]) * 1000 for each in taken.values()]
            print(f"{what + ', ms':<32}" + "".join(f"{value:>16.3f}" for value in medians))
    return 0


if __name__ == "__main__":
    sys.exit(main())
