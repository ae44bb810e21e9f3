"""The metrics of the whole site, in Prometheus's text format."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import psycopg
import redis
from django.conf import settings
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from league import heartbeats, measuring
from league.kinds import KINDS
from league.services.operations import readiness
from league.services.operations.readiness import Checks, Facts
from league.worker_signals import DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

QUEUES = """
    SELECT a.slug, count(t.id), coalesce(extract(epoch FROM now() - min(t.queued_at)), 0)::float8
    FROM league_arenaqueue AS q
    JOIN league_arena AS a ON a.id = q.arena_id AND NOT a.is_draft
    LEFT JOIN league_ticket AS t ON t.arena_id = a.id AND t.state = 'waiting'
    GROUP BY a.slug ORDER BY a.slug
"""
MAILS = "SELECT count(*) FROM league_email WHERE state = 'waiting'"


def exposition() -> bytes:
    """Return all metrics. Those of a server that does not answer are left out."""
    registry = CollectorRegistry()
    registry.register(Site())
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call] # no stub has it
    else:
        registry.register(measuring.registry)
    return generate_latest(registry)


class Site:
    """A collector of the state of the site, the same whichever process is asked."""

    def collect(self) -> Iterator[Metric]:
        found = readiness.checks()
        yield from of_checks(found)
        yield from of_broker()
        if found["database"].ok:  # or else asking it might hang
            yield from of_database()


def of_checks(found: Checks) -> Iterator[Metric]:
    checked = GaugeMetricFamily(
        "laurel_check_ok", "1 if a check of /readyz is all right, else 0.", labels=["check"]
    )
    for name, check in found.items():
        checked.add_metric([name], float(check.ok))
    yield checked


def of_broker() -> Iterator[Metric]:
    try:
        ages = heartbeats.ages()
        waiting = {kind: heartbeats.client().llen(kind) for kind in KINDS}
    except (redis.RedisError, OSError):
        return
    messages = GaugeMetricFamily(
        "laurel_messages", "Messages that wait for a worker of a kind.", labels=["kind"]
    )
    for kind, number in waiting.items():
        messages.add_metric([kind], number)
    yield messages
    processes = GaugeMetricFamily(
        "laurel_heartbeat_age_seconds", "Seconds since a process was last seen.", labels=["process"]
    )
    tasks = GaugeMetricFamily(
        "laurel_task_age_seconds", "Seconds since a task last succeeded.", labels=["task"]
    )
    for name, age in sorted(ages.items()):
        if name.startswith(DONE):
            tasks.add_metric([name.removeprefix(DONE)], age)
        else:
            processes.add_metric([name], age)
    yield from (processes, tasks)


def of_database() -> Iterator[Metric]:
    try:
        with readiness.connect() as server:
            queues = server.execute(QUEUES.encode()).fetchall()
            mails = server.execute(MAILS.encode()).fetchone()
            facts = Facts(*server.execute(readiness.FACTS.encode()).fetchone() or ())
    except psycopg.Error:
        return
    tickets = GaugeMetricFamily("laurel_queue_tickets", "Waiting tickets.", labels=["arena"])
    waits = GaugeMetricFamily(
        "laurel_queue_longest_wait_seconds",
        "Seconds that the first of the waiting tickets has waited.",
        labels=["arena"],
    )
    for arena, number, wait in queues:
        tickets.add_metric([arena], number)
        waits.add_metric([arena], wait)
    yield from (tickets, waits)
    yield GaugeMetricFamily("laurel_mails_waiting", "Mails not yet sent.", mails[0] if mails else 0)
    yield GaugeMetricFamily(
        "laurel_standings_pending", "Changed ratings without new standings.", facts.pending
    )
    with suppress(redis.RedisError, OSError):
        yield GaugeMetricFamily(
            "laurel_standings_lag_seconds",
            "Seconds that standings are behind the ratings, at most.",
            readiness.lag(facts, heartbeats.ages()),
        )
    yield from of_backups(facts)


def of_backups(facts: Facts) -> Iterator[Metric]:
    """Give the age of the last backup and the schedule. An alert on the age also sees none."""
    if facts.backup_made or settings.BACKUP_FOLDER:
        made = facts.backup_made
        yield GaugeMetricFamily(
            "laurel_backup_age_seconds",
            "Seconds since the last backup that nothing is wrong with, +Inf if there is none.",
            (facts.now - made).total_seconds() if made else float("inf"),
        )
    if settings.BACKUP_FOLDER:
        yield GaugeMetricFamily(
            "laurel_backup_interval_seconds",
            "Seconds between scheduled backups.",
            settings.BACKUP_HOURS * 3600,
        )
