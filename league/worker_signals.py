"""Signs of life of workers and beat: heartbeats, counts of tasks, ids in log lines."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

from celery import signals
from django.conf import settings

from league import heartbeats, measuring
from league.kinds import KIND_OF, KINDS, SLOW
from league.logs import working

BEAT = "beat"
WORKERS = {kind: f"worker-{kind}" for kind in KINDS}
"""The names of the heartbeats: of beat, and of the workers of each kind."""
DONE = "done:"
"""Starts the name under which the last success of a task is noted."""
_running: dict[str, tuple[ExitStack, float]] = {}
"""The tasks that this process runs: what to close when they end, and when they began."""


def connect() -> None:
    """Connect the receivers. They hear nothing in other processes than workers and beat."""
    signals.beat_init.connect(_begin_beat)
    signals.task_prerun.connect(_begin_task)
    signals.task_postrun.connect(_end_task)
    if settings.LOG_AS_JSON:
        signals.setup_logging.connect(_keep_logging)


def _begin_beat(**_sent: Any) -> None:
    signals.after_task_publish.connect(_beat)


def _beat(**_sent: Any) -> None:
    """Beat has sent a task: it is alive and reaches the broker."""
    heartbeats.note(BEAT)


def _begin_task(task_id: str, task: Any, **_sent: Any) -> None:
    stack = ExitStack()
    stack.enter_context(working(task_id=task_id, task=short(task)))
    _running[task_id] = stack, time.perf_counter()
    if kind_of(task) == SLOW:
        stack.enter_context(heartbeats.pulse(WORKERS[SLOW]))


def _end_task(task_id: str, task: Any, state: str | None, **_sent: Any) -> None:
    stack, began = _running.pop(task_id)
    stack.close()
    name = short(task)
    measuring.tasks.labels(name, (state or "unknown").lower()).inc()
    measuring.task_seconds.labels(name).observe(time.perf_counter() - began)
    succeeded = [DONE + name] if state == "SUCCESS" else []
    heartbeats.note(WORKERS[kind_of(task)], *succeeded)


def _keep_logging(**_sent: Any) -> None:
    """Keep the logging of the settings, which Celery would replace."""


def kind_of(task: Any) -> str:
    """Return the kind of a task, that of the default queue for a task of Celery's own."""
    return KIND_OF.get(task.name, settings.CELERY_TASK_DEFAULT_QUEUE)


def short(task: Any) -> str:
    """Return the name of a task without its module."""
    return str(task.name).rpartition(".")[2]
