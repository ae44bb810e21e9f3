"""The faults. Each function causes one on a running site, and ends it before it returns."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import psycopg
import redis

from embedded.processes import signal_all_in
from tests.chaos.disk import SmallDisk
from tests.chaos.kills import MOMENTS, kill
from tests.chaos.scenarios import SCENARIOS
from tests.chaos.victims import Victims
from tests.embedded.helpers import children_of, connect, guardian_pid, postmaster_pid
from tests.embedded.site import Site

LASTS = 20.0
"""Seconds that a fault with a beginning and an end lasts."""
AT_ONCE = 8
"""How often a task is delivered at the same time."""


@dataclass
class Target:
    """A running site and what faults need to know of it."""

    site: Site
    random: Random
    victims: Victims
    disk: SmallDisk | None
    problems: list[str]
    """Problems found by faults that check their own effect."""

    @property
    def servers(self) -> Path:
        return (self.site.data / "servers").resolve()

    @property
    def sockets(self) -> Path:
        return Path((self.servers / "sockets").read_text())


Fault = Callable[[Target], None]


def kill_process(find: Callable[[Target], int]) -> Fault:
    return lambda target: os.kill(find(target), signal.SIGKILL)


def child_of(*words: str) -> Callable[[Target], int]:
    """Return a function that finds a child of the first process with these words in its command."""

    def find(target: Target) -> int:
        while not (children := children_of(target.site.started_pid(*words))):
            time.sleep(0.1)
        return target.random.choice(children)

    return find


def process(*words: str) -> Callable[[Target], int]:
    return lambda target: target.site.started_pid(*words)


def a_backend(target: Target) -> int:
    """Return the process of a connection of the site."""
    with connect(target.sockets) as connection:
        rows = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
            " AND usename = 'laurel' AND pid <> pg_backend_pid()"
        ).fetchall()
    return int(target.random.choice(rows)[0])


def end_connections(target: Target) -> None:
    """End all connections of the site, five times."""
    for _time in range(5):
        with suppress(psycopg.OperationalError), connect(target.sockets) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
        time.sleep(1)


def stop_database(target: Target) -> None:
    folder = target.servers / "postgres"
    signal_all_in(folder, signal.SIGSTOP)
    time.sleep(LASTS)
    signal_all_in(folder, signal.SIGCONT)


def kill_valkey(target: Target) -> None:
    signal_all_in(target.servers / "valkey", signal.SIGKILL)


def empty_valkey(_target: Target) -> None:
    from django.conf import settings  # noqa: PLC0415 - once Django is set up

    redis.Redis.from_url(settings.REDIS_URL).flushall()


def fill_disk(target: Target) -> None:
    assert target.disk
    with target.disk.full():
        time.sleep(LASTS)


def tasks_twice(target: Target) -> None:
    """Deliver each periodic task, and each request, several times at once with one id."""
    from league.celery import app  # noqa: PLC0415 - as above
    from league.schedule import SECONDS  # noqa: PLC0415 - as above

    names = [name for name in SECONDS if name not in {"back_up", "create_requested_demo"}]
    for name in names:
        deliver(app, f"league.tasks.{name}")
    for name, key, task in (
        ("correction", "request", "carry_out_correction"),
        ("merge", "request", "carry_out_merge"),
        ("archive", "season", "freeze_season"),
    ):
        facts = SCENARIOS[name].arrange()
        deliver(app, f"league.tasks.{task}", facts[key])
        deadline = time.monotonic() + LASTS
        while not SCENARIOS[name].effects(facts) and time.monotonic() < deadline:
            time.sleep(0.2)
        if (effects := SCENARIOS[name].effects(facts)) != 1:
            target.problems.append(
                f"a {name} delivered {AT_ONCE} times took effect {effects} times"
            )


def deliver(app: Any, name: str, *arguments: int) -> None:
    task = str(uuid4())
    for _time in range(AT_ONCE):
        app.send_task(name, arguments, task_id=task)


def step_clock(hours: int) -> Fault:
    """Run all periodic tasks with the time this many hours ahead or behind."""

    def fault(_target: Target) -> None:
        from datetime import timedelta  # noqa: PLC0415 - for this alone

        from league import tasks  # noqa: PLC0415 - as above
        from league.services.core.clock import database_now  # noqa: PLC0415 - as above

        with patch.object(tasks, "database_now", lambda: database_now() + timedelta(hours=hours)):
            for task in STEPPED:
                getattr(tasks, task)()

    return fault


STEPPED = (
    "confirm_expired_reports",
    "cancel_expired_ready_checks",
    "process_challenges",
    "process_arrangements",
    "take_decay_steps",
    "update_standings",
    "compute_connections",
    "tally_points",
    "carry_out_corrections",
    "note_standings_of_the_day",
)
"""Those that act on deadlines, except for ends and starts of seasons."""


def kill_at_points(target: Target) -> None:
    """Kill a process at each kill point, at one of its moments."""
    for name in SCENARIOS:
        moment = target.random.choice(list(MOMENTS))
        target.problems += kill(target.victims, name, moment, has_workers=True)


FAULTS: dict[str, Fault] = {
    "nothing": lambda _target: None,
    "guardian of the servers killed": kill_process(lambda target: guardian_pid(target.site.data)),
    "beat killed": kill_process(process("celery", "beat")),
    "Celery's parent killed": kill_process(process("celery", "worker")),
    "a child of Celery killed": kill_process(child_of("celery", "worker")),
    "a web worker killed": kill_process(child_of("gunicorn")),
    "gunicorn's first process killed": kill_process(process("gunicorn")),
    "a PostgreSQL backend killed": kill_process(a_backend),
    "all connections ended, 5 times": end_connections,
    "PostgreSQL's first process killed": kill_process(
        lambda target: postmaster_pid(target.site.data)
    ),
    "PostgreSQL stopped for 20 s": stop_database,
    "Valkey killed": kill_valkey,
    "Valkey emptied": empty_valkey,
    "disk full for 20 s": fill_disk,
    "tasks delivered 8 times at once": tasks_twice,
    "`now` an hour ahead": step_clock(1),
    "`now` an hour behind": step_clock(-1),
    "killed at each kill point": kill_at_points,
}
"""By title. All but the first are drawn in random order."""
