"""Marked views are read from a replica by visitors, and by nobody who may just have written."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections, router, transaction
from django.db.backends.postgresql.base import DatabaseWrapper
from django.test import Client

from league.database import database_from_url
from league.models import Arena, Player
from tests.support.api_steps import by_token
from tests.support.cast import account
from tests.support.celery_steps import database_url
from tests.support.web_steps import browser_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def replica(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A second connection to the tests' database, for which a page cannot tell a replica."""

    def connect(wrapper: DatabaseWrapper) -> None:
        """Do what Django does, and not what it does in tests, to databases it does not know."""
        if wrapper.connection is None:
            with wrapper.wrap_database_errors:
                wrapper.connect()

    monkeypatch.setattr(DatabaseWrapper, "ensure_connection", connect)
    made = {**connection.settings_dict, **database_from_url(database_url())}
    monkeypatch.setitem(connections.settings, "replica", made)
    yield
    connections["replica"].close()
    connections["replica"].close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone
    del connections["replica"]


def read_by(browser: Any, path: str) -> set[str]:
    """Return the databases that a page was read from."""
    asked: list[str] = []

    def note(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        asked.append(context["connection"].alias)
        return execute(sql, params, many, context)

    with (
        connections["default"].execute_wrapper(note),
        connections["replica"].execute_wrapper(note),
    ):
        answer = browser.get(path)
    assert answer.status_code == 200, answer.content[:300]
    return set(asked)


def test_visitors_read_by_the_replica_and_people_who_may_have_written_do_not(duel: Arena) -> None:
    alice = account("Alice")
    for path in ("/api/v1/players/", f"/api/v1/players/{alice.pk}/", "/api/v1/matches/"):
        assert read_by(Client(), path) == {"replica"}, path
        assert read_by(by_token(alice), path) == {"default"}
        assert read_by(browser_of(alice), path) == {"default"}
    assert "default" in read_by(Client(), f"/players/{alice.pk}/"), "a page with SQL of its own"


def test_a_transaction_is_never_divided(duel: Arena) -> None:
    with transaction.atomic():
        account("Trixie")
        assert read_by(Client(), "/api/v1/players/") == {"default"}


def test_what_fails_or_is_missing_on_the_replica_is_read_from_the_primary(
    monkeypatch: pytest.MonkeyPatch, duel: Arena
) -> None:
    alice = account("Fay")
    assert Client().get(f"/api/v1/players/{alice.pk + 1}/").status_code == 404
    monkeypatch.setitem(connections["replica"].settings_dict, "HOST", "/nowhere")
    pool = {**connections["replica"].settings_dict["OPTIONS"]["pool"], "timeout": 0.5}
    monkeypatch.setitem(connections["replica"].settings_dict["OPTIONS"], "pool", pool)
    connections["replica"].close()
    connections["replica"].close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone
    assert "default" in read_by(Client(), f"/api/v1/players/{alice.pk}/")


def test_only_marked_views_are_led_to_the_replica_and_no_migration_is() -> None:
    assert router.db_for_read(Player) == "default"
    assert router.db_for_write(Player) == "default"
    assert not router.allow_migrate("replica", "league")
    assert router.allow_migrate("default", "league")
