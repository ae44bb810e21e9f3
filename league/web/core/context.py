"""Template context of every page: the reader's player and what waits for them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connections, router
from django.db.models import Value
from django.middleware.csrf import get_token
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from league.models import Match, Player, Theme, User
from league.services.core.clock import database_now
from league.services.home import waiting
from league.services.notices import reading
from league.services.queue.presence import call_of, match_of
from league.services.site import frame
from league.web.core import polling
from league.web.core.acting import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.services.queue.presence import Call

ANYBODY = -1
"""The key of no player."""
COUNTS = "counts_of_the_bar"
"""The attribute of a request with what waits for its reader."""
DISMISSED = "dismissed"
"""The cookie with the announcements that the reader has closed."""
THEME = "theme"
"""The cookie with the theme that a visitor has chosen."""
# Anybody can send a cookie of any length.
LONGEST_COOKIE = 400
POLLED, POLLED_IN_QUEUE = 30, 3
"""Seconds between polls of the bar, usually and while the reader is in a queue."""


def league(request: HttpRequest) -> dict[str, Any]:
    """Return ``me``, the reader's player, and the bar: how much waits for their answer and is
    theirs to play (:func:`league.services.home.waiting.mine`), the queue that they are in
    (``call``), and the match in which they fill a ``seat``."""
    if not hasattr(request, "user"):  # an error before the account was loaded
        return {}
    shown = frame_context(request)
    me = player_of(request)
    if me is None:
        return {"me": None, **shown}
    counts = counts_on(request, me)
    call = call_of(me) if counts["queued"] else None
    seat = match_of(me) if counts["filling"] else None
    return {"me": me, **shown, **counts, "seat": seat, **call_context(request, call, counts)}


def frame_context(request: HttpRequest) -> dict[str, Any]:
    """Return the league's ``frame``, and the announcements and maintenance that the page shows."""
    shown = frame.current()
    announced: list[frame.Announced] = []
    if shown.announcements:
        match = request.resolver_match
        slug = match.kwargs.get("slug") if match else None
        dismissed = set(request.COOKIES.get(DISMISSED, "")[:LONGEST_COOKIE].split("."))
        announced = shown.announcements_for(slug, dismissed, datetime.now(UTC))
    paused = shown.maintenance
    return {
        "frame": shown,
        "site_url": settings.SITE_URL,
        "announced": announced,
        "theme": theme_of(request),
        "maintenance": frame.message_of(paused) if paused else "",
        "maintenance_until": paused.until if paused else None,
    }


def theme_of(request: HttpRequest) -> str:
    """Return the theme of the account, or else of the browser; empty for that of the system."""
    if isinstance(request.user, User):
        return request.user.theme
    chosen = request.COOKIES.get(THEME, "")
    return chosen if chosen in Theme.values else ""


def counts_on(request: HttpRequest, me: Player) -> dict[str, int]:
    """Return :func:`counts_of` a page's reader, counted once.

    A page that lists what waits need not ask for lists of which the count is zero.
    """
    counts: dict[str, int] | None = vars(request).get(COUNTS)
    if counts is None:
        counts = vars(request)[COUNTS] = counts_of(me)
    return counts


def counts_of(me: Player) -> dict[str, int]:
    """Count what waits for a player, in one query."""
    statement, parameters = _counting()
    with connections[router.db_for_read(Match)].cursor() as cursor:
        cursor.execute(statement, [me.pk if one == ANYBODY else one for one in parameters])
        counts = Counter(kind for (kind,) in cursor.fetchall())
    return {kind: counts[kind] for kind in waiting.KINDS}


@cache
def _counting() -> tuple[str, tuple[Any, ...]]:
    """Return the query for ``ANYBODY``. Compiling it takes longer than running it."""
    first, *others = (
        rows.order_by().values_list(Value(kind))[: reading.MOST_COUNTED]
        for kind, rows in waiting.mine(Player(pk=ANYBODY))
    )
    written: tuple[str, tuple[Any, ...]] = first.union(*others, all=True).query.sql_with_params()
    return written


def call_context(request: HttpRequest, call: Call | None, counts: dict[str, int]) -> dict[str, Any]:
    """Return the reader's place in a queue, unless this is the queue's own page, and how to poll
    the bar."""
    state = "-".join(str(counts[kind]) for kind in waiting.KINDS)
    usual = {"call": None, "bar_state": state, "bar_every": POLLED}
    if call is None:
        return usual
    queue = reverse("queue", args=[call.arena.slug])
    here = (HtmxDetails(request).current_url_abs_path or request.path).split("?")[0]
    slugs = {call.arena.slug, call.ticket.arena.slug, *call.also}
    if here in {reverse("queue", args=[slug]) for slug in slugs}:
        return usual
    now = database_now()
    waited = round(call.ticket.waiting_time(now))
    return {
        "call": call,
        "call_url": queue,
        "call_left": call.seconds_left(now),
        "call_waited": f"{waited // 60}:{waited % 60:02}",
        "csrf_token": get_token(request),  # polls render the bar alone
        "bar_pass": polling.pass_of(call.ticket) if call.is_waiting else "",
        "bar_state": f"{state}-{state_of(call)}",
        "bar_every": POLLED_IN_QUEUE,
    }


def state_of(call: Call) -> str:
    """Return what changes with what the bar shows of a place in a queue, times aside."""
    if call.check is None:
        return "absent" if call.is_absent else f"waiting.{call.place}.{call.waiting}"
    answered = "accepted" if call.has_accepted else "asked"
    return f"{call.check.pk}.{answered}.{call.ready}"
