"""Ticks are stored with their input, run again from it, and deleted when their time is over."""

import random
from datetime import datetime, timedelta

from league import tasks
from league.models import ArenaQueue, Tick, Ticket
from league.services.integrity.queue import breaches
from league.services.queue import kept_ticks
from league.services.queue.kept_ticks import forget_old_ticks
from league.services.queue.queueing import join, leave
from league.services.queue.ticks import run_again, tick
from tests.support.cast import NOW
from tests.support.queue_steps import crowd, everyone_is_there

INTERVAL = timedelta(seconds=30)


def ticks(queue: ArenaQueue, count: int, start: datetime = NOW) -> list[Tick]:
    made = [tick(queue.arena_id, now=start + number * INTERVAL, seed=1) for number in range(count)]
    assert all(made)
    return [one for one in made if one]


def lone(queue: ArenaQueue) -> Ticket:
    """A ticket that no match is found for."""
    made = join(queue.arena, crowd(1)[0], [], now=NOW)
    everyone_is_there()
    return made


def test_every_tick_of_a_busy_queue_runs_again_the_same(queue: ArenaQueue) -> None:
    chance = random.Random(4)  # noqa: S311 - no secret
    for number in range(25):
        for player in crowd(chance.randrange(4)):
            join(queue.arena, player, [], now=NOW + number * INTERVAL)
        everyone_is_there()
        waiting = list(Ticket.objects.waiting().select_related("captain"))
        if len(waiting) > 2:
            leave(waiting[0].pk, by=waiting[0].captain, now=NOW + number * INTERVAL)
        tick(queue.arena_id, now=NOW + number * INTERVAL, seed=number)
    stored = list(Tick.objects.all())
    assert sum(one.matches for one in stored) > 3
    for one in stored:
        assert run_again(one) == one.found
        assert len(kept_ticks.snapshot_of(one).tickets) == one.tickets
    assert breaches(NOW) == []


def test_ticks_are_deleted_after_the_time_of_their_queue(queue: ArenaQueue) -> None:
    lone(queue)
    ticks(queue, 5)
    assert forget_old_ticks(NOW + timedelta(days=7)) == 0
    queue.ticks_kept = timedelta(hours=12)
    queue.save()
    assert forget_old_ticks(NOW + timedelta(hours=12) + 2 * INTERVAL) == 2
    for one in Tick.objects.all():
        assert run_again(one) == []
    ArenaQueue.objects.all().delete()
    assert forget_old_ticks(NOW + timedelta(days=7)) == 0
    assert forget_old_ticks(NOW + timedelta(days=8)) == 3
    assert tasks.forget_old_ticks() == 0
