"""Each task is of a kind, and workers of one kind keep the others waiting for nothing."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import pairwise

import psycopg
import pytest
from celery import Task
from django.db import connection

from league import heartbeats, tasks
from league.celery import app
from league.kinds import KIND_OF, KINDS, SETTLING, SLOW, TASKS, TICKS
from league.models import Arena, ArenaQueue, Player, Tick
from league.schedule import SECONDS
from league.services.core.clock import database_now
from league.services.queue.queueing import join
from league.worker_signals import WORKERS
from tests.support.celery_steps import (
    RESUMES_WITHIN,
    STARTS_WITHIN,
    Crew,
    database_url,
    happens_within,
)

pytestmark = pytest.mark.slow

HELD_UP = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE '%league_mergerequest%'
    AND cardinality(pg_blocking_pids(pid)) > 0
"""
BLOCKED = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0
"""


def test_each_task_has_a_kind() -> None:
    declared = {name for name, task in vars(tasks).items() if isinstance(task, Task)}
    assert sorted(name for names in TASKS.values() for name in names) == sorted(declared)
    for name in declared:
        sent_to = app.amqp.router.route({}, f"league.tasks.{name}")["queue"]
        assert sent_to.name == sent_to.routing_key == KIND_OF[f"league.tasks.{name}"]


def test_each_kind_has_a_task_every_ten_seconds_that_shows_its_worker_alive() -> None:
    frequent = {name for name, seconds in SECONDS.items() if seconds <= 10}
    assert all(frequent & set(TASKS[kind]) for kind in KINDS)


@contextmanager
def slow_task_that_lasts() -> Iterator[None]:
    """Keep ``carry_out_merges`` waiting for a table."""
    with psycopg.connect(database_url()) as other:
        other.execute("LOCK TABLE league_mergerequest IN ACCESS EXCLUSIVE MODE")
        yield


def a_slow_task_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(HELD_UP)
        return bool(cursor.fetchone()[0] == 1)


def one_waits(arena: Arena, player: Player) -> None:
    """Queue a player whom nobody can be matched with, so that each tick leaves a row."""
    queue = ArenaQueue(arena=arena)
    queue.rules["queue"]["iteration_interval"] = "0.5s"
    queue.full_clean()
    queue.save()
    join(arena, player, [], now=database_now())


def ticks_since(start: datetime) -> list[datetime]:
    return list(Tick.objects.filter(at__gt=start).order_by("at").values_list("at", flat=True))


def ten_seconds_pass(start: datetime) -> bool:
    return database_now() - start >= timedelta(seconds=10)


@pytest.mark.django_db(transaction=True)
def test_ticks_run_every_second_while_a_slow_task_occupies_the_slow_worker(
    crew: Crew, duel: Arena, alice: Player
) -> None:
    one_waits(duel, alice)
    with slow_task_that_lasts():
        quick, slow = crew.worker(TICKS, SETTLING), crew.worker(SLOW, at_a_time=1)
        crew.clock()
        assert happens_within(a_slow_task_waits, STARTS_WITHIN), crew.log_of(slow)
        assert happens_within(Tick.objects.exists, STARTS_WITHIN), crew.log_of(quick)
        start = database_now()
        assert happens_within(lambda: ten_seconds_pass(start), RESUMES_WITHIN)
        assert a_slow_task_waits()
        ticks = ticks_since(start)
        assert len(ticks) >= 8
        assert max(later - earlier for earlier, later in pairwise(ticks)) < timedelta(seconds=3)
        assert heartbeats.ages()[WORKERS[SLOW]] < 5, "it is seen while it is busy"


def ticks_held_up() -> int:
    """Return the number of sessions that wait for somebody else's lock."""
    with connection.cursor() as cursor:
        cursor.execute(BLOCKED)
        held: int = cursor.fetchone()[0]
    return held


@pytest.mark.django_db(transaction=True)
def test_two_arenas_tick_at_once_on_two_workers_of_one_process_each(
    crew: Crew, duel: Arena, teams: Arena, alice: Player, charlie: Player
) -> None:
    """A tick's row refers to its arena, so while both arenas are locked, two ticks wait."""
    one_waits(duel, alice)
    one_waits(teams, charlie)
    with psycopg.connect(database_url()) as other:
        other.execute("SELECT 1 FROM league_arena ORDER BY id FOR UPDATE")
        first = crew.worker(TICKS, at_a_time=1)
        crew.clock()
        assert happens_within(lambda: ticks_held_up() == 1, STARTS_WITHIN), crew.log_of(first)
        time.sleep(5)
        assert ticks_held_up() == 1, "a worker has one tick at a time"
        second = crew.worker(TICKS, at_a_time=1)
        assert happens_within(lambda: ticks_held_up() == 2, STARTS_WITHIN), crew.log_of(second)
    for arena in (duel, teams):
        assert happens_within(Tick.objects.filter(arena=arena).exists, RESUMES_WITHIN)
