"""Real workers, scheduler and broker, also when they are lost in between."""

import time
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from django.conf import settings

from league.models import Arena, Match, Player, RatingEvent, Status
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from tests.support.cast import beats_as_agreed
from tests.support.celery_steps import (
    RESUMES_WITHIN,
    STARTS_WITHIN,
    Broker,
    Crew,
    happens_within,
    kill,
)
from tests.support.full_disk import full_disk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def is_rated(match: Match) -> bool:
    match.refresh_from_db()
    return match.status == Status.RATED


def overdue(arena: Arena, winner: Player, loser: Player) -> Match:
    """A report whose window passed a second ago, by the database's clock."""
    now = database_now()
    early = now - arena.confirmation_window - timedelta(seconds=1)
    return beats_as_agreed(winner, loser, arena, now=early)


def test_an_unanswered_report_is_confirmed_also_after_worker_clock_and_broker_were_lost(
    crew: Crew, duel: Arena, alice: Player, charlie: Player
) -> None:
    first = overdue(duel, alice, charlie)
    lost = [crew.worker(), crew.clock()]
    assert happens_within(lambda: is_rated(first), STARTS_WITHIN)
    assert first.settlement == "window"

    for process in lost:
        kill(process)
    redis.Redis.from_url(settings.REDIS_URL).flushdb()
    second = overdue(duel, charlie, alice)
    crew.worker()
    crew.clock()
    assert happens_within(lambda: is_rated(second), STARTS_WITHIN)
    assert RatingEvent.objects.count() == 4
    assert verify(duel.seasons.get()) == []


def test_workers_outlive_a_broker_that_refuses_to_write(
    tmp_path: Path, duel: Arena, alice: Player, charlie: Player
) -> None:
    broker = Broker()
    broker.start()
    crew = Crew(tmp_path, broker.url)
    try:
        first = overdue(duel, alice, charlie)
        worker, clock = crew.worker(), crew.clock()
        assert happens_within(lambda: is_rated(first), STARTS_WITHIN)
        broker.refuse_writes()
        second = overdue(duel, charlie, alice)
        refused = lambda: "MISCONF" in crew.log_of(worker) + crew.log_of(clock)  # noqa: E731
        assert happens_within(refused, RESUMES_WITHIN)
        time.sleep(3)
        assert (worker.poll(), clock.poll()) == (None, None)
        for process in (worker, clock):
            assert "Traceback" not in crew.log_of(process), crew.log_of(process)
            assert "format_stack" not in crew.log_of(process)
        broker.accept_writes()
        assert happens_within(lambda: is_rated(second), RESUMES_WITHIN)
        assert (worker.poll(), clock.poll()) == (None, None)
    finally:
        crew.end()
        broker.end()


def test_a_full_disk_is_one_line_for_each_failed_task(
    crew: Crew, duel: Arena, alice: Player, charlie: Player
) -> None:
    overdue(duel, alice, charlie)
    with full_disk("league_ratingevent"):
        worker, _clock = crew.worker(), crew.clock()
        failed = lambda: crew.log_of(worker).count("No space left on device") > 1  # noqa: E731
        assert happens_within(failed, STARTS_WITHIN), crew.log_of(worker)
    log = crew.log_of(worker)
    assert "Traceback" not in log, log
    assert 'File "' not in log, log
