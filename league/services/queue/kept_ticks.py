"""Storage of ticks: saved as differences, read back whole, and deleted when old.

Most tickets wait from one tick to the next. So a tick with its whole input, a *full* one, is
followed by ticks that store only what has changed. These name the full tick as their ``base`` and
are read by applying the differences since it, in order.
"""

from __future__ import annotations

import json
import zlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Exists, OuterRef, Q

from league.models import ArenaQueue, Tick
from league.models.queue import TICKS_KEPT
from league.services.queue.differences import applied, difference
from league.services.queue.snapshots import Snapshot

if TYPE_CHECKING:
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


class Link(NamedTuple):
    """A tick of a chain: a full one, which has rules, or one that builds on it."""

    id: int
    at: datetime
    rules: dict[str, Any] | None
    queue: bytes | memoryview


def store(tick: Tick, rules: dict[str, Any], snapshot: Snapshot, *, verdicts: str = "") -> Tick:
    """Save a tick and as little of its input as possible. The caller holds the arena's lock.

    ``verdicts`` are those of its forecast, in order.

    A tick is full if there is no recent full one, if many ticks build on that one already, if the
    rules have changed since, or if most tickets are new.
    """
    chain = recent_chain(tick.arena, tick.at)
    now = snapshot.to_json()
    change = None
    if chain and has_room(chain) and chain[0].rules == rules:
        change = difference(unfolded(chain), now)
    if change is None or 2 * len(change["put"]) > len(now["tickets"]):
        tick.rules, tick.queue = rules, deflated({**now, "verdicts": verdicts})
    else:
        tick.base_id, tick.queue = chain[0].id, deflated({**change, "verdicts": verdicts})
    tick.save(force_insert=True)
    return tick


def has_room(chain: list[Link]) -> bool:
    """Return whether one more tick may build on the full one of a chain."""
    differences = [len(link.queue) for link in chain[1:]]
    return len(differences) < MOST_DIFFERENCES and sum(differences) < MOST_BYTES


def recent_chain(arena: Arena, now: datetime) -> list[Link]:
    """Return the arena's last full tick and those that build on it, nothing if it is too old."""
    near = Tick.objects.filter(arena=arena, at__gt=now - SPAN, at__lt=now + SPAN)
    last = near.order_by("-at").values_list("id", "base").first()
    if last is None:
        return []
    chain = chain_of(near, last[1] or last[0])
    return chain if chain and chain[0].at <= now < chain[0].at + SPAN else []


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
        return tick.rules or {}, inflated(tick.queue)
    near = Tick.objects.filter(
        arena=tick.arena_id, at__gt=tick.at - SPAN, at__lt=tick.at + SPAN, pk__lte=tick.pk
    )
    chain = chain_of(near, tick.base_id)
    if not chain:
        raise NoLongerKept(tick.base_id)
    return chain[0].rules or {}, unfolded(chain)


def verdicts_of(tick: Tick) -> str:
    """Return the verdicts of the forecast that a tick's matcher ran with, in order."""
    return str(inflated(tick.queue).get("verdicts", ""))


def unfolded(chain: list[Link]) -> dict[str, Any]:
    """Return the queue at the last tick of a chain, as JSON values."""
    queue = inflated(chain[0].queue)
    for tick in chain[1:]:
        queue = applied(queue, inflated(tick.queue))
    return queue


def deflated(values: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode())


def inflated(stored: bytes | memoryview) -> dict[str, Any]:
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
