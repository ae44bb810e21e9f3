"""Template context of every page: the reader's player and what waits for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import Value
from django.urls import reverse
from django_htmx.middleware import HtmxDetails

from league.models import Arrangement, Challenge, Match
from league.services.core.clock import database_now
from league.services.notices import reading
from league.services.people.invitations import invitations_of
from league.services.queue.presence import call_of, calls_of
from league.web.people.acting import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Player
    from league.services.queue.presence import Call

KINDS = ("waiting", "invited", "challenged", "dated", "unread", "calls")
POLLED, POLLED_IN_QUEUE = 30, 3
"""Seconds between polls of the bar, usually and while a queue waits for the reader."""


def league(request: HttpRequest) -> dict[str, Any]:
    """Return ``me``, the reader's player, and the bar: the number of reports (``waiting``),
    invitations (``invited``), challenges (``challenged``) and proposed dates (``dated``) that wait
    for their answer, of ``unread`` notices, and the queue that calls them (``call``)."""
    if not hasattr(request, "user"):  # an error before the account was loaded
        return {}
    me = player_of(request)
    if me is None:
        return {"me": None}
    counts = counts_of(me)
    call = call_of(me) if counts["calls"] else None
    return {"me": me, **counts, **call_context(request, call, counts)}


def counts_of(me: Player) -> dict[str, int]:
    """Count what waits for a player, in one query."""
    reports = Match.objects.awaiting(me).order_by().values_list(Value("waiting"))
    invitations = invitations_of(me).order_by().values_list(Value("invited"))
    challenges = Challenge.objects.open().filter(challenged=me)
    asked = challenges.order_by().values_list(Value("challenged"))
    calls = calls_of(me).order_by().values_list(Value("calls"))
    unread = reading.unread(me).order_by().values_list(Value("unread"))[: reading.MOST_COUNTED]
    dates = Arrangement.objects.waiting_for(me).order_by().values_list(Value("dated"))
    others = (invitations, asked, dates, calls, unread)
    counts = Counter(row[0] for row in reports.union(*others, all=True))
    return {kind: counts[kind] for kind in KINDS}


def call_context(request: HttpRequest, call: Call | None, counts: dict[str, int]) -> dict[str, Any]:
    """Return the call of a queue, unless this is the queue's own page, and how to poll the bar."""
    state = "-".join(str(counts[kind]) for kind in KINDS)
    if call is None:
        return {"call": None, "bar_state": state, "bar_every": POLLED}
    queue = reverse("queue", args=[call.arena.slug])
    if (HtmxDetails(request).current_url_abs_path or request.path).split("?")[0] == queue:
        return {"call": None, "bar_state": state, "bar_every": POLLED}
    left = 0.0
    if call.check:
        left = max((call.check.deadline - database_now()).total_seconds(), 0.0)
    return {
        "call": call,
        "call_url": queue,
        "call_left": round(left),
        "bar_state": f"{state}-{call.check.pk if call.check else 'queued'}",
        "bar_every": POLLED_IN_QUEUE,
    }
