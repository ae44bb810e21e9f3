"""The metrics of the whole site, in Prometheus's text format."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING

import psycopg
import redis
from django.conf import settings
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)

from league import measuring
from league.kinds import KINDS
from league.measuring import MEASURES, Measure
from league.services.operations import readiness
from league.services.operations.readiness import Checks, Facts
from league.worker_signals import DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    Stored = dict[tuple[str, ...], float]

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
    return generate_latest(registry)


class Site:
    """A collector of what Valkey has added up, and of the state of the site."""

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
    measuring.recorder.send()
    try:
        counts, ages = measuring.stored(), measuring.ages()
        waiting = {kind: measuring.client().llen(kind) for kind in KINDS}
    except (redis.RedisError, OSError):
        return
    by_name: defaultdict[str, Stored] = defaultdict(dict)
    for (name, *labels), value in counts.items():
        by_name[name][tuple(labels)] = value
    for name, measure in MEASURES.items():
        yield (histogram if measure.buckets else counter)(name, measure, by_name[name])
    messages = GaugeMetricFamily(
        "laurel_messages", "Messages that wait for a worker of a kind.", labels=["kind"]
    )
    for kind, number in waiting.items():
        messages.add_metric([kind], number)
    yield messages
    heartbeats = GaugeMetricFamily(
        "laurel_heartbeat_age_seconds", "Seconds since a process was last seen.", labels=["process"]
    )
    tasks = GaugeMetricFamily(
        "laurel_task_age_seconds", "Seconds since a task last succeeded.", labels=["task"]
    )
    for what, age in sorted(ages.items()):
        if what.startswith(DONE):
            tasks.add_metric([what.removeprefix(DONE)], age)
        else:
            heartbeats.add_metric([what], age)
    yield from (heartbeats, tasks)


def counter(name: str, measure: Measure, its: Stored) -> Metric:
    family = CounterMetricFamily(name, measure.text, labels=measure.labels)
    for labels, value in sorted(its.items()):
        family.add_metric(labels, value)
    return family


def histogram(name: str, measure: Measure, its: Stored) -> Metric:
    """Return a distribution, whose stored counts are those of single buckets."""
    family = HistogramMetricFamily(name, measure.text, labels=measure.labels)
    bounds = [*map(str, measure.buckets), "+Inf"]
    for labels in sorted({key[:-1] for key in its}):
        numbers = accumulate(its.get((*labels, bound), 0.0) for bound in bounds)
        buckets = list(zip(bounds, numbers, strict=True))
        family.add_metric(labels, buckets, its.get((*labels, "sum"), 0.0))
    return family


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
            readiness.lag(facts, measuring.ages()),
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
