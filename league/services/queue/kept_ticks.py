"""Storage of ticks: saved with their whole input, read back, and deleted when old."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from league.models import ArenaQueue, Tick
from league.models.queue import TICKS_KEPT
from league.services.queue.snapshots import Snapshot

if TYPE_CHECKING:
    from datetime import datetime


def store(tick: Tick, rules: dict[str, Any], snapshot: Snapshot, *, verdicts: str = "") -> Tick:
    """Save a tick with its input. ``verdicts`` are those of its forecast, in order."""
    tick.rules = rules
    tick.queue = deflate({**snapshot.to_json(), "verdicts": verdicts})
    tick.save(force_insert=True)
    return tick


def snapshot_of(tick: Tick) -> Snapshot:
    """Return the queue that a tick's matcher ran with."""
    return Snapshot.from_json(inflate(tick.queue))


def verdicts_of(tick: Tick) -> str:
    """Return the verdicts of the forecast that a tick's matcher ran with, in order."""
    return str(inflate(tick.queue).get("verdicts", ""))


def deflate(values: dict[str, Any]) -> bytes:
    return zlib.compress(json.dumps(values, separators=(",", ":")).encode())


def inflate(stored: bytes | memoryview) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(zlib.decompress(stored))
    return values


def forget_old_ticks(now: datetime) -> int:
    """Delete ticks that are older than their queue keeps them. Return how many."""
    kept = dict(ArenaQueue.objects.values_list("arena", "ticks_kept"))
    deleted = 0
    for arena in Tick.objects.order_by("arena").values_list("arena", flat=True).distinct():
        before = now - kept.get(arena, TICKS_KEPT)
        deleted += Tick.objects.filter(arena=arena, at__lt=before).delete()[0]
    return deleted
