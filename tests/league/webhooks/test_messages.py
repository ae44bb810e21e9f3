"""What the messages of webhooks say, and whom they do not name."""

from typing import Any

import pytest
from pytest_django import Settings

from league.models import Match, Player, Webhook, WebhookDelivery, WebhookEvent
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm
from league.services.webhooks import messages
from tests.support.cast import NOW
from tests.support.webhook_steps import LOCAL, Receiver, delivery_of, send_all


@pytest.fixture(autouse=True)
def tests_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]


def test_a_message_remembers_what_its_event_was(
    webhook: Webhook, bot: Receiver, match: Match, charlie: Player
) -> None:
    confirm(match.pk, by=charlie, now=NOW)
    send_all(webhook)
    by_type = {got.message["type"]: got.message["data"] for got in bot.got}
    assert by_type["result.reported"]["status"] == "reported"
    assert by_type["result.confirmed"]["status"] == "rated"


def keys_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys_in(each)}
    if isinstance(value, list):
        return {key for each in value for key in keys_in(each)}
    return set()


def test_a_message_has_nothing_that_the_public_api_lacks(
    webhook: Webhook, match: Match, client: Any
) -> None:
    public = client.get(f"/api/v1/matches/{match.pk}/").json()
    sent = messages.data_of(delivery_of(webhook).event)
    assert keys_in(sent) - {"url", "settled_at"} <= keys_in(public) | {"name"}


def test_unlisted_players_are_not_named(
    webhook: Webhook, bot: Receiver, match: Match, alice: Player
) -> None:
    type(alice).objects.filter(pk=alice.pk).update(is_unlisted=True)
    send_all(webhook)
    assert b"Alice" not in bot.got[0].body
    [first, second] = bot.got[0].message["data"]["sides"]
    assert first["captain"] == {"id": None, "name": "Unlisted player"}
    assert second["captain"]["name"] == "Charlie"


def test_what_no_longer_exists_is_told_as_deleted(webhook: Webhook, bot: Receiver) -> None:
    now = database_now()
    event = WebhookEvent.objects.create(type="season.ended", subject=999_999, at=now)
    WebhookDelivery.objects.create(
        webhook=webhook, event=event, created_at=now, next_attempt_at=now
    )
    send_all(webhook)
    assert bot.got[0].message["data"] == {"id": 999_999, "deleted": True}
