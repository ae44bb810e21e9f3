"""Behind a pooler that gives each transaction another session, nothing stays in a session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, connections

from league import database
from league.database_settings import database_from_url
from league.environment import examine
from league.postgresql.base import DatabaseWrapper
from league.services.operations import postgres_tools
from league.settings import GIVEN
from tests.support.celery_steps import database_url
from tests.support.web_steps import browser_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Player

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "SELECT current_setting('application_name')"
LIMITS = "SELECT current_setting('statement_timeout'), current_setting('lock_timeout')"


def connect_if_needed(wrapper: DatabaseWrapper) -> None:
    """Do what Django does, and not what it does in tests, to databases that it does not know."""
    if wrapper.connection is None:
        with wrapper.wrap_database_errors:
            wrapper.connect()


@pytest.fixture
def pooled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Django's databases as with a pooler, without one: each says its name."""
    monkeypatch.setattr(DatabaseWrapper, "ensure_connection", connect_if_needed)
    usual = connections["default"]
    for alias, kind in (("pooled", database.Unlimited), ("direct", database.Connection)):
        url = f"{database_url()}?application_name={alias}"
        made = database_from_url(url, GIVEN, kind)
        monkeypatch.setitem(
            connections.settings, alias, {**connections.settings["default"], **made}
        )
    database.use(connections["pooled"])
    yield
    database.begin_request()
    database.use(usual)
    for alias in ("pooled", "direct"):
        connections[alias].close()
        connections[alias].close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone
        del connections[alias]


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database._Process, "has_limits", True)


def asked(query: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query)
        row = cursor.fetchone()
    return row[0] if len(row) == 1 else row


@pytest.mark.usefixtures("pooled", "limited")
def test_a_session_of_the_pooler_is_left_as_it_was() -> None:
    for _ in range(5):
        assert asked(NAME) == "pooled"
    assert asked("SELECT count(*) FROM pg_prepared_statements") == 0
    assert asked(LIMITS) == ("0", "0"), "the pooler has limits of its own"
    assert connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]


@pytest.mark.usefixtures("pooled", "limited")
def test_long_work_goes_past_the_pooler_until_the_next_request() -> None:
    asked(NAME)
    database.allow_long_work()
    assert asked(NAME) == "direct"
    assert asked(LIMITS) == ("1min", "0")
    assert not connection.settings_dict["DISABLE_SERVER_SIDE_CURSORS"]
    connection.close()  # as Django does after a request
    database.begin_request()
    assert asked(NAME) == "pooled"


@pytest.mark.usefixtures("pooled", "limited")
def test_pages_of_the_admin_are_read_past_the_pooler_and_others_through_it(
    olga: Player, alice: Player
) -> None:
    browser = browser_of(olga)
    seen: list[str] = []

    def watch(execute: Any, sql: Any, *rest: Any) -> Any:
        seen.append(rest[-1]["connection"].alias)
        return execute(sql, *rest)

    for alias in ("pooled", "direct"):
        connections[alias].execute_wrappers.append(watch)
    assert browser.get(f"/players/{alice.pk}/").status_code == 200
    assert set(seen) == {"pooled"}
    seen.clear()
    assert browser.get("/admin/league/player/").status_code == 200
    assert seen[-1] == "direct"
    seen.clear()
    assert browser.get("/").status_code == 200
    assert set(seen) == {"pooled"}


@pytest.mark.usefixtures("pooled")
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
