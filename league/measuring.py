"""Counts and durations for Prometheus.

They are those of this process. With ``PROMETHEUS_MULTIPROC_DIR``, a folder that processes share,
the page of metrics adds up those of all.
"""

from __future__ import annotations

import os
import socket

from prometheus_client import CollectorRegistry, Counter, Histogram, values

FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SLOW = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)
registry = CollectorRegistry()

if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    # Processes in different containers may have the same number, and share the folder.
    # The library names files by process number alone.
    values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call] # no stub has it
        lambda: f"{socket.gethostname()}-{os.getpid()}"
    )

requests = Counter(
    "laurel_requests", "Requests answered.", ["route", "method", "status"], registry=registry
)
request_seconds = Histogram(
    "laurel_request_seconds",
    "Seconds until a request was answered.",
    ["route"],
    buckets=FAST,
    registry=registry,
)
tasks = Counter(
    "laurel_tasks", "Tasks that workers have ended.", ["task", "outcome"], registry=registry
)
task_seconds = Histogram(
    "laurel_task_seconds", "Seconds that a task took.", ["task"], buckets=FAST, registry=registry
)
tick_seconds = Histogram(
    "laurel_tick_seconds",
    "Seconds that a matcher took for a tick.",
    ["arena"],
    buckets=FAST,
    registry=registry,
)
queue_wait_seconds = Histogram(
    "laurel_queue_wait_seconds",
    "Seconds that a ticket waited until a match was proposed.",
    ["arena"],
    buckets=SLOW,
    registry=registry,
)
rating_seconds = Histogram(
    "laurel_rating_seconds",
    "Seconds that it took to settle a result.",
    buckets=FAST,
    registry=registry,
)
