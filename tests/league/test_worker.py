"""The real worker and the real clock, on the real broker, also when they are lost half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest
import redis
from django.conf import settings
from django.db import connection

from league.models import Arena, Match, Player, RatingEvent, Status
from league.services.clock import database_now
from league.services.verification import verify
from tests.cast import beats

pytestmark = pytest.mark.django_db(transaction=True)

PROJECT = Path(__file__).resolve().parent.parent.parent
RESUMES_WITHIN = 15.0
STARTS_WITHIN = 30.0


def environment() -> dict[str, str]:
    """What makes a process work on the test's database."""
    database = connection.settings_dict
    user = quote(database["USER"], safe="")
    password = quote(database["PASSWORD"], safe="")
    host = quote(str(database["HOST"]), safe="")
    return {
        **os.environ,
        "DATABASE_URL": f"postgresql://{user}:{password}@{host}/{database['NAME']}",
        "REDIS_URL": settings.REDIS_URL,
    }


def start(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "league", *command],
        cwd=PROJECT,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Callable[[], list[subprocess.Popen[bytes]]]]:
    """Starts a worker and a beat; whatever is left of them is killed at the end."""
    started: list[subprocess.Popen[bytes]] = []

    def start_both() -> list[subprocess.Popen[bytes]]:
        both = [
            start("worker", "--pool", "threads", "--concurrency", "2", "--loglevel", "error"),
            start("beat", "--schedule", str(tmp_path / "schedule"), "--loglevel", "error"),
        ]
        started.extend(both)
        return both

    yield start_both
    for process in started:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def settled_within(match: Match, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        match.refresh_from_db()
        if match.status == Status.RATED:
            return True
        time.sleep(0.1)
    return False


def overdue(arena: Arena, winner: Player, loser: Player) -> Match:
    """A report whose window passed a second ago, by the database's clock."""
    now = database_now()
    return beats(winner, loser, arena, now=now - arena.confirmation_window - timedelta(seconds=1))


def test_an_unanswered_report_is_confirmed_also_after_worker_clock_and_broker_were_lost(
    duel: Arena,
    alice: Player,
    charlie: Player,
    processes: Callable[[], list[subprocess.Popen[bytes]]],
) -> None:
    first = overdue(duel, alice, charlie)
    worker, beat = processes()
    assert settled_within(first, STARTS_WITHIN)
    assert first.settlement == "window"

    kill(worker)
    kill(beat)
    redis.Redis.from_url(settings.REDIS_URL).flushall()
    second = overdue(duel, charlie, alice)
    processes()
    assert settled_within(second, RESUMES_WITHIN)
    assert RatingEvent.objects.count() == 4
    assert verify(duel.seasons.get()) == []
