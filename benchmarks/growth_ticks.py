"""The bytes of a queue's ticks a day, and the time to store and read one.

``python -m benchmarks.growth_ticks`` stores ticks of a queue in which rosters of one player come
and go at a steady rate, and compares them with the same ticks stored whole. Its database is empty
at first and dropped afterwards.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.scratch import machine, scratch_league
from matchmaking.ticket import Player, Ticket

if TYPE_CHECKING:
    from league.models import Arena, Tick
    from league.services.queue.snapshots import Snapshot

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
DAY = 86_400
# name, waiting rosters, seconds that each waits on average, seconds between ticks, ticks
QUEUES = [
    ("12 rosters", 12, 60.0, 5.0, 240),
    ("5,000 rosters that wait 5 minutes", 5000, 300.0, 2.0, 61),
    ("5,000 rosters that wait 20 seconds", 5000, 20.0, 2.0, 61),
]


def snapshots(waiting: int, wait: float, interval: float, ticks: int) -> Iterator[Snapshot]:
    """Yield the queue at each tick. Rosters are taken at random, and others come in their place."""
    from league.services.queue.snapshots import Snapshot

    chance = np.random.default_rng(1)
    joined = 0

    def newcomer(at: float) -> Ticket:
        nonlocal joined
        joined += 1
        player = Player(
            id=1_000_000 + joined,
            rating=float(chance.normal(1500, 300)),
            deviation=float(chance.uniform(50, 120)),
            rank=float(chance.integers(500)),
            games=int(chance.integers(100)),
        )
        return Ticket(id=joined, queued_at=at, players=(player,))

    start = BEGAN.timestamp()
    tickets = [newcomer(start - float(chance.uniform(0, wait))) for _each in range(waiting)]
    for number in range(ticks):
        yield Snapshot(list(tickets))
        now = start + number * interval
        stay = chance.random(waiting) >= interval / wait
        tickets = [ticket for ticket, stays in zip(tickets, stay, strict=True) if stays]
        coming = sorted(
            now + float(at) for at in chance.uniform(0, interval, waiting - len(tickets))
        )
        tickets += [newcomer(at) for at in coming]


def new_tick(arena: Arena, number: int, interval: float, tickets: int) -> Tick:
    from league.models import Tick

    return Tick(
        arena=arena,
        at=BEGAN + timedelta(seconds=number * interval),
        seed=number,
        matcher="laurel",
        found=[],
        tickets=tickets,
        matches=0,
        proposed=0,
        seconds=0.01,
    )


def size() -> int:
    """Return the bytes of the ticks with their indexes, without room left by deleted ones."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL league_tick")
        cursor.execute("SELECT pg_total_relation_size('league_tick')")
        total: int = cursor.fetchone()[0]
    return total


def measure(name: str, waiting: int, wait: float, interval: float, ticks: int) -> str:
    """Return a line with the bytes of a tick and of a day, before and now, and times in ms."""
    from league.models import Arena, ArenaQueue, Tick
    from league.services.queue.kept_ticks import deflate, forget_old_ticks, rules_and_input, store

    arena = Arena(name=name, slug=f"queue-{waiting}-{wait:.0f}")
    arena.full_clean()
    arena.save()
    rules = ArenaQueue(arena=arena).matching().model_dump(mode="json")
    seconds: dict[str, list[float]] = {"full": [], "stored": [], "read": []}
    Tick.objects.all().delete()
    empty = size()
    for number, snapshot in enumerate(snapshots(waiting, wait, interval, ticks)):
        began = time.perf_counter()
        store(new_tick(arena, number, interval, waiting), rules, snapshot)
        seconds["stored"].append(time.perf_counter() - began)
    now = size() - empty
    for tick in Tick.objects.order_by("?")[:10]:
        began = time.perf_counter()
        rules_and_input(tick)
        seconds["read"].append(time.perf_counter() - began)
    began = time.perf_counter()
    forget_old_ticks(BEGAN + timedelta(days=400))
    deleting = (time.perf_counter() - began) / ticks
    if Tick.objects.exists():
        raise AssertionError("old ticks are left")
    for number, snapshot in enumerate(snapshots(waiting, wait, interval, ticks)):
        began = time.perf_counter()
        whole = new_tick(arena, number, interval, waiting)
        whole.rules, whole.queue = rules, deflate(snapshot.to_json())
        whole.save()
        seconds["full"].append(time.perf_counter() - began)
    before = size() - empty
    a_day = DAY / interval / ticks / 1e6
    times = {what: statistics.median(each) * 1000 for what, each in seconds.items()}
    return (
        f"{name:<36}{before / ticks:>10,.0f}{now / ticks:>8,.0f}{before * a_day:>10,.1f}"
        f"{now * a_day:>8,.1f}{before / now:>7.1f}{times['full']:>8.1f}{times['stored']:>8.1f}"
        f"{times['read']:>8.1f}{deleting * 1000:>8.2f}"
    )


def main() -> int:
    with scratch_league():
        print(machine())
        print(
            f"{'':<36}{'B a tick':>18}{'MB a day':>18}{'':>7}{'ms to store':>16}{'ms':>8}{'ms':>8}"
        )
        print(
            f"{'':<36}{'whole':>10}{'now':>8}{'whole':>10}{'now':>8}{'ratio':>7}{'whole':>8}"
            f"{'now':>8}{'read':>8}{'delete':>8}"
        )
        for queue in QUEUES:
            print(measure(*queue), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
