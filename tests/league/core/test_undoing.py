"""What a walk asks leaves no trace, whether the savepoint came early, late or not at all."""

from __future__ import annotations

import psycopg
import pytest
from django.db import DatabaseError, connection, transaction

from league.models import Player
from tests.support.cast import account
from tests.support.undoing import undone

pytestmark = pytest.mark.django_db


def test_what_is_written_is_undone_and_what_was_there_before_stays() -> None:
    alice = account("Alice")
    with undone():
        assert Player.objects.count() == 1
        Player.objects.filter(pk=alice.pk).update(name="Bob")
        with transaction.atomic():
            account("Charlie")
        assert Player.objects.count() == 2
    assert Player.objects.get().name == "Alice"


def test_nothing_is_sent_around_what_only_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(psycopg.Connection, "execute", None)
    with undone():
        assert not Player.objects.exists()
    with pytest.raises(TypeError), undone():
        Player.objects.update(name="Bob")


def test_what_waits_for_the_commit_and_a_failed_statement_are_forgotten() -> None:
    waiting = len(connection.run_on_commit)
    with undone():
        transaction.on_commit(connection.close)
        Player.objects.update(name="Bob")
        with pytest.raises(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")
    assert len(connection.run_on_commit) == waiting
    assert not Player.objects.exists()


def test_a_failure_that_cannot_be_undone_is_told() -> None:
    with pytest.raises(AssertionError, match="nothing can be read any more"):
        read_what_fails()
    connection.set_rollback(True)


def read_what_fails() -> None:
    with undone(), pytest.raises(DatabaseError), connection.cursor() as cursor:
        cursor.execute("SELECT 1 / 0")
