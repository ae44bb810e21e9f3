"""Ticks at once, killed ticks, and players who leave meanwhile: nobody is lost or played twice."""

import threading
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from league.models import Arena, ArenaQueue, Proposal, Tick, Ticket
from league.services.queue import ticks
from league.services.queue.queueing import join, leave
from league.services.queue.ticks import tick
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once
from tests.support.queue_steps import assert_laws, crowd

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_dispatchers_at_once_tick_once(queue: ArenaQueue, teams: Arena) -> None:
    for player in crowd(8):
        join(teams, player, [], now=NOW)
    answers = all_at_once([partial(tick, teams.pk, now=NOW, seed=seed) for seed in range(8)])
    assert sum(isinstance(answer, Tick) for answer in answers) == 1
    assert Proposal.objects.count() == 2
    assert_laws(players=8)


class Killed(BaseException):
    """A worker is killed at some point."""


@pytest.mark.parametrize("where", ["propose", "reorder"])
def test_a_worker_killed_between_engine_and_write_loses_nobody(
    queue: ArenaQueue, teams: Arena, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in crowd(4):
        join(teams, player, [], now=NOW)

    def die(*arguments: object) -> None:
        with connection.cursor() as cursor, suppress(Exception):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(ticks, where, die)
        all_at_once([partial(survived, partial(tick, teams.pk, now=NOW, seed=1))])
    assert Ticket.objects.waiting().count() == 4
    assert tick(teams.pk, now=NOW + timedelta(seconds=1), seed=1)
    assert Proposal.objects.count() == 1
    assert_laws(players=4)


def survived(call: object) -> None:
    with suppress(BaseException):
        call()  # type: ignore[operator] # a call without arguments


def leave_while_the_engine_runs(
    teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> tuple[Ticket, list[object]]:
    """A player leaves after the matcher read the queue and before it writes the match."""
    first, *others = crowd(4)
    ticket = join(teams, first, [], now=NOW)
    for player in others:
        join(teams, player, [], now=NOW)
    has_read, has_left = threading.Event(), threading.Event()
    engine = ticks.run_matcher

    def slow(*arguments: object, **options: object) -> object:
        outcome = engine(*arguments, **options)  # type: ignore[arg-type] # passed on as they came
        has_read.set()
        has_left.wait(5)
        return outcome

    def leaves() -> None:
        has_read.wait(5)
        leave(ticket.pk, by=first, now=NOW)
        has_left.set()

    monkeypatch.setattr(ticks, "run_matcher", slow)
    answers = all_at_once([partial(tick, teams.pk, now=NOW, seed=1), leaves])
    ticket.refresh_from_db()
    return ticket, answers


def test_a_player_who_leaves_while_the_engine_runs_is_in_no_match(
    queue: ArenaQueue, teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket, _answers = leave_while_the_engine_runs(teams, monkeypatch)
    assert ticket.state == Ticket.State.LEFT
    assert Tick.objects.get().matches == 1
    assert not Proposal.objects.exists()
    assert_laws(players=3)


def test_without_the_claim_a_player_who_left_is_proposed_a_match(
    queue: ArenaQueue, teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: claiming the tickets is what prevents this."""
    monkeypatch.setattr(ticks, "claim", set)
    ticket, _answers = leave_while_the_engine_runs(teams, monkeypatch)
    assert ticket.state == Ticket.State.PROPOSED
