"""The database of the tests starts anew once it is worn, and only then, with an empty cache."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection

from league.models import Player
from tests.support import databases
from tests.support.cast import account

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_fresh_database_is_kept() -> None:
    account("Alice")
    databases.renew_if_worn()
    assert Player.objects.get().name == "Alice"


def test_a_database_with_analyzed_tables_is_renewed() -> None:
    account("Alice")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE league_player")
    databases.renew_if_worn()
    assert not Player.objects.exists()


def test_a_database_that_has_grown_is_renewed() -> None:
    account("Alice")
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE large AS SELECT repeat('x', 1000) FROM generate_series(1, 20000)"
        )
    databases.renew_if_worn()
    assert not Player.objects.exists()


def test_a_renewed_database_has_an_empty_cache() -> None:
    """It gives the same ids again, by which much is cached."""
    cache.set("of-the-old-one", 1)
    databases.renew()
    assert cache.get("of-the-old-one") is None
