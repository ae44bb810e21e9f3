"""Queues with real workers, schedulers and broker that are doubled, killed, delayed or lost.

Whatever happens, nobody is in two matches, nobody is lost, and the next tick comes on time.
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from league.models import Arena, ArenaQueue, Player, Proposal, Tick, Ticket, TicketMember
from league.services.core.clock import database_now
from league.services.integrity.queue import breaches
from league.services.queue.queueing import join
from tests.support.celery_steps import (
    RESUMES_WITHIN,
    STARTS_WITHIN,
    Broker,
    Crew,
    database_url,
    happens_within,
    kill,
)
from tests.support.nursery import Forked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

HELD_UP = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0
"""


@pytest.fixture
def broker() -> Iterator[Broker]:
    made = Broker()
    made.start()
    yield made
    made.end()


def queue_in(arena: Arena) -> ArenaQueue:
    """A queue that ticks every second and leaves time to accept."""
    made = ArenaQueue(arena=arena, ready_window=timedelta(minutes=10))
    made.rules["queue"]["iteration_interval"] = "1s"
    made.full_clean()
    made.save()
    return made


def crowd_joins(arena: Arena, count: int) -> list[Ticket]:
    """Queue this many new players, each alone."""
    known = Player.objects.count()
    players = [Player.objects.create(name=f"Player {known + number}") for number in range(count)]
    return [join(arena, player, [], now=database_now()) for player in players]


def waiting(arena: Arena) -> int:
    return Ticket.objects.waiting().filter(arena=arena).count()


def nobody_waits(arena: Arena) -> bool:
    return waiting(arena) == 0


def has_tried_in_vain(crew: Crew, worker: Forked) -> bool:
    """Return whether a worker has retried its broker for a while at a steady pace."""
    return crew.log_of(worker).count("Trying again in 2.00 seconds") >= 4


def backends_held_up() -> int:
    """Return the number of database sessions that are blocked by another."""
    with connection.cursor() as cursor:
        cursor.execute(HELD_UP)
        held: int = cursor.fetchone()[0]
    return held


def assert_laws(*, players: int) -> None:
    """Check that everyone waits in one ticket or is asked for one match of full teams."""
    assert breaches(database_now()) == []
    assert TicketMember.objects.filter(open=True).count() == players
    asked = [
        ticket for proposal in Proposal.objects.all() for team in proposal.seats for ticket in team
    ]
    assert len(asked) == len(set(asked))
    for tick in Tick.objects.all():
        assert tick.proposed == tick.matches


def test_two_clocks_and_two_workers_make_each_match_once(crew: Crew, teams: Arena) -> None:
    queue_in(teams)
    for start in (crew.clock, crew.worker) * 2:
        start()
    crowd_joins(teams, 20)
    assert happens_within(partial(nobody_waits, teams), STARTS_WITHIN)
    crowd_joins(teams, 12)
    assert happens_within(partial(nobody_waits, teams), RESUMES_WITHIN)
    assert Proposal.objects.count() == 8
    assert_laws(players=32)


def test_after_a_worker_is_killed_between_engine_and_write_another_repeats_the_tick(
    crew: Crew, teams: Arena
) -> None:
    queue_in(teams)
    crowd_joins(teams, 8)
    with psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE league_proposal IN SHARE MODE")  # to be read, not written
        crew.clock()
        worker = crew.worker()
        assert happens_within(backends_held_up, STARTS_WITHIN), crew.log_of(worker)
        kill(worker)
    assert happens_within(lambda: not backends_held_up(), RESUMES_WITHIN)
    assert waiting(teams) == 8
    assert not Tick.objects.exists()

    crew.worker()
    assert happens_within(partial(nobody_waits, teams), STARTS_WITHIN)
    assert Proposal.objects.count() == 2
    assert_laws(players=8)


def test_an_overrunning_tick_delays_no_other_queue_and_its_own_continues_later(
    crew: Crew, teams: Arena, duel: Arena
) -> None:
    queue_in(teams)
    queue_in(duel)
    crowd_joins(teams, 4)
    with psycopg.connect(database_url()) as other:
        # A tick's rows refer to the arena, so its end must wait for this lock.
        other.execute("SELECT 1 FROM league_arena WHERE id = %s FOR UPDATE", [teams.pk])
        crew.clock()
        worker = crew.worker()
        assert happens_within(backends_held_up, STARTS_WITHIN), crew.log_of(worker)
        for _ in range(3):
            crowd_joins(duel, 2)
            assert happens_within(partial(nobody_waits, duel), RESUMES_WITHIN), crew.log_of(worker)
        assert backends_held_up() == 1  # the later ticks of its queue did not line up behind it
        assert waiting(teams) == 4
    assert happens_within(partial(nobody_waits, teams), RESUMES_WITHIN)
    crowd_joins(teams, 4)
    assert happens_within(partial(nobody_waits, teams), RESUMES_WITHIN)
    assert Proposal.objects.filter(arena=teams).count() == 2
    assert_laws(players=14)


def test_ticks_resume_after_the_broker_was_stopped_and_emptied(
    tmp_path: Path, broker: Broker, teams: Arena
) -> None:
    queue_in(teams)
    crew = Crew(tmp_path, broker.url)
    try:
        crowd_joins(teams, 4)
        with psycopg.connect(database_url()) as other:
            other.execute("LOCK TABLE league_proposal IN SHARE MODE")
            crew.clock()
            worker = crew.worker()
            assert happens_within(backends_held_up, STARTS_WITHIN), crew.log_of(worker)
            broker.stop()  # in the middle of a tick
        assert happens_within(partial(nobody_waits, teams), RESUMES_WITHIN)
        crowd_joins(teams, 4)  # who queue need no broker
        assert happens_within(partial(has_tried_in_vain, crew, worker), STARTS_WITHIN), crew.log_of(
            worker
        )
        assert waiting(teams) == 4
        broker.start()
        assert happens_within(partial(nobody_waits, teams), RESUMES_WITHIN), crew.log_of(worker)
    finally:
        crew.end()
    assert Proposal.objects.count() == 2
    assert_laws(players=8)
