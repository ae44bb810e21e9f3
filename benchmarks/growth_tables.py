"""The bytes that a rated match takes in each table and index, and the time to keep them.

``python -m benchmarks.growth_tables`` reports and confirms 200 duels through the services, then
copies their rows by SQL, with ids and digests of their own, until there are 200,000 matches. Its
database is empty at first and dropped afterwards.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from benchmarks.corrections import without_foreign_keys
from benchmarks.results_at_once import NOW, laurel, world
from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    from league.models import Arena

PLAYED = 200
COPIES = 999
APART = 10_000
"""Ids of two copies of a row are this far apart, above all that the services have given out."""

FRESH = {
    "league_match": {
        "id": "id + k * {apart}",
        "rated_order": "rated_order + k * {apart}",
        **dict.fromkeys(
            ("client_token", "lineup", "result_digest", "report_digest"), "gen_random_uuid()"
        ),
    },
    "league_side": {"id": "id + k * {apart}", "match_id": "match_id + k * {apart}"},
    "league_participant": {
        "id": "id + k * {apart}",
        "match_id": "match_id + k * {apart}",
        "side_id": "side_id + k * {apart}",
    },
    "league_ratingevent": {
        "id": "id + k * {apart}",
        "match_id": "match_id + k * {apart}",
        "games": "games + k * 2",
    },
    "league_notice": {"id": "id + k * {apart}", "match_id": "match_id + k * {apart}"},
}
"""The columns that a copy of a row has values of its own in."""

NEW_PLAYERS = 50_000
PLAYERS = """
    INSERT INTO league_player
        (id, name, folded_name, skeleton, search_name, sort_name, may_resemble, created_at)
    SELECT n, 'Player ' || n, 'player ' || n, 'player ' || n, 'player ' || n, 'player ' || n,
        false, now()
    FROM generate_series(%(first)s, %(first)s + %(count)s - 1) AS n
"""
RATINGS = """
    INSERT INTO league_rating (season_id, player_id, rating, deviation, volatility, games,
        last_played_at, memory)
    SELECT %(season)s, n, random() * 3000, 80, 0.06, 50, %(now)s, '{}'
    FROM generate_series(%(first)s, %(first)s + %(count)s - 1) AS n
"""

PARTS = """
    SELECT pg_table_size(%(table)s::regclass), (
        SELECT json_agg(json_build_array(indexrelid::regclass::text, pg_relation_size(indexrelid))
            ORDER BY pg_relation_size(indexrelid) DESC)
        FROM pg_index WHERE indrelid = %(table)s::regclass)
"""


def ask(statement: str, values: Any = None) -> Any:
    """Run a statement and return its rows, if it has any."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall() if cursor.description else None


def counts() -> dict[str, int]:
    """Return the number of rows of each of the league's tables."""
    names = ask(
        "SELECT relname FROM pg_class WHERE relname LIKE 'league\\_%' AND relkind IN ('r', 'p')"
        " AND NOT relispartition ORDER BY 1"
    )
    return {name: ask(f'SELECT count(*) FROM "{name}"')[0][0] for (name,) in names}


def multiply(table: str) -> None:
    """Copy the rows of a table without triggers or checks: they are valid by construction."""
    columns = [
        row[0]
        for row in ask(
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
            " AND NOT attisdropped ORDER BY attnum",
            [table],
        )
    ]
    own = {name: value.format(apart=APART) for name, value in FRESH[table].items()}
    values = ", ".join(own.get(name, name) for name in columns)
    ask(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM {table}"
        f" CROSS JOIN generate_series(1, {COPIES}) AS k ORDER BY k, id"
    )


def seconds(statement: str) -> float:
    began = time.perf_counter()
    ask(statement)
    return time.perf_counter() - began


def print_sizes(table: str) -> None:
    """Print the size of a table, of its rows and of each index."""
    rows = ask(f"SELECT count(*) FROM {table}")[0][0]
    heap, indexes = ask(PARTS, {"table": table})[0]
    for name, size in [(table, heap), *((f"  {name}", size) for name, size in indexes or [])]:
        print(f"{name:<44}{rows:>10,}{size / 1e6:>9.1f}{size / max(rows, 1):>9.1f}", flush=True)


def add_players(arena: Arena) -> int:
    """Add rated players and put them into the standings. Return the id of the season."""
    from league.services.standings.rebuilding import rebuild

    season = arena.seasons.get()
    values = {"first": 1_000_000, "count": NEW_PLAYERS, "season": season.pk, "now": NOW}
    for statement in (PLAYERS, RATINGS):
        ask(statement, values)
    rebuild(season, NOW)
    return int(season.pk)


def main() -> int:
    from django.db import transaction

    with scratch_league():
        print(machine())
        arena, players = world()
        before = counts()
        submit = laurel(arena, players)
        for number in range(PLAYED):
            submit(number)
        after = counts()
        print("rows a match:")
        for table in after:
            if after[table] != before[table]:
                print(f"  {table:<32}{(after[table] - before[table]) / PLAYED:>6.2f}")
        with transaction.atomic(), without_foreign_keys():
            for table in FRESH:
                ask(f"ALTER TABLE {table} DISABLE TRIGGER USER")
                multiply(table)
        print(f"{'':<44}{'rows':>10}{'MB':>9}{'B a row':>9}")
        for table in FRESH:
            print(f"vacuum and analyze {seconds(f'VACUUM ANALYZE {table}'):.1f} s")
            print_sizes(table)
        season = add_players(arena)
        for table in ("league_player", "league_namestart", f"league_rating_{season}"):
            print_sizes(table)
        print_sizes("league_standing")
        freeze = seconds("VACUUM (FREEZE, DISABLE_PAGE_SKIPPING) league_ratingevent")
        index = seconds("REINDEX INDEX event_of_player")
        read = seconds("SELECT sum(length(e::text)) FROM league_ratingevent AS e")
        print(
            f"events: full vacuum of all pages {freeze:.1f} s, one index {index:.1f} s, "
            f"reading all as text {read:.1f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
