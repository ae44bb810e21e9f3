"""Ticks are stored as differences, run again from them, and deleted when their time is over."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from league import tasks
from league.models import ArenaQueue, Tick, Ticket
from league.services.integrity.queue import breaches
from league.services.queue import kept_ticks
from league.services.queue.differences import apply, difference
from league.services.queue.kept_ticks import NoLongerKept, forget_old_ticks
from league.services.queue.pairing import run_again, tick
from league.services.queue.queueing import join, leave
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


def any_queue(chance: random.Random) -> dict[str, Any]:
    ids = chance.sample(range(8), chance.randrange(9))
    every = [[one, other] for one in sorted(ids) for other in sorted(ids) if one < other]
    return {
        "tickets": [{"id": number, "rating": chance.randrange(2)} for number in ids],
        "met": [pair for pair in every if chance.random() < 0.3],
    }


def test_a_difference_leads_from_any_queue_to_any_other() -> None:
    for seed in range(500):
        chance = random.Random(seed)  # noqa: S311 - no secret
        before, after = any_queue(chance), any_queue(chance)
        stored = json.loads(json.dumps(difference(before, after)))
        assert apply(before, stored) == after, seed


def test_tickets_that_wait_on_are_not_stored_again() -> None:
    tickets = [{"id": number} for number in range(5)]
    before = {"tickets": tickets, "met": [[0, 1], [2, 3]]}
    after = {"tickets": [*tickets[2:], tickets[1], {"id": 9}], "met": [[2, 3]]}
    assert difference(before, after) == {
        "gone": [0, 1],
        "put": [[3, 1], [4, {"id": 9}]],
        "apart": [],
        "met": [],
    }


@pytest.mark.django_db
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
    assert any(one.base_id for one in stored)
    for one in stored:
        assert run_again(one) == one.found
        assert len(kept_ticks.rules_and_input(one)[1].tickets) == one.tickets
    assert breaches(NOW) == []


@pytest.mark.django_db
def test_a_waiting_queue_takes_few_bytes(queue: ArenaQueue) -> None:
    lone(queue)
    first, *others = ticks(queue, 5)
    assert first.base_id is None
    assert first.rules
    for one in others:
        assert one.base_id == first.pk
        assert one.rules is None
        assert len(one.queue) < 50


@pytest.mark.django_db
def test_a_tick_is_full_again_after_a_while(queue: ArenaQueue) -> None:
    lone(queue)
    queue.rules["queue"]["iteration_interval"] = "1s"
    queue.save()
    for second in range(130):
        assert tick(queue.arena_id, now=NOW + timedelta(seconds=second), seed=1)
    assert Tick.objects.filter(base=None).count() == 3
    later = tick(queue.arena_id, now=NOW + timedelta(minutes=13), seed=1)
    assert later
    assert later.base_id is None


@pytest.mark.django_db
def test_a_tick_is_full_again_after_many_changes(
    queue: ArenaQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    lone(queue)
    monkeypatch.setattr(kept_ticks, "MOST_BYTES", 100)
    bases = [one.base_id for one in ticks(queue, 8)]
    assert bases.count(None) == 2
    assert run_again(Tick.objects.latest("id")) == []


@pytest.mark.django_db
def test_a_tick_with_new_rules_or_mostly_new_tickets_is_full(queue: ArenaQueue) -> None:
    lone(queue)
    ticks(queue, 2)
    queue.rules["queue"]["rating_min"] = 900
    queue.save()
    (changed,) = ticks(queue, 1, NOW + 2 * INTERVAL)
    assert changed.base_id is None
    for player in crowd(3):
        join(queue.arena, player, [], now=NOW)
    everyone_is_there()
    (fuller,) = ticks(queue, 1, NOW + 3 * INTERVAL)
    assert fuller.base_id is None


@pytest.mark.django_db
def test_a_clock_set_back_leaves_every_tick_readable(queue: ArenaQueue) -> None:
    lone(queue)
    ticks(queue, 3)
    for back in (timedelta(minutes=1), timedelta(minutes=9), timedelta(hours=5)):
        ticks(queue, 2, NOW - back)
        ticks(queue, 2, NOW + 10 * INTERVAL - back)
    for one in Tick.objects.all():
        assert run_again(one) == []
        assert len(kept_ticks.rules_and_input(one)[1].tickets) == 1


@pytest.mark.django_db
def test_ticks_are_deleted_after_the_time_of_their_queue(queue: ArenaQueue) -> None:
    lone(queue)
    ticks(queue, 45)  # more than two spans
    assert forget_old_ticks(NOW + timedelta(days=6)) == 0
    queue.ticks_kept = timedelta(hours=12)
    queue.save()
    assert forget_old_ticks(NOW + timedelta(hours=12, minutes=10)) == 0
    # The first chain of ten minutes is 12 hours old as a whole.
    assert forget_old_ticks(NOW + timedelta(hours=12, minutes=11)) == 20
    for one in Tick.objects.all():
        assert run_again(one) == []
    assert forget_old_ticks(NOW + timedelta(hours=13)) == 25
    assert not Tick.objects.exists()


@pytest.mark.django_db
def test_many_old_ticks_are_deleted_in_bounded_batches(
    queue: ArenaQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    lone(queue)
    ticks(queue, 90)
    monkeypatch.setattr(kept_ticks, "BATCH", 1)
    monkeypatch.setattr(kept_ticks, "MOST_BATCHES", 2)
    assert forget_old_ticks(NOW + timedelta(days=8)) == 40
    for one in Tick.objects.all():
        assert run_again(one) == []
    assert forget_old_ticks(NOW + timedelta(days=8)) == 40
    assert tasks.forget_old_ticks() in {0, 10}  # whether NOW is long ago
    ArenaQueue.objects.all().delete()
    forget_old_ticks(NOW + timedelta(days=8))
    assert not Tick.objects.exists()


@pytest.mark.django_db
def test_a_tick_that_lost_its_base_says_so(queue: ArenaQueue) -> None:
    lone(queue)
    first, second = ticks(queue, 2)
    first.delete()
    with pytest.raises(NoLongerKept):
        run_again(Tick.objects.get(pk=second.pk))
    (third,) = ticks(queue, 1, NOW + 2 * INTERVAL)
    assert third.base_id is None


@pytest.mark.django_db
def test_a_tick_that_lost_its_base_is_deleted_in_its_time(queue: ArenaQueue) -> None:
    lone(queue)
    first, second = ticks(queue, 2)
    Tick.objects.filter(pk=first.pk).delete()
    assert forget_old_ticks(NOW + timedelta(days=7)) == 0
    assert forget_old_ticks(NOW + timedelta(days=8)) == 1
    assert not Tick.objects.filter(pk=second.pk).exists()


@pytest.mark.django_db
def test_the_database_refuses_a_full_tick_without_rules(queue: ArenaQueue) -> None:
    lone(queue)
    ticks(queue, 1)
    with pytest.raises(IntegrityError, match="full_tick_has_rules"), transaction.atomic():
        Tick.objects.update(rules=None)
