"""The spectators' board: matches that are being played now. It updates itself."""

from __future__ import annotations

from hashlib import md5
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from cachetools import LRUCache
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.caching import cached_briefly
from league.models import Arrangement
from league.services.core.clock import database_now
from league.services.results.playing.watching import SHOWN, live_matches
from league.web.core.fragments import asks_for_part
from league.web.core.lookups import arena_page_or_404

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Arena

EVERY = 5
"""Seconds between two polls."""
KEPT = 200
"""Boards that a process keeps, some kilobytes each."""

_boards: LRUCache[tuple[int | None, str | None], tuple[float, str]] = LRUCache(maxsize=KEPT)
_lock = Lock()


@require_safe
@cached_briefly
def live(request: HttpRequest) -> HttpResponse:
    """Show the live matches of all arenas."""
    return board_page(request, None)


@require_safe
@cached_briefly
def arena_live(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the live matches of an arena."""
    return board_page(request, arena_page_or_404(slug).arena)


def board_page(request: HttpRequest, arena: Arena | None) -> HttpResponse:
    """Show live matches. htmx gets them alone, if they have changed."""
    board = kept_board(arena)
    digest = md5(board.encode(), usedforsecurity=False).hexdigest()
    context = {"arena": arena, "board": board, "digest": digest, "every": EVERY}
    if not asks_for_part(request):
        return render(request, "results/live.html", context)
    if request.GET.get("seen") == digest:
        return HttpResponse(status=204)
    return render(request, "results/live.html#board", context)


def kept_board(arena: Arena | None) -> str:
    """Return the matches of an arena or of all, as every reader sees them, a second old at most."""
    key = (arena.pk if arena else None), get_language()
    with _lock:
        rendered_at, board = _boards.get(key, (0.0, ""))
    if board and monotonic() - rendered_at < settings.PAGES_KEPT_FOR:
        return board
    matches = live_matches(arena, database_now())
    dates = Arrangement.objects.played_now().filter(arena__is_draft=False)
    dates = dates.filter(arena=arena) if arena else dates
    context = {
        "matches": matches,
        "dates": dates.in_lines().order_by("-play_at", "id")[:SHOWN],
        "arena": arena,
        "is_full": len(matches) == SHOWN,
    }
    board = render_to_string("results/_live.html", context)
    with _lock:
        _boards[key] = monotonic(), board
    return board
