"""The last sign of life of each process and success of each task, in Valkey for all processes."""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "laurel:seen"
"""The hash of times in Valkey."""
TIMEOUT = 1.0
"""Seconds after which Valkey is taken for dead."""
PULSE = 10.0
"""Seconds between the heartbeats of a long task."""
log = logging.getLogger(__name__)


def note(*names: str) -> None:
    """Note that these were seen just now. Without Valkey, nothing is noted."""
    valkey = client()
    try:
        valkey.hset(KEY, mapping=dict.fromkeys(names, valkey_time(valkey)))
    except (redis.RedisError, OSError) as error:
        log.debug("No heartbeat was noted: %s", error)


@contextmanager
def pulse(name: str) -> Iterator[None]:
    """Note at once and again and again that this is seen."""
    done = threading.Event()

    def note_until_done() -> None:
        note(name)
        while not done.wait(PULSE):
            note(name)

    # A daemon, so that a worker can end during a task.
    threading.Thread(target=note_until_done, daemon=True).start()
    try:
        yield
    finally:
        done.set()


def ages() -> dict[str, float]:
    """Return the seconds since each name was seen, by Valkey's clock.

    Raises:
        RedisError: Valkey does not answer.
    """
    valkey = client()
    found: Any = valkey.hgetall(KEY)
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
        # The library retries by default, which would multiply the time-out.
        retry=Retry(NoBackoff(), 0),
    )
