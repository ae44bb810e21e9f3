"""Polls of browsers that wait in a queue, answered cheaply while nothing has changed.

Thousands may wait at once, each polling every other second. Their pages change rarely, so a poll
carries a signed pass that names its ticket, and one short statement checks that it still waits:
neither a session nor a player is loaded. The table of waiting players is the same for everybody.
"""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from cachetools import LRUCache
from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.translation import get_language

from league.models import Arena
from league.services.core.clock import database_now
from league.services.queue import figures
from league.services.queue.queueing import queue_of, seconds_waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Ticket

FIGURES_EVERY = 10
"""Seconds after which a ticket's poll is answered with new figures."""
KEPT = 200
"""Tables of waiting players that a process keeps, a few hundred bytes each."""

_signer = Signer(salt="queue poll")
_tables: LRUCache[tuple[str, str | None], tuple[float, str]] = LRUCache(maxsize=KEPT)
_lock = Lock()


def pass_of(ticket: Ticket) -> str:
    """Return a signed pass with which a browser can ask whether this ticket still waits."""
    return _signer.sign(str(ticket.pk))


def has_news(request: HttpRequest, every: int, figures_every: int = FIGURES_EVERY) -> bool:
    """Return whether a poll, sent ``every`` so many seconds, may have to update its page.

    Without a valid pass it always may. With one, it may if the ticket no longer waits, and once in
    ``figures_every`` seconds.
    """
    try:
        ticket = int(_signer.unsign(request.GET.get("pass", "")))
    except (BadSignature, ValueError):
        return True
    waited = seconds_waiting(ticket)
    return waited is None or waited % figures_every < every


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
        "bands": figures.bands(season) if season else [],
    }
    return render_to_string("queue/queue.html#who", context)
