"""Real workers send webhooks, and lose nothing when they, the clock or the broker are killed."""

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.kinds import OUTGOING
from league.models import Arena, Player, WebhookDelivery
from league.services.webhooks import signing
from tests.support.cast import beats
from tests.support.celery_steps import (
    RESUMES_WITHIN,
    STARTS_WITHIN,
    Broker,
    Crew,
    happens_within,
    kill,
)
from tests.support.webhook_steps import LOCAL, hostile, listens, receiver

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def crew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Crew]:
    monkeypatch.setenv("LAUREL_WEBHOOK_TEST_HOSTS", LOCAL)
    made = Crew(tmp_path)
    yield made
    made.end()


def test_a_killed_worker_loses_nothing_and_a_slow_receiver_delays_nobody(
    crew: Crew, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    asked: list[float] = []

    def hangs(connected: socket.socket) -> None:
        connected.recv(65536)
        asked.append(time.monotonic())
        time.sleep(30)

    with receiver() as bot, hostile(hangs) as address:
        quick, slow = listens(olga, bot.address), listens(olga, address)
        beats(alice, charlie, duel)  # before any worker or clock runs
        first = crew.worker(OUTGOING, at_a_time=4)
        crew.clock()
        assert happens_within(lambda: bot.got, STARTS_WITHIN), crew.log_of(first)
        assert bot.got[0].is_signed_with(signing.secret_of(quick))
        assert happens_within(lambda: asked, RESUMES_WITHIN)
        kill(first)  # while the slow receiver has its request
        assert WebhookDelivery.objects.get(webhook=slow).attempts == 0
        second = crew.worker(OUTGOING, at_a_time=4)
        assert happens_within(lambda: len(asked) > 1, STARTS_WITHIN), crew.log_of(second)
        assert happens_within(
            WebhookDelivery.objects.filter(webhook=slow, attempts__gt=0).exists, RESUMES_WITHIN
        )
        began = time.monotonic()
        beats(charlie, alice, duel)
        assert happens_within(lambda: len(bot.got) > 1, RESUMES_WITHIN)
        assert time.monotonic() - began < 15
    assert WebhookDelivery.objects.get(webhook=slow, attempts__gt=0).state == "waiting"


def test_a_broker_that_loses_everything_delays_webhooks_only(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    duel: Arena,
    alice: Player,
    charlie: Player,
    olga: Player,
) -> None:
    monkeypatch.setenv("LAUREL_WEBHOOK_TEST_HOSTS", LOCAL)
    broker = Broker()
    broker.start()
    crew = Crew(tmp_path, broker.url)
    try:
        with receiver() as bot:
            listens(olga, bot.address)
            worker = crew.worker(OUTGOING)
            crew.clock()
            beats(alice, charlie, duel)
            assert happens_within(lambda: bot.got, STARTS_WITHIN), crew.log_of(worker)
            broker.stop()
            beats(charlie, alice, duel)
            broker.start()
            assert happens_within(lambda: len(bot.got) > 1, RESUMES_WITHIN), crew.log_of(worker)
    finally:
        crew.end()
        broker.end()
