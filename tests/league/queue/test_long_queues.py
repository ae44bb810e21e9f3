"""A tick from kept tickets and arrays decides as one that reads the whole queue."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from cachetools import TTLCache
from django.db import connection, transaction

from league.models import (
    ArenaQueue,
    Player,
    Rating,
    Season,
    Tick,
    Ticket,
)
from league.services.integrity.queue import breaches
from league.services.queue import kept_ticks, long_queues, pairing, ready_checks, snapshots
from league.services.queue.queueing import close_tickets, join
from league.services.seasons.opening import adopt_rules
from tests.support.cast import NOW, account, arena
from tests.support.effort import examples
from tests.support.queue_steps import ANYBODY
from tests.support.queue_worlds import HIGH, MODES, REGIONS, START, World
from tests.support.season_steps import set_season_rules

if TYPE_CHECKING:
    from datetime import datetime

    from league.services.queue.snapshots import Snapshot

pytestmark = pytest.mark.django_db(transaction=True)

DECAY = {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "1d"}
STEPS = 30
MOST_STEPS = 300
"""So many are played if fewer show too little."""
KEPT, MATCHES = 7, 3
"""More ticks than these must start from what is kept, and more matches be made."""


class Worker:
    """What a worker process keeps."""

    def __init__(self) -> None:
        self.kept: TTLCache[int, Any] = TTLCache(8, 60)
        self.known: TTLCache[int, Any] = TTLCache(8, 60)

    def takes_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(long_queues, "_kept", self.kept)
        monkeypatch.setattr(kept_ticks, "_known", self.known)


class Watch:
    """The snapshots that ticks take, and how many tickets were read for each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken: list[Snapshot] = []
        self.read: list[int] = []
        take, load = long_queues.take_snapshot, snapshots.load_members

        def taking(*arguments: Any) -> Snapshot:
            self.taken.append(take(*arguments))
            return self.taken[-1]

        def loading(season: Season, tickets: list[int] | None = None) -> Any:
            if tickets is not None:
                self.read.append(len(tickets))
            return load(season, tickets)

        monkeypatch.setattr(pairing, "take_snapshot", taking)
        monkeypatch.setattr(snapshots, "load_members", loading)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    monkeypatch.setattr(long_queues, "LONG", 1)
    return Watch(monkeypatch)


def whole_tick(
    queue: ArenaQueue, now: datetime, seed: int, watch: Watch
) -> tuple[Tick | None, Snapshot]:
    """Return a tick that reads everything, and undo it. ``None`` if nobody is ready."""
    with transaction.atomic():
        made = pairing.tick(queue.arena_id, now=now, seed=seed, clock=lambda: 0.0)
        transaction.set_rollback(True)
    assert watch.taken[-1].arrays is None  # as in any transaction around it
    return made, watch.taken[-1]


def assert_same_arrays(one: Any, other: Any) -> None:
    """Check that two sets of arrays have the same values of the same kinds, bit by bit."""
    assert (one is None) == (other is None)
    for field in fields(one) if one is not None else ():
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, np.ndarray):
            assert (left.dtype, left.shape) == (right.dtype, right.shape), field.name
            assert left.tobytes() == right.tobytes(), field.name
        elif field.name in {"filters", "regions"}:
            assert_same_arrays(left, right)
        else:
            assert left == right, field.name


def ticks_alike(
    queue: ArenaQueue, now: datetime, seed: int, watch: Watch, worker: Worker
) -> Tick | None:
    """Make a tick, after one that reads everything and is undone. Check that they are the same."""
    with pytest.MonkeyPatch.context() as patch:
        Worker().takes_over(patch)
        whole, snapshot = whole_tick(queue, now, seed, watch)
    with pytest.MonkeyPatch.context() as patch:
        worker.takes_over(patch)
        made = pairing.tick(queue.arena_id, now=now, seed=seed, clock=lambda: 0.0)
    taken = watch.taken[-1]
    assert (made is None) == (whole is None) == (not taken.tickets) == (not snapshot.tickets)
    if made is None or whole is None:
        return None
    assert (made.found, made.tickets) == (whole.found, whole.tickets)
    assert taken.tickets == snapshot.tickets
    assert taken.met == snapshot.met
    assert taken.wishes == snapshot.wishes
    assert taken.states
    assert_same_arrays(taken.states, snapshot.states)
    assert_same_arrays(taken.queue(), snapshot.queue())
    stored = Tick.objects.get(pk=made.pk)
    assert kept_ticks.rules_and_input(stored)[1].to_json() == snapshot.to_json()
    assert pairing.run_again(stored) == made.found
    return made


@pytest.fixture
def busy(watch: Watch) -> ArenaQueue:
    """A queue in which nearly everything counts, of an arena with decay."""
    teams = arena(
        "busy", team_size_min=1, team_size_max=2, modes=MODES, regions=REGIONS,
        result_rules={}, limits={"open_reports": 10_000, "recent_reports": 10_000},
    )  # fmt: skip
    set_season_rules(teams, decay=DECAY)
    season = teams.current_season(NOW)
    assert season
    adopt_rules(season, teams)
    queue = ArenaQueue(
        arena=teams, matcher="laurel", rules={"queue": ANYBODY | {"iteration_interval": "5s"}}
    )
    queue.full_clean()
    queue.rules["laurel"] |= {"fairness": 0.3, "asking": HIGH}
    queue.rules["region"]["widen_after"] = 90.0
    queue.save()
    return queue


@pytest.mark.parametrize("seed", range(examples(1)))
def test_ticks_decide_as_if_they_read_everything_whatever_happens_between_them(
    seed: int, busy: ArenaQueue, watch: Watch
) -> None:
    arena("elsewhere")
    world = World(busy, seed)
    workers = [Worker(), Worker()]
    kept = matches = step = 0
    while step < STEPS or (step < MOST_STEPS and (kept <= KEPT or matches <= MATCHES)):
        world.act()
        if step % 11 == 10:
            workers[world.chance.randrange(2)] = Worker()  # started anew
        worker = workers[0 if world.chance.random() < 0.7 else 1]
        watch.read.clear()
        made = ticks_alike(busy, world.now, step, watch, worker)
        if made:
            kept += watch.taken[-1].arrays is not None and sum(watch.read) < made.tickets
            matches += made.matches
        world.now += timedelta(seconds=6)
        step += 1
    assert kept > KEPT
    assert matches > MATCHES
    ready_checks.cancel_expired(world.now)
    assert breaches(world.now) == []
    assert Tick.objects.exclude(base=None).exists()


def ready(queue: ArenaQueue, count: int) -> list[Player]:
    """Let players wait alone, whom nobody may be matched with."""
    queue.rules["laurel"] |= {"asking": HIGH, "bound": HIGH}
    queue.save()
    players = [account(f"Waiter {number}") for number in range(count)]
    for player in players:
        join(queue.arena, player, [], now=NOW)
    return players


def test_only_tickets_that_have_changed_are_read_again(busy: ArenaQueue, watch: Watch) -> None:
    players, worker = ready(busy, 6), Worker()
    for number, expected in enumerate([[], [6], [0], [1], [0]]):
        if number == 3:
            Rating.objects.create(
                season=busy.arena.seasons.get(), player=players[2], **START | {"rating": 1700.0}
            )
        watch.read.clear()
        ticks_alike(busy, NOW + timedelta(seconds=10 * number + 10), 1, watch, worker)
        assert watch.read == expected
        Tick.objects.update(at=NOW - timedelta(hours=1))


def test_a_queue_is_read_whole_each_minute_and_after_the_clock_was_set_back(
    busy: ArenaQueue, watch: Watch
) -> None:
    ready(busy, 4)
    worker = Worker()
    for second, expected in ((0, []), (1, [4]), (59, [0]), (62, [4]), (63, [0]), (30, [4])):
        Tick.objects.all().delete()
        watch.read.clear()
        ticks_alike(busy, NOW + timedelta(seconds=second), 1, watch, worker)
        assert watch.read == expected, second


def test_a_short_queue_is_not_kept(
    busy: ArenaQueue, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_queues, "LONG", 5)
    ready(busy, 4)
    worker = Worker()
    for number in range(3):
        ticks_alike(busy, NOW + timedelta(seconds=31 * number), 1, watch, worker)
    assert not worker.kept
    assert not worker.known
    assert watch.read == []


def test_a_ticket_that_leaves_while_the_queue_is_read_makes_it_read_whole(
    busy: ArenaQueue, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(busy, 4)
    worker = Worker()
    ticks_alike(busy, NOW, 1, watch, worker)
    extras_of = snapshots.extras_of

    def meanwhile(season: Season, *others: Any) -> Any:
        if not connection.savepoint_ids:
            close_tickets([Ticket.objects.waiting()[0].pk], Ticket.State.LEFT, NOW)
        return extras_of(season, *others)

    with monkeypatch.context() as patch:
        patch.setattr(snapshots, "extras_of", meanwhile)
        worker.takes_over(patch)
        made = pairing.tick(busy.arena_id, now=NOW + timedelta(seconds=31), seed=1)
    assert made
    assert made.tickets == 3  # the second one left when its ticket had been read
    assert watch.taken[-1].arrays is None
    ticks_alike(busy, NOW + timedelta(seconds=62), 1, watch, worker)
