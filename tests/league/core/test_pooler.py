"""Behind a pooler that gives each transaction another session, nothing stays in a session."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from league.database import database_from_url
from league.environment import examine
from league.services.operations import postgres_tools
from tests.support.celery_steps import database_url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NAME = "SELECT current_setting('application_name')"


def connect_if_needed(wrapper: DatabaseWrapper) -> None:
    """Do what Django does, and not what it does in tests, to databases that it does not know."""
    if wrapper.connection is None:
        with wrapper.wrap_database_errors:
            wrapper.connect()


@pytest.fixture
def pooler(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Django's databases as with a pooler, without one: each says its name."""
    monkeypatch.setattr(DatabaseWrapper, "ensure_connection", connect_if_needed)
    usual = connections["default"]
    for alias, is_pooler in (("pooled", True), ("direct", False)):
        url = f"{database_url()}?application_name={alias}"
        made = database_from_url(url, is_pooler=is_pooler)
        monkeypatch.setitem(
            connections.settings, alias, {**connections.settings["default"], **made}
        )
    connections["default"] = connections["pooled"]
    yield
    connections["default"] = usual
    for alias in ("pooled", "direct"):
        connections[alias].close()
        connections[alias].close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone
        del connections[alias]


def asked(query: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query)
        row = cursor.fetchone()
    return row[0] if len(row) == 1 else row


@pytest.mark.usefixtures("pooler")
def test_a_session_of_the_pooler_is_left_as_it_was() -> None:
    for _ in range(5):
        assert asked(NAME) == "pooled"
    assert asked("SELECT count(*) FROM pg_prepared_statements") == 0
    assert connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]


@pytest.mark.usefixtures("pooler")
def test_what_needs_a_session_gets_one_past_the_pooler() -> None:
    with postgres_tools.connect(postgres_tools.own_database()) as session:
        assert session.execute(NAME).fetchone() == ("direct",)
    environment = postgres_tools.environment("another")
    assert environment["PGDATABASE"] == "another"
    assert environment["PGHOST"] == connections["direct"].settings_dict["HOST"]


def test_a_direct_address_without_a_pooler_is_a_mistake() -> None:
    url = "postgresql://laurel@db1.example,db2.example/laurel?target_session_attrs=read-write"
    _values, problems = examine({"DATABASE_DIRECT_URL": url})
    [problem] = problems
    assert problem.startswith("DATABASE_DIRECT_URL is set but DATABASE_URL is not")
    values, problems = examine({"DATABASE_DIRECT_URL": url, "DATABASE_URL": url})
    assert problems == []
    assert values["DATABASE_DIRECT_URL"] == url
