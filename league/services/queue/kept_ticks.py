"""Storage of ticks: saved as differences, read back whole, and deleted when old.

Most tickets wait from one tick to the next. So a tick with its whole input, a *full* one, is
followed by ticks that store only what has changed. These name the full tick as their ``base`` and
are read by applying the differences since it, in order.
"""

from __future__ import annotations

import json
import zlib
from datetime import timedelta
from operator import attrgetter
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import TTLCache
from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q

from league.models import ArenaQueue, Tick
from league.models.queue import TICKS_KEPT
from league.services.queue.differences import AS_JSON, Form, apply, difference
from league.services.queue.long_queues import ARENAS, KEPT_FOR
from league.services.queue.snapshots import Snapshot, ticket_from_json, ticket_to_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena

MOST_DIFFERENCES = 60
MOST_BYTES = 200_000
"""After so many differences, or so many bytes of them, the next tick is full again, because each
tick reads all of them."""
SPAN = timedelta(minutes=10)
"""The longest time from a full tick to the last one that builds on it."""
BATCH = 10
"""Full ticks that are deleted in one transaction, with those that build on them."""
MOST_BATCHES = 200
"""Batches that one run deletes for an arena at most. The rest waits for the next run."""


class NoLongerKept(LookupError):
    """A tick that this one builds on has been deleted."""


class Chain(NamedTuple):
    """A full tick and those that build on it, for the next one to build on."""

    ids: tuple[int, ...]
    rules: dict[str, Any]
    queue: dict[str, Any]
    """The queue at the last of them."""


class Link(NamedTuple):
    """A tick of a chain: a full one, which has rules, or one that builds on it."""

    id: int
    at: datetime
    rules: dict[str, Any] | None
    queue: bytes | memoryview


_known: TTLCache[int, Chain] = TTLCache(maxsize=ARENAS, ttl=KEPT_FOR)
"""The chains of long queues, with their tickets."""
_lock = Lock()

AS_TICKETS = Form(attrgetter("id"), ticket_to_json, ticket_from_json)


def store(tick: Tick, rules: dict[str, Any], snapshot: Snapshot, *, verdicts: str = "") -> Tick:
    """Save a tick and as little of its input as possible. The caller holds the arena's lock.

    ``verdicts`` are those of its forecast, in order.

    A tick is full if there is no recent full one, if many ticks build on that one already, if the
    rules have changed since, or if most tickets are new.
    """
    if snapshot.arrays is None:
        form, now = AS_JSON, snapshot.to_json()
        chain = stored_chain(recent_links(tick.arena, tick.at))
    else:
        form, now = AS_TICKETS, {"tickets": snapshot.tickets, "met": snapshot.met}
        chain = known_chain(tick.arena, tick.at)
    ids: tuple[int, ...] = ()
    tick.rules, written = rules, None
    if chain and chain.rules == rules:
        change = difference(chain.queue, now, form)
        if 2 * len(change["put"]) <= len(snapshot.tickets):
            ids, written = chain.ids, change
            tick.base_id, tick.rules = ids[0], None
    blocked = {"blocked": list(map(list, snapshot.blocked))} if snapshot.blocked else {}
    tick.queue = deflate({**(written or snapshot.to_json()), **blocked, "verdicts": verdicts})
    tick.save(force_insert=True)
    if snapshot.arrays is not None:
        with _lock:
            _known[tick.arena_id] = Chain((*ids, tick.pk), rules, now)
    return tick


def has_room(sizes: Sequence[int]) -> bool:
    """Return whether one more tick may build on the full one, given the bytes of those that do."""
    return len(sizes) < MOST_DIFFERENCES and sum(sizes) < MOST_BYTES


def recent_links(arena: Arena, now: datetime) -> list[Link]:
    """Return the arena's last full tick and those that build on it, nothing if it is too old."""
    near = ticks_near(arena, now)
    base = last_base(near)
    chain = chain_of(near, base) if base else []
    return chain if chain and is_recent(chain[0].at, now) else []


def ticks_near(arena: Arena, now: datetime) -> QuerySet[Tick]:
    return Tick.objects.filter(arena=arena, at__gt=now - SPAN, at__lt=now + SPAN)


def last_base(near: QuerySet[Tick]) -> int | None:
    """Return the full tick that the last one builds on, or the last one itself if it is full."""
    last = near.order_by("-at").values_list("id", "base").first()
    return last and (last[1] or last[0])


def is_recent(full: datetime, now: datetime) -> bool:
    """Return whether a tick may build on a full one of this time."""
    return full <= now < full + SPAN


def stored_chain(links: Sequence[Link], form: Form = AS_JSON) -> Chain | None:
    """Return what the next tick can build on, if there is anything."""
    if not links:
        return None
    sizes = [len(link.queue) for link in links[1:]]
    if not has_room(sizes):
        return None
    queue = unfold(links)
    read = {**queue, "tickets": [form.read(ticket) for ticket in queue["tickets"]]}
    return Chain(tuple(link.id for link in links), links[0].rules or {}, read)


def known_chain(arena: Arena, now: datetime) -> Chain | None:
    """Return what the next tick can build on, reading only what this process does not know yet.

    Its queue has tickets instead of their JSON values.
    """
    with _lock:
        known = _known.get(arena.pk)
    near = ticks_near(arena, now)
    base = last_base(near)
    rows = near.filter(Q(pk=base) | Q(base=base)).order_by("pk")
    sizes = list(
        rows.values_list(
            "id", "at", Func(F("queue"), function="octet_length", output_field=IntegerField())
        )
    )
    if known is None or not sizes or sizes[0][0] != base or not is_recent(sizes[0][1], now):
        return stored_chain(recent_links(arena, now), AS_TICKETS)
    ids = tuple(pk for pk, _at, _size in sizes)
    if known.ids != ids[: len(known.ids)]:
        return stored_chain(recent_links(arena, now), AS_TICKETS)
    if not has_room([size for _pk, _at, size in sizes[1:]]):
        return None
    later = rows.filter(pk__in=ids[len(known.ids) :]).values_list("queue", flat=True)
    queue = known.queue
    for stored in later if len(ids) > len(known.ids) else ():
        queue = apply(queue, inflate(stored), AS_TICKETS)
    return Chain(ids, known.rules, queue)


def chain_of(near: QuerySet[Tick], base: int) -> list[Link]:
    """Return a full tick and those of ``near`` that build on it, in order.

    Empty if the full tick is missing.
    """
    rows = near.filter(Q(pk=base) | Q(base=base)).order_by("pk")
    chain = [Link(*row) for row in rows.values_list("id", "at", "rules", "queue")]
    return chain if chain and chain[0].id == base else []


def rules_and_input(tick: Tick) -> tuple[dict[str, Any], Snapshot]:
    """Return the rules and the queue that a tick's matcher ran with. Raises as :func:`read`."""
    rules, queue = read(tick)
    return rules, Snapshot.from_json(queue)


def read(tick: Tick) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the rules and the queue that a tick's matcher ran with, as JSON values.

    Raises:
        NoLongerKept: A tick that it builds on has been deleted.
    """
    if tick.base_id is None:
        return tick.rules or {}, inflate(tick.queue)
    near = Tick.objects.filter(
        arena=tick.arena_id, at__gt=tick.at - SPAN, at__lt=tick.at + SPAN, pk__lte=tick.pk
    )
    chain = chain_of(near, tick.base_id)
    if not chain:
        raise NoLongerKept(tick.base_id)
    return chain[0].rules or {}, {**unfold(chain), "blocked": blocked_of(tick)}


def blocked_of(tick: Tick) -> list[Any]:
    """Return the pairs of tickets that blocks kept apart in a tick. Each stores its own."""
    blocked: list[Any] = inflate(tick.queue).get("blocked", [])
    return blocked


def verdicts_of(tick: Tick) -> str:
    """Return the verdicts of the forecast that a tick's matcher ran with, in order."""
    return str(inflate(tick.queue).get("verdicts", ""))


def unfold(chain: Sequence[Link]) -> dict[str, Any]:
    """Return the queue at the last tick of a chain, as JSON values."""
    queue = inflate(chain[0].queue)
    for tick in chain[1:]:
        queue = apply(queue, inflate(tick.queue))
    return queue


def deflate(values: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode())


def inflate(stored: bytes | memoryview) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(zlib.decompress(stored))
    return values


def forget_old_ticks(now: datetime) -> int:
    """Delete ticks that are older than their queue keeps them. Return how many.

    Each transaction deletes a few whole chains, so no tick loses the one that it builds on. Ticks
    stay up to ``SPAN`` longer than the queue says.
    """
    kept = dict(ArenaQueue.objects.values_list("arena", "ticks_kept"))
    arenas = Tick.objects.order_by("arena").values_list("arena", flat=True).distinct()
    deleted = 0
    for arena in arenas:
        before = now - kept.get(arena, TICKS_KEPT) - SPAN
        for _batch in range(MOST_BATCHES):
            if not (removed := delete_batch(arena, before)):
                break
            deleted += removed
    return deleted


def delete_batch(arena: int, before: datetime) -> int:
    """Delete the oldest full ticks from before a time, and those that build on them."""
    old = Tick.objects.filter(arena=arena, base=None, at__lt=before).order_by("at")
    full = list(old.values_list("pk", "at")[:BATCH])
    if not full:
        return delete_without_base(arena, before)
    ids = [pk for pk, _at in full]
    near = Tick.objects.filter(arena=arena, at__gte=full[0][1], at__lt=full[-1][1] + SPAN)
    deleted, _by_model = near.filter(Q(pk__in=ids) | Q(base__in=ids)).delete()
    return deleted


def delete_without_base(arena: int, before: datetime) -> int:
    """Delete differences from before a time whose full tick an earlier release deleted."""
    base = Tick.objects.filter(pk=OuterRef("base_id"))
    left = Tick.objects.filter(~Exists(base), arena=arena, base__isnull=False, at__lt=before)
    deleted, _by_model = left.delete()
    return deleted
