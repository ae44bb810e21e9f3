"""Counts and durations of all processes, added up in Valkey for the page of metrics.

Each process adds up its own and sends them once a second, from a thread, so that nothing waits for
Valkey. One page then shows the whole site, with any number of web processes and workers on any
number of machines. While Valkey is away, a process keeps what it has not sent. If Valkey is
emptied, the counts start again from 0, as Prometheus expects of counters.
"""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNTS, SEEN = "laurel:measures", "laurel:seen"
"""The keys in Valkey: a hash of counts, and one of the times at which something last happened."""
BETWEEN = "\x1f"
"""Stands between the parts of a field's name, and in none of them."""
INTERVAL = 1.0
"""Seconds between sendings."""
TIMEOUT = 1.0
"""Seconds after which Valkey is taken for dead."""
FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
SLOW = (1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0)


@dataclass(frozen=True)
class Measure:
    """A number of events, or with ``buckets`` a distribution of seconds."""

    text: str
    labels: tuple[str, ...]
    buckets: tuple[float, ...] = ()


MEASURES = {
    "laurel_requests": Measure("Requests answered.", ("route", "method", "status")),
    "laurel_request_seconds": Measure("Seconds until a request was answered.", ("route",), FAST),
    "laurel_tasks": Measure("Tasks that workers have ended.", ("task", "outcome")),
    "laurel_task_seconds": Measure("Seconds that a task took.", ("task",), FAST),
    "laurel_tick_seconds": Measure("Seconds that a matcher took for a tick.", ("arena",), FAST),
    "laurel_queue_wait_seconds": Measure(
        "Seconds that a ticket waited until a match was proposed.", ("arena",), SLOW
    ),
    "laurel_rating_seconds": Measure("Seconds that it took to settle a result.", (), FAST),
}


class Recorder:
    """What this process has measured and not sent yet."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, as a process must that was just forked: its parent sends what it had."""
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._counts: dict[str, float] = defaultdict(float)
        self._seen: set[str] = set()
        self._in_sight: list[str] = []
        self._thread: threading.Thread | None = None

    def count(self, name: str, *labels: str) -> None:
        """Count an event. ``labels`` are those of the measure, in order."""
        self._add({field(name, labels): 1.0})

    def observe(self, name: str, seconds: float, *labels: str) -> None:
        """Add a duration to a distribution."""
        bound = next((str(each) for each in MEASURES[name].buckets if seconds <= each), "+Inf")
        self._add(
            {field(name, (*labels, bound)): 1.0, field(name, (*labels, "sum")): float(seconds)}
        )

    def saw(self, what: str) -> None:
        """Note that something has just happened."""
        self._add({}, what)

    @contextmanager
    def sees(self, what: str) -> Iterator[None]:
        """Note with each sending that something happens, for as long as it does."""
        self._add({}, what)
        self._in_sight.append(what)
        try:
            yield
        finally:
            self._in_sight.remove(what)

    def _add(self, amounts: dict[str, float], *seen: str) -> None:
        with self._lock:
            for key, amount in amounts.items():
                self._counts[key] += amount
            self._seen.update(seen)
            if self._thread is None:
                self._thread = threading.Thread(target=self._keep_sending, daemon=True)
                self._thread.start()

    def _keep_sending(self) -> None:
        while True:
            time.sleep(INTERVAL)
            self.send()

    def send(self) -> bool:
        """Send what was measured. Return false, and keep it, if Valkey does not take it."""
        with self._sending:
            with self._lock:
                counts, seen = self._counts, self._seen.union(self._in_sight)
                self._counts, self._seen = defaultdict(float), set()
            try:
                send(counts, seen)
            except (redis.RedisError, OSError):
                self._add(counts, *seen)
                return False
            return True


def send(counts: dict[str, float], seen: set[str]) -> None:
    if not counts and not seen:
        return
    valkey = client()
    pipeline = valkey.pipeline(transaction=True)
    for key, amount in counts.items():
        pipeline.hincrbyfloat(COUNTS, key, amount)
    if seen:
        pipeline.hset(SEEN, mapping=dict.fromkeys(seen, valkey_time(valkey)))
    pipeline.execute()


def field(name: str, labels: tuple[str, ...]) -> str:
    return BETWEEN.join((name, *(label.replace(BETWEEN, " ") for label in labels)))


def stored() -> dict[tuple[str, ...], float]:
    """Return all counts by measure and labels.

    Distributions have a bound, or ``sum``, as the last label.

    Raises:
        RedisError: Valkey does not answer.
    """
    found: Any = client().hgetall(COUNTS)
    return {tuple(key.decode().split(BETWEEN)): float(value) for key, value in found.items()}


def ages() -> dict[str, float]:
    """Return for how many seconds each thing has not happened, by Valkey's clock.

    Raises:
        RedisError: Valkey does not answer.
    """
    valkey = client()
    found: Any = valkey.hgetall(SEEN)
    now = valkey_time(valkey)
    return {key.decode(): max(0.0, now - float(value)) for key, value in found.items()}


def valkey_time(valkey: redis.Redis) -> float:
    """Return the seconds since 1970, by the one clock that all processes share here."""
    given: Any = valkey.time()
    return float(given[0]) + float(given[1]) / 1e6


@cache
def client() -> redis.Redis:
    """Return a connection to Valkey that gives up soon."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(NoBackoff(), 0),
    )


recorder = Recorder()
atexit.register(recorder.send)
os.register_at_fork(after_in_child=recorder.forget)
