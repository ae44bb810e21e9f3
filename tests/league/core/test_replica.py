"""Boards, profiles and histories come from a replica that is close, for those who only read."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from league import database, replica, replica_reads
from league.database_settings import database_from_url
from league.models import Player
from league.postgresql.base import DatabaseWrapper
from league.settings import GIVEN
from tests.support.api_steps import by_token
from tests.support.cast import account
from tests.support.celery_steps import database_url, happens_within
from tests.support.streaming import Server, copy_database
from tests.support.web_steps import browser_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Arena

pytestmark = pytest.mark.django_db(transaction=True)
CLOSE_WITHIN = 20.0
NAME = "league"


class Pair:
    """A primary and its replica."""

    def __init__(self, folder: Path) -> None:
        self.primary, self.replica = Server(folder / "primary"), Server(folder / "replica")

    def follow(self) -> None:
        """Let a new replica follow the primary, unless there is one that does."""
        if self.replica.data.exists() and self.replica.answers():
            with self.replica.session(NAME) as session:
                if session.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
                    return
        self.replica.end()
        shutil.rmtree(self.replica.data, ignore_errors=True)
        self.replica.follow(self.primary)

    def pause(self) -> None:
        with self.replica.session(NAME) as session:
            session.execute("SELECT pg_wal_replay_pause()")

    def resume(self) -> None:
        with self.replica.session(NAME) as session:
            session.execute("SELECT pg_wal_replay_resume()")


@pytest.fixture(scope="module")
def servers(django_db_setup: None) -> Iterator[Pair]:
    with tempfile.TemporaryDirectory(prefix="laurel-pair-") as folder:
        Path(folder).chmod(0o755)
        made = Pair(Path(folder))
        try:
            made.primary.create()
            copy_database(database_url(), made.primary, NAME)
            yield made
        finally:
            made.replica.end()
            made.primary.end()


@pytest.fixture
def pair(servers: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    """Django works on a primary of its own, which has a replica. What tests write stays there."""
    servers.follow()
    with at(servers, monkeypatch):
        yield servers


@contextmanager
def at(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def connect(wrapper: DatabaseWrapper) -> None:
        if wrapper.connection is None:
            with wrapper.wrap_database_errors:
                wrapper.connect()

    monkeypatch.setattr(DatabaseWrapper, "ensure_connection", connect)
    close("default")
    own = dict(connection.settings_dict)
    url = f"postgresql://laurel@{str(pair.primary.folder).replace('/', '%2F')}/{NAME}"
    follower = f"postgresql://laurel@{str(pair.replica.folder).replace('/', '%2F')}/{NAME}"
    connection.settings_dict.update(database_from_url(url, GIVEN))
    made = {**connection.settings_dict, **database_from_url(follower, GIVEN, database.Spare)}
    monkeypatch.setitem(connections.settings, "replica", made)
    watch = replica.Watch()
    monkeypatch.setattr(replica, "watch", watch)
    monkeypatch.setattr(replica_reads, "watch", watch)
    try:
        yield
    finally:
        close("replica")
        close("default")
        connection.settings_dict.update(own)
        del connections["replica"]


def close(alias: str) -> None:
    connections[alias].close()
    connections[alias].close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone


def is_close() -> bool:
    return replica.watch.is_close()


def read_by(browser: Any, path: str) -> tuple[set[str], str]:
    """Return the databases that a page's view was read from last, and the page."""
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
    return set(asked), answer.content.decode()


PAGES = (
    "/arenas/duel/leaderboard/",
    "/arenas/duel/distribution/",
    "/arenas/duel/inactive/",
    "/arenas/duel/points/",
    "/arenas/duel/seasons/",
    "/players/?q=a",
    "/api/v1/arenas/duel/leaderboard/",
    "/api/v1/players/",
    "/api/v1/matches/",
)


def test_readers_are_sent_to_the_replica_and_writers_see_what_they_wrote(
    pair: Pair, duel: Arena
) -> None:
    alice, bob = account("Alice"), account("Bob")
    assert happens_within(is_close, CLOSE_WITHIN)
    for page in (*PAGES, f"/players/{alice.pk}/", f"/api/v1/players/{alice.pk}/rating-history/"):
        assert read_by(Client(), page)[0] == {"replica"}, page
    reader, profile = browser_of(bob), f"/players/{alice.pk}/"
    databases, _page = read_by(reader, profile)
    assert databases == {"default", "replica"}, "who they are is read from the primary"

    writer, program = browser_of(alice), by_token(alice)
    address = f"/api/v1/players/{alice.pk}/"
    assert "replica" in read_by(writer, profile)[0]
    assert "replica" in read_by(program, address)[0]
    pair.pause()
    writer.post("/settings/", {"name": "Alicia"})
    Player.objects.filter(pk=alice.pk).update(name="Alicia")
    databases, page = read_by(writer, profile)
    assert databases == {"default"}
    assert "Alicia" in page
    program.post("/api/v1/notices/read/", {}, format="json")
    databases, page = read_by(program, address)
    assert databases == {"default"}
    assert "Alicia" in page
    pair.resume()


def test_what_the_replica_does_not_know_yet_is_found_on_the_primary(pair: Pair) -> None:
    assert happens_within(is_close, CLOSE_WITHIN)
    pair.pause()
    newest = account("Nadia")
    _databases, text = read_by(Client(), f"/players/{newest.pk}/")
    assert "Nadia" in text
    assert Client().get(f"/players/{newest.pk + 1}/").status_code == 404
    pair.resume()


def test_a_transaction_is_never_divided(pair: Pair) -> None:
    alice = account("Trixie")
    assert happens_within(is_close, CLOSE_WITHIN)
    with transaction.atomic():
        Player.objects.filter(pk=alice.pk).update(name="Tracy")
        databases, text = read_by(Client(), f"/players/{alice.pk}/")
    assert databases == {"default"}
    assert "Tracy" in text


def test_a_late_lost_or_promoted_replica_is_left_alone(pair: Pair) -> None:
    alice = account("Lara")
    page = f"/players/{alice.pk}/"
    assert happens_within(is_close, CLOSE_WITHIN)
    pair.pause()
    Player.objects.filter(pk=alice.pk).update(name="Larissa")
    began = time.monotonic()
    assert happens_within(lambda: not is_close(), 4)
    assert time.monotonic() - began < 3.5
    databases, text = read_by(Client(), page)
    assert (databases, "Larissa" in text) == ({"default"}, True)
    pair.resume()
    assert happens_within(is_close, CLOSE_WITHIN)
    assert "Larissa" in read_by(Client(), page)[1]

    with pair.replica.session(NAME) as session:
        session.execute("SELECT pg_promote()")
    assert happens_within(lambda: not is_close(), 4)
    assert read_by(Client(), page)[0] == {"default"}


def test_a_read_that_fails_on_the_replica_is_repeated_on_the_primary(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is gone before anybody has noticed."""
    alice = account("Fay")
    page = f"/players/{alice.pk}/"
    pair.replica.end()
    monkeypatch.setattr(replica.Watch, "is_close", lambda _watch: True)
    databases, text = read_by(Client(), page)
    assert "default" in databases
    assert "Fay" in text
