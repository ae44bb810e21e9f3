"""Nothing is lost when a receiver or one of our processes is down for a while."""

import psycopg
import pytest
from django.db import connection
from pytest_django import Settings

from league.models import Arena, Match, Player, Season, WebhookAttempt, WebhookDelivery
from league.services.core.clock import database_now
from tests.support.cast import beats
from tests.support.celery_steps import database_url
from tests.support.webhook_steps import LOCAL, listens, receiver, send_all


@pytest.fixture(autouse=True)
def tests_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]


def test_a_receiver_that_was_down_gets_what_it_missed(
    olga: Player, duel: Arena, alice: Player, charlie: Player
) -> None:
    with receiver() as first:
        webhook = listens(olga, first.address)
    beats(alice, charlie, duel)  # while nobody listens there
    send_all(webhook)
    assert "connection failed" in WebhookAttempt.objects.get().problem
    port = int(first.address.rpartition(":")[2].partition("/")[0])
    with receiver(port=port) as second:
        WebhookDelivery.objects.update(next_attempt_at=database_now())
        send_all(webhook)
        assert [got.message["type"] for got in second.got] == ["result.reported"]


@pytest.mark.django_db(transaction=True)
def test_a_process_killed_before_its_commit_leaves_no_event(olga: Player, duel: Arena) -> None:
    """The other connection ends as that of a killed process does, after it has written both."""
    listens(olga, "https://receiver.example/")
    season = Season.objects.get(arena=duel)
    with psycopg.connect(database_url()) as other:
        other.execute(
            "INSERT INTO league_match (arena_id, season_id, status, played_at, weight, information,"
            " dispute_reason, settlement, mode, region)"
            " VALUES (%s, %s, 'live', now(), 1, '{}', '', '', '', '')",
            [season.arena_id, season.pk],
        )
        [written] = other.execute("SELECT count(*) FROM league_webhookdelivery").fetchone() or [0]
        assert written == 1
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [other.info.backend_pid])
        with pytest.raises(psycopg.OperationalError):
            other.execute("SELECT 1")
    assert not Match.objects.exists()
    assert not WebhookDelivery.objects.exists()
