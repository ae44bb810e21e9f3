"""The model finds losses and double counts, also where a lock or a constraint is missing."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction

from league.models import Match
from league.services.core import locking
from league.services.core.clock import database_now
from league.services.integrity.queue import breaches
from league.services.queue import queueing
from league.services.rating import rate
from league.services.results import settling
from league.services.results.reports import answers
from tests.chaos.arenas import duel, new_queue, person, reported
from tests.chaos.model import Model
from tests.support.concurrency import all_at_once

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db(transaction=True)


def acknowledged(model: Model, match: Match, *players: Player) -> None:
    """Note a report, and its confirmation by these players."""
    assert match.client_token
    model.reports[match.client_token] = match.pk
    model.arenas.add(match.arena_id)
    if players:
        winner, loser = players
        model.rated[match.pk] = winner.pk, loser.pk


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_what_is_stored_as_acknowledged_is_fine() -> None:
    model, one, other = Model(), person(), person()
    match = reported(duel(), one, other)
    answers.confirm(match.pk, by=other, now=database_now())
    acknowledged(model, match, one, other)
    assert model.missing() == model.counted_wrong() == []


def test_a_report_that_was_never_committed_is_missing() -> None:
    model, one, other = Model(), person(), person()
    with transaction.atomic():
        acknowledged(model, reported(duel(), one, other), one, other)
        transaction.set_rollback(True)
    assert [text.split()[0] for text in model.missing()] == ["report", "match"]


def test_a_confirmation_that_is_undone_is_missing() -> None:
    model, one, other = Model(), person(), person()
    acknowledged(model, reported(duel(), one, other), one, other)
    assert model.missing()
    assert model.counted_wrong()


def test_a_result_that_nobody_acknowledged_is_counted_wrong() -> None:
    model, one, other = Model(), person(), person()
    match = reported(duel(), one, other)
    answers.confirm(match.pk, by=other, now=database_now())
    model.arenas.add(match.arena_id)
    assert model.counted_wrong()


def test_without_its_lock_a_match_is_rated_twice_and_that_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, one, other = Model(), person(), person()
    match = reported(duel(), one, other)
    execute("DROP INDEX a_result_is_rated_once")
    both = threading.Barrier(2)
    hold = rate.hold

    def together(*given: Any) -> Any:
        both.wait(10)
        return hold(*given)

    unlocked = locking.LOCK_MATCH[: locking.LOCK_MATCH.index("FOR NO KEY UPDATE")]
    monkeypatch.setattr(locking, "LOCK_MATCH", unlocked)
    monkeypatch.setattr(settling, "hold", together)
    confirm = partial(answers.confirm, match.pk, by=other, now=database_now())
    all_at_once([confirm, confirm])
    acknowledged(model, match, one, other)
    assert model.counted_wrong()


def test_without_its_constraint_a_player_queues_twice_and_that_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arena, player = new_queue("twice"), person()
    execute("DROP INDEX player_in_one_open_ticket")
    both = threading.Barrier(2)
    place = queueing.next_place

    def together() -> int:
        both.wait(10)
        return place()

    monkeypatch.setattr(queueing, "next_place", together)
    join = partial(queueing.join, arena, player, [], now=database_now())
    all_at_once([join, join])
    assert [breach.rule for breach in breaches(database_now())] == [
        "is queued in more than one roster"
    ]
