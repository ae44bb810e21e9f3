"""The table of players waiting in a queue, the same for everybody."""

from __future__ import annotations

from threading import Lock
from time import monotonic

from cachetools import LRUCache
from django.conf import settings
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.translation import get_language

from league.models import Arena
from league.services.core.clock import database_now
from league.services.queue import statistics
from league.services.queue.queueing import queue_of

KEPT = 200
"""Tables of waiting players that a process keeps, a few hundred bytes each."""

_tables: LRUCache[tuple[str, str | None], tuple[float, str]] = LRUCache(maxsize=KEPT)
_lock = Lock()


def who_waits(slug: str) -> str:
    """Return the table of players waiting in an arena's queue, at most a second old."""
    key = slug, get_language()
    with _lock:
        rendered_at, table = _tables.get(key, (0.0, ""))
    if table and monotonic() - rendered_at < settings.PAGES_KEPT_FOR:
        return table
    table = rendered_table(slug)
    with _lock:
        _tables[key] = monotonic(), table
    return table


def rendered_table(slug: str) -> str:
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    queue = queue_of(arena)
    if queue is None:
        raise Http404
    season = arena.current_season(database_now())
    context = {
        "arena": arena,
        "queue": queue,
        "season": season,
        "bands": statistics.bands(season) if season else [],
    }
    return render_to_string("queue/queue.html#who", context)
