"""Two beats run at once, as on two machines: one works, and the other takes its place."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis
from django.conf import settings

from league.celery import app
from league.kinds import TICKS
from league.one_beat import PAUSE, OneBeat
from tests.support.celery_steps import (
    STARTS_WITHIN,
    Broker,
    Crew,
    database_url,
    happens_within,
    kill,
)
from tests.support.nursery import Forked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
TAKEN_OVER_WITHIN = 15.0
WORKS = "This beat is now active."
HOLDERS = """
    SELECT count(*) FROM pg_locks AS l
    JOIN pg_database AS d ON d.oid = l.database AND d.datname = current_database()
    WHERE l.locktype = 'advisory' AND l.granted AND l.pid IN (
        SELECT pid FROM pg_stat_activity WHERE application_name = 'laurel beat')
"""


@pytest.fixture
def broker() -> Iterator[Broker]:
    """A broker that nobody takes messages from, so that they can be counted."""
    made = Broker()
    made.start()
    yield made
    made.end()


@pytest.fixture
def crew(tmp_path: Path, broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crew]:
    monkeypatch.setenv("LAUREL_LOG", "json")  # which logs from "info" on
    made = Crew(tmp_path, broker.url)
    yield made
    made.end()


def holders() -> int:
    with psycopg.connect(database_url()) as database:
        row = database.execute(HOLDERS).fetchone()
    return row[0] if row else 0


def messages(broker: Broker) -> int:
    with redis.Redis.from_url(broker.url) as client:
        return int(client.llen(TICKS))


def sent_within(broker: Broker, seconds: float) -> int:
    """Return how many messages for ticks come in within some seconds. Two a second are normal."""
    before = messages(broker)
    time.sleep(seconds)
    return messages(broker) - before


def one_works_and_one_waits(
    crew: Crew,
) -> tuple[Forked, Forked]:
    first = crew.clock()
    assert happens_within(lambda: WORKS in crew.log_of(first), STARTS_WITHIN), crew.log_of(first)
    second = crew.clock()
    starts = lambda: "beat: Starting" in crew.log_of(second)  # noqa: E731
    assert happens_within(starts, STARTS_WITHIN), crew.log_of(second)
    time.sleep(3)
    assert WORKS not in crew.log_of(second)
    return first, second


def test_one_of_two_beats_works_and_the_other_follows_when_it_is_killed(
    crew: Crew, broker: Broker
) -> None:
    first, second = one_works_and_one_waits(crew)
    assert holders() == 1
    assert 6 <= sent_within(broker, 5) <= 12, "as many as of one beat"
    kill(first)
    assert happens_within(lambda: WORKS in crew.log_of(second), TAKEN_OVER_WITHIN)
    assert holders() == 1
    assert 6 <= sent_within(broker, 5) <= 12


def test_a_beat_that_was_stopped_is_replaced_and_waits_when_it_goes_on(
    crew: Crew, broker: Broker
) -> None:
    first, second = one_works_and_one_waits(crew)
    os.kill(first.pid, signal.SIGSTOP)
    assert happens_within(lambda: WORKS in crew.log_of(second), TAKEN_OVER_WITHIN)
    os.kill(first.pid, signal.SIGCONT)
    gives_up = lambda: "This beat is no longer active." in crew.log_of(first)  # noqa: E731
    assert happens_within(gives_up, TAKEN_OVER_WITHIN), crew.log_of(first)
    assert holders() == 1
    assert 6 <= sent_within(broker, 5) <= 12


def test_the_lock_ends_with_its_session_and_can_be_taken_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings, "DATABASE_DIRECT_URL", database_url())
    mine, other = (OneBeat(app, schedule_filename=str(tmp_path / name)) for name in "ab")
    assert [mine.tick() < PAUSE, mine.tick() < PAUSE, other.tick()] == [True, True, PAUSE]
    with psycopg.connect(database_url(), autocommit=True) as database:
        database.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks"
            " WHERE locktype = 'advisory' AND granted AND pid <> pg_backend_pid()"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
    assert (mine.tick(), other.tick() < PAUSE, mine.tick()) == (PAUSE, True, PAUSE)
    assert other._session
    other._session.close()
    # The server releases the lock when it notices that the connection is closed.
    assert happens_within(lambda: mine.tick() < PAUSE, TAKEN_OVER_WITHIN)
    assert mine._session
    mine._session.close()
