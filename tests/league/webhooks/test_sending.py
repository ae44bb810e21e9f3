"""Events are sent, signed and tried again, and a receiver that fails for long is paused."""

import base64
import re
import socket
import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils.dateparse import parse_datetime
from pytest_django import Settings

from league.models import (
    Arena,
    ArenaOrganiser,
    Match,
    Notice,
    NoticeKind,
    Player,
    User,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEvent,
)
from league.services.core.clock import database_now
from league.services.notices.texts import tell
from league.services.webhooks import managing, posting, sending, signing
from league.services.webhooks.posting import Outcome
from tests.support.cast import beats
from tests.support.webhook_steps import (
    CHANCE,
    LOCAL,
    Receiver,
    delivery_of,
    hostile,
    listens,
    send_all,
)

OK = Outcome(204, "", "", 12)
FAILED = Outcome(500, "It answered with the status 500.", "", 12)
TIMED_OUT = Outcome(None, "No answer within 10 seconds.", "", 10_000)


@pytest.fixture(autouse=True)
def tests_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]


def fresh(webhook: Webhook) -> Webhook:
    return Webhook.objects.get(pk=webhook.pk)


def due_again(webhook: Webhook) -> None:
    """Let the time pass that deliveries and the webhook wait."""
    now = database_now()
    WebhookDelivery.objects.filter(webhook=webhook, state="waiting").update(next_attempt_at=now)
    Webhook.objects.filter(pk=webhook.pk).update(waits_until=None)


def test_an_event_arrives_signed(webhook: Webhook, bot: Receiver, match: Match) -> None:
    assert sending.due_webhooks(database_now()) == [webhook.pk]
    assert send_all(webhook) == 1
    [got] = bot.got
    event = WebhookEvent.objects.get()
    assert got.is_signed_with(signing.secret_of(webhook))
    assert not got.is_signed_with("whsec_" + base64.b64encode(bytes(32)).decode())
    assert re.fullmatch(r"msg_[0-9a-f]{32}", got.headers["webhook-id"])
    assert got.message["type"] == "result.reported"
    assert parse_datetime(got.message["timestamp"]) == event.at
    data = got.message["data"]
    assert (data["id"], data["arena"], data["status"]) == (match.pk, "duel", "reported")
    assert data["url"].endswith(f"/matches/{match.pk}/")
    names = [side["participants"][0]["player"]["name"] for side in data["sides"]]
    assert names == ["Alice", "Charlie"]
    assert [side["place"] for side in data["sides"]] == [0, 1]
    assert delivery_of(webhook).state == "delivered"
    assert sending.due_webhooks(database_now()) == []
    assert send_all(webhook) == 0


def test_each_attempt_is_logged(webhook: Webhook, bot: Receiver, match: Match) -> None:
    bot.status, bot.text = 500, "Out of order. " * 100
    send_all(webhook)
    logged = WebhookAttempt.objects.get()
    assert logged.status == 500
    assert logged.problem == "It answered with the status 500."
    assert logged.answer.startswith("Out of order.")
    assert len(logged.answer) == 500
    assert logged.milliseconds < 5000


def test_a_failed_attempt_is_repeated_with_the_same_id(
    webhook: Webhook, bot: Receiver, match: Match
) -> None:
    bot.status = 503
    send_all(webhook)
    assert send_all(webhook) == 0, "it waits"
    bot.status = 200
    due_again(webhook)
    send_all(webhook)
    assert len({got.headers["webhook-id"] for got in bot.got}) == 1
    assert delivery_of(webhook).state == "delivered"
    assert fresh(webhook).failures == 0


def test_pauses_grow_over_three_days_with_chance() -> None:
    assert sorted(sending.PAUSES) == sending.PAUSES
    assert timedelta(hours=69) < sum(sending.PAUSES, timedelta()) < timedelta(hours=75)
    for number, least in enumerate(sending.PAUSES, 1):
        wait = sending.pause(number, FAILED, CHANCE)
        assert wait
        assert least <= wait <= least * 1.2
    assert sending.pause(10, FAILED, CHANCE) is None
    assert len({sending.pause(5, FAILED, CHANCE) for _ in range(10)}) > 1


def test_a_receiver_may_ask_for_more_time() -> None:
    assert sending.pause(1, Outcome(429, "no", "", 1, 600), CHANCE) == timedelta(minutes=10)
    wish = Outcome(429, "no", "", 1, 999_999)
    assert sending.pause(1, wish, CHANCE) == timedelta(hours=1)


def test_after_the_last_attempt_an_event_is_given_up(webhook: Webhook, match: Match) -> None:
    delivery = delivery_of(webhook)
    for _attempt in range(10):
        sending.note(delivery.pk, FAILED, database_now(), CHANCE)
    given_up = delivery_of(webhook)
    assert (given_up.state, given_up.attempts) == ("failed", 10)
    assert given_up.closed_at


def test_a_failing_webhook_rests_longer_and_longer(webhook: Webhook, match: Match) -> None:
    delivery = delivery_of(webhook)
    rests = []
    for _attempt in range(12):
        now = database_now()
        WebhookDelivery.objects.update(attempts=0)
        sending.note(delivery.pk, TIMED_OUT, now, CHANCE)
        rest = fresh(webhook).waits_until
        rests.append(rest - now if rest else timedelta())
    assert rests[:2] == [timedelta(), timedelta()], "one bad event does not stop others"
    assert rests[2] == timedelta(seconds=10)
    assert rests == sorted(rests)
    assert rests[-1] == timedelta(minutes=15)


def fail(webhook: Webhook, times: int, every: timedelta) -> None:
    delivery, now = delivery_of(webhook), database_now()
    for number in range(times):
        WebhookDelivery.objects.update(attempts=0)
        sending.note(delivery.pk, FAILED, now + number * every, CHANCE)


def test_a_webhook_that_fails_for_a_day_is_paused_and_its_staff_are_told(
    webhook: Webhook, match: Match, olga: Player, bob: Player, duel: Arena
) -> None:
    Webhook.objects.update(arena=duel)
    assert bob.user
    bob.user.is_staff = True
    bob.user.save()
    ArenaOrganiser.objects.create(account=bob.user, arena=duel)
    fail(webhook, 9, timedelta(hours=3))
    assert fresh(webhook).paused == "", "too few failures"
    fail(webhook, 1, timedelta())
    fail(webhook, 1, timedelta())
    assert fresh(webhook).paused == ""
    fail(webhook, 10, timedelta(hours=3))
    paused = fresh(webhook)
    assert paused.paused == "failing"
    assert paused.paused_at
    notices = Notice.objects.filter(kind=NoticeKind.WEBHOOK)
    assert {notice.player for notice in notices} == {olga, bob}
    assert "A webhook of Duel was paused" in tell(notices[0]).text
    assert notices[0].mail_at
    assert sending.due_webhooks(database_now() + timedelta(days=3)) == []


def test_what_fails_for_the_last_time_waits_if_that_pauses_the_webhook(
    webhook: Webhook, bot: Receiver, match: Match, owner: User
) -> None:
    delivery, now = delivery_of(webhook), database_now()
    for number in range(10):
        sending.note(delivery.pk, FAILED, now + number * timedelta(hours=7), CHANCE)
    delivery.refresh_from_db()
    assert (fresh(webhook).paused, delivery.attempts) == ("failing", 10)
    assert delivery.state == WebhookDelivery.State.WAITING
    managing.resume(fresh(webhook), by=owner, now=database_now())
    send_all(webhook)
    assert len(bot.got) == 1
    delivery.refresh_from_db()
    assert delivery.state == WebhookDelivery.State.DELIVERED


def test_many_failures_within_an_hour_pause_nothing(webhook: Webhook, match: Match) -> None:
    fail(webhook, 30, timedelta(minutes=2))
    assert fresh(webhook).paused == ""


def test_a_receiver_that_is_gone_is_paused_at_once(
    webhook: Webhook, bot: Receiver, match: Match
) -> None:
    bot.status = 410
    send_all(webhook)
    assert fresh(webhook).paused == "gone"
    assert Notice.objects.filter(kind=NoticeKind.WEBHOOK).exists()


def test_a_paused_webhook_gets_what_has_waited_once_it_is_resumed(
    webhook: Webhook, bot: Receiver, duel: Arena, alice: Player, charlie: Player, owner: User
) -> None:
    managing.pause(webhook, by=owner, now=database_now())
    beats(alice, charlie, duel)
    assert sending.due_webhooks(database_now()) == []
    assert send_all(webhook) == 0
    managing.resume(webhook, by=owner, now=database_now())
    assert send_all(webhook) == 1
    assert len(bot.got) == 1


def test_old_secret_signs_for_a_day(
    webhook: Webhook, bot: Receiver, match: Match, owner: User
) -> None:
    before = signing.secret_of(webhook)
    now = database_now()
    changed = managing.change_secret(webhook, by=owner, now=now)
    after = signing.secret_of(changed)
    assert after != before
    send_all(webhook)
    assert bot.got[0].is_signed_with(before)
    assert bot.got[0].is_signed_with(after)
    keys = signing.keys_of(changed, now + timedelta(hours=24))
    assert [base64.b64encode(key).decode() for key in keys] == [after.removeprefix("whsec_")]


def test_a_key_of_the_site_that_is_being_replaced_signs_too(
    webhook: Webhook, bot: Receiver, match: Match, settings: Settings
) -> None:
    before = signing.secret_of(webhook)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of the site, long enough to be one"
    send_all(webhook)
    assert bot.got[0].is_signed_with(before)
    assert bot.got[0].is_signed_with(signing.secret_of(webhook))


def test_one_worker_at_a_time_sends_to_a_webhook(webhook: Webhook, match: Match) -> None:
    now = database_now()
    assert sending.claim(webhook.pk, now)
    assert not sending.claim(webhook.pk, now)
    assert sending.due_webhooks(now) == []
    assert sending.claim(webhook.pk, now + sending.LEASE), "a killed worker's claim ends"
    assert timedelta(seconds=15) > sending.LEASE


def test_an_event_that_cannot_be_put_in_words_does_not_keep_others_waiting(
    webhook: Webhook, bot: Receiver, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = database_now() - timedelta(hours=1)
    event = WebhookEvent.objects.create(type="nonsense.happened", subject=1, at=now)
    WebhookDelivery.objects.create(
        webhook=webhook, event=event, created_at=now, next_attempt_at=now
    )
    send_all(webhook)
    send_all(webhook)
    assert [got.message["type"] for got in bot.got] == ["result.reported"]


@pytest.mark.django_db(transaction=True)
def test_a_slow_receiver_delays_nobody_else(
    olga: Player, bot: Receiver, duel: Arena, alice: Player, charlie: Player
) -> None:
    """Two workers, as threads of a real one: the slow receiver has one of them."""
    asked, release = threading.Event(), threading.Event()

    def hangs(connected: socket.socket) -> None:
        connected.recv(65536)
        asked.set()
        release.wait(20)

    with hostile(hangs) as address:
        slow, quick = listens(olga, address), listens(olga, bot.address)
        beats(alice, charlie, duel)
        waiting = threading.Thread(target=in_thread, args=(slow,))
        waiting.start()
        assert asked.wait(10)
        assert sending.due_webhooks(database_now()) == [quick.pk]
        assert send_all(quick) == 1
        assert len(bot.got) == 1
        release.set()
        waiting.join()
    assert delivery_of(slow).state == "waiting"


def in_thread(webhook: Webhook) -> None:
    try:
        send_all(webhook)
    finally:
        connection.close()


def test_a_webhook_deleted_while_it_is_sent_to_leaves_nothing(
    webhook: Webhook, match: Match
) -> None:
    delivery = delivery_of(webhook)
    webhook.delete()
    sending.note(delivery.pk, OK, database_now(), CHANCE)
    assert not WebhookAttempt.objects.exists()


def test_what_waited_for_a_week_is_given_up_and_old_deliveries_are_deleted(
    webhook: Webhook, match: Match
) -> None:
    now = database_now()
    delivery = delivery_of(webhook)
    sending.note(delivery.pk, FAILED, now, CHANCE)
    assert sending.forget_old(now + timedelta(days=6)) == 0
    assert delivery_of(webhook).state == "waiting"
    sending.forget_old(now + timedelta(days=8))
    assert delivery_of(webhook).state == "failed"
    assert sending.forget_old(now + timedelta(days=29)) == 0
    assert sending.forget_old(now + timedelta(days=31)) == 1
    assert not WebhookDelivery.objects.exists()
    assert not WebhookAttempt.objects.exists()
    assert not WebhookEvent.objects.exists()


def test_the_deadline_is_within_the_claim() -> None:
    assert timedelta(seconds=posting.DEADLINE) < sending.LEASE
