"""The cache: whatever happens to it, pages work, as if it had just been emptied."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

PAUSE = 5.0
"""Seconds for which a cache that failed is left alone, so that few requests wait for it."""
_asks_again_at: dict[tuple[str, ...], float] = {}
"""The next times to ask servers that failed, in the process's own time. Each thread of Django has a
client of its own."""
log = logging.getLogger(__name__)


NOTHING: dict[str, Callable[..., Any]] = {
    "add": lambda *_given: True,
    "get": lambda _key, default: default,
    "get_many": lambda *_given: {},
    "has_key": lambda *_given: False,
    "set": lambda *_given: None,
    "set_many": lambda *_given: None,
    "touch": lambda *_given: False,
    "delete": lambda *_given: False,
    "delete_many": lambda *_given: None,
    "clear": lambda *_given: False,
}
"""The result of each method while the server is down, as if everything were evicted at once."""


class Client:
    """A client that has nothing stored while the server is down."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        self.client = RedisCacheClient(servers, **options)
        self._servers = tuple(servers)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return partial(self._ask, name)

    def _ask(self, name: str, *given: Any) -> Any:
        if time.monotonic() >= _asks_again_at.get(self._servers, 0.0):
            try:
                return getattr(self.client, name)(*given)
            except (RedisError, OSError) as error:
                _asks_again_at[self._servers] = time.monotonic() + PAUSE
                log.warning("The cache does not respond; pages go without it. %s", error)
        if name == "incr":
            # As Django's caches do for a missing key, so callers are prepared for it.
            raise ValueError("The cache does not respond.")
        return NOTHING[name](*given)


class Cache(RedisCache):
    """Django's Redis cache with this client."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client

    def ping(self) -> None:
        """Ask the server for an answer. Raises ``RedisError`` or ``OSError`` if it gives none."""
        self._cache.client.get_client(write=True).ping()  # type: ignore[attr-defined] # no stub has it
