"""Regular tasks that have not succeeded for longer than they should."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

import redis

from league import heartbeats
from league.schedule import SECONDS
from league.worker_signals import DONE

MISSED = 3
"""The runs in a row that a task may miss before it counts as late."""
PATIENCE = 60.0
"""Seconds beyond that, for a worker that is busy."""


class LateTask(NamedTuple):
    name: str
    ago: timedelta
    """Since its last success."""


def late_tasks() -> list[LateTask]:
    """Return the regular tasks that are late, longest first. None are known without the broker.

    A task that has never succeeded yet is not listed: its first time may still be to come.
    """
    try:
        ages = heartbeats.ages()
    except (redis.RedisError, OSError):
        return []
    late = [
        LateTask(name, timedelta(seconds=round(age)))
        for name, interval in SECONDS.items()
        if (age := ages.get(DONE + name, 0.0)) > MISSED * interval + PATIENCE
    ]
    return sorted(late, key=lambda task: task.ago, reverse=True)
