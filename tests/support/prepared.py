"""Arenas that the template keeps beside its tables, for the tests that ask for them.

Opening a season makes a partition of the ratings. A season that is put away leaves its partition
behind, empty, and finds it again.
"""

from django.db import connection

from league.models import Arena
from league.services.results.records import histories
from league.services.standings import board

KEPT = ["league_arena", "league_historicalarena", "league_season"]
"""The tables that a new arena with a season has rows in, each after those it refers to."""
FIRST_SEASON = 101
"""The number of the first season, so that no arena and its season share one by chance."""


def number_seasons() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE league_season ALTER COLUMN id RESTART WITH {FIRST_SEASON}")


def put_away() -> None:
    """Take all arenas and seasons from their tables, and keep them."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE SCHEMA prepared")
        cursor.execute("ALTER TABLE league_season DISABLE TRIGGER USER")
        for table in reversed(KEPT):
            cursor.execute(f"CREATE TABLE prepared.{table} AS TABLE {table}")
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute("ALTER TABLE league_season ENABLE TRIGGER USER")


def bring_out(slug: str) -> Arena:
    """Put the arena that is called so, and its season, where they belong."""
    board.clear_cache()  # of an earlier test with the same season
    histories.clear_cache()
    chosen = "SELECT id FROM prepared.league_arena WHERE slug = %s"
    with connection.cursor() as cursor:
        for table in KEPT:
            key = "arena_id" if table == "league_season" else "id"
            cursor.execute(
                f"INSERT INTO {table} SELECT * FROM prepared.{table} WHERE {key} IN ({chosen})",
                [slug],
            )
    return Arena.objects.get(slug=slug)
