"""Staff make, test and pause webhooks, arena organisers those of their arenas only."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import (
    Arena,
    Player,
    StaffAction,
    User,
    Webhook,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEvent,
)
from league.models.reach import ARENA_ORGANISER
from league.services.core.clock import database_now
from league.services.people import roles
from league.services.webhooks import signing
from tests.support.admin_steps import browser_of, errors_of, messages_of, send, staff
from tests.support.result_steps import user_of
from tests.support.webhook_steps import LOCAL, listens, receiver, send_all

__all__ = ["staff"]
ADD = "/admin/league/webhook/add/"
LIST = "/admin/league/webhook/"
HERE = f"http://{LOCAL}:9/"


@pytest.fixture(autouse=True)
def tests_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]


@pytest.fixture
def organiser(duel: Arena, bob: Player) -> Client:
    """Bob organises the duels, and no other arena."""
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    return browser_of(User.objects.get(player=bob))


def a_bot(address: str = HERE, **changes: Any) -> dict[str, Any]:
    return {"name": "Bot", "address": address, "events": ["result.confirmed"], **changes}


def change_page(webhook: Webhook) -> str:
    return reverse("admin:league_webhook_change", args=[webhook.pk])


def run(client: Client, webhook: Webhook, step: str) -> Any:
    return client.post(reverse("admin:league_webhook_run", args=[webhook.pk]), {"step": step})


def secret_on(response: Any) -> str:
    [found] = re.findall(r"whsec_[A-Za-z0-9+/=]+", html.unescape(response.content.decode()))
    return str(found)


def delivered(webhook: Webhook) -> WebhookDelivery:
    now = database_now()
    return WebhookDelivery.objects.create(
        webhook=webhook,
        event=WebhookEvent.objects.create(type="webhook.test", subject=webhook.pk, at=now),
        state=WebhookDelivery.State.DELIVERED,
        created_at=now,
        closed_at=now,
    )


def test_a_new_webhook_shows_its_secret_once(staff: Client, olga: Player) -> None:
    made = send(staff, ADD, a_bot())
    assert made.status_code == 201
    webhook = Webhook.objects.get()
    secret = signing.secret_of(webhook)
    assert secret_on(made) == secret
    assert "no-store" in made.headers["Cache-Control"]
    assert webhook.made_by == olga.user
    assert (webhook.arena, webhook.events) == (None, ["result.confirmed"])
    for page in (LIST, change_page(webhook), f"{change_page(webhook)[:-7]}history/"):
        shown = staff.get(page).content.decode()
        assert "whsec_" not in shown
        assert webhook.secret_seed not in shown
    [action] = StaffAction.objects.all()
    assert action.kind == StaffAction.Kind.CREATED
    assert webhook.secret_seed not in str(action.after)


def test_a_double_click_makes_one_webhook(staff: Client) -> None:
    first, second = (send(staff, ADD, a_bot()) for _click in range(2))
    assert secret_on(first) != secret_on(second) == signing.secret_of(Webhook.objects.get())


def test_a_webhook_is_changed_but_stays_with_its_arena(
    staff: Client, olga: Player, duel: Arena, teams: Arena
) -> None:
    webhook = listens(olga, HERE, arena=duel)
    changed = send(staff, change_page(webhook), {"name": "Robot", "arena": teams.pk})
    assert changed.status_code == 302
    webhook.refresh_from_db()
    assert (webhook.name, webhook.arena) == ("Robot", duel)


def test_a_new_secret_is_shown_once_and_the_old_one_signs_on(staff: Client, olga: Player) -> None:
    webhook = listens(olga, HERE)
    before = webhook.secret_seed
    page = run(staff, webhook, "secret")
    webhook.refresh_from_db()
    assert secret_on(page) == signing.secret_of(webhook)
    assert webhook.old_secret_seed == before
    again = run(staff, webhook, "secret")
    webhook.refresh_from_db()
    assert secret_on(again) == signing.secret_of(webhook)
    assert webhook.old_secret_seed == before, "a double click keeps the one that is in use"


def test_a_test_event_is_sent_and_its_answer_shown(staff: Client, olga: Player) -> None:
    with receiver() as bot:
        bot.status, bot.text = 500, "<script>alert(1)</script>"
        webhook = listens(olga, bot.address)
        run(staff, webhook, "test")
        send_all(webhook)
        assert bot.got[0].message["type"] == "webhook.test"
        assert bot.got[0].is_signed_with(signing.secret_of(webhook))
    delivery = WebhookDelivery.objects.get()
    page = staff.get(reverse("admin:league_webhookdelivery_change", args=[delivery.pk]))
    text = page.content.decode()
    assert "It answered with the status 500." in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script>alert" not in text
    listed = staff.get(f"/admin/league/webhookdelivery/?webhook__id__exact={webhook.pk}")
    assert "A test event" in listed.content.decode()
    assert "just now" in messages_of(run(staff, webhook, "test"))


def test_pause_and_resume(staff: Client, olga: Player) -> None:
    webhook = listens(olga, HERE)
    assert "is paused" in messages_of(run(staff, webhook, "pause"))
    assert "paused already" in messages_of(run(staff, webhook, "pause"))
    assert "Resume it first" in messages_of(run(staff, webhook, "test"))
    assert "is resumed" in messages_of(run(staff, webhook, "resume"))
    assert "is not paused" in messages_of(run(staff, webhook, "resume"))
    assert "Unknown action" in messages_of(run(staff, webhook, "dance"))
    reasons = list(StaffAction.objects.order_by("pk").values_list("kind", "reason"))
    assert reasons == [
        ("webhook", "Webhook “Bot” paused"),
        ("webhook", "Webhook “Bot” resumed"),
    ]


def test_a_delivery_is_replayed_with_the_same_id(staff: Client, olga: Player) -> None:
    with receiver() as bot:
        webhook = listens(olga, bot.address)
        delivery = delivered(webhook)
        address = reverse("admin:league_webhookdelivery_replay", args=[delivery.pk])
        assert staff.get(address).status_code == 302
        assert not bot.got
        assert "1 event is sent again." in messages_of(staff.post(address))
        send_all(webhook)
        assert [got.headers["webhook-id"] for got in bot.got] == [delivery.event.message_id]
    assert WebhookAttempt.objects.filter(delivery=delivery).count() == 1
    [action] = StaffAction.objects.filter(kind="webhook")
    assert action.details["deliveries"] == [delivery.pk]


def test_deleting_a_webhook_takes_its_deliveries_along(staff: Client, olga: Player) -> None:
    webhook = listens(olga, HERE)
    delivered(webhook)
    page = reverse("admin:league_webhook_delete", args=[webhook.pk])
    assert "1" in staff.get(page).content.decode()
    staff.post(page, {"post": "yes", "_reason": "No bot any more."})
    assert not Webhook.objects.exists()
    assert not WebhookDelivery.objects.exists()
    action = StaffAction.objects.get(kind=StaffAction.Kind.DELETED)
    assert webhook.secret_seed not in str(action.before)


def test_an_organiser_makes_webhooks_of_their_arena_only(
    organiser: Client, duel: Arena, teams: Arena
) -> None:
    page = organiser.get(ADD).content.decode()
    assert "Duel" in page
    assert "Teams" not in page
    for arena in (teams.pk, ""):
        answer = send(organiser, ADD, a_bot(arena=arena))
        assert answer.status_code == 200
        assert "arena" in errors_of(answer)
    assert not Webhook.objects.exists()
    assert send(organiser, ADD, a_bot(arena=duel.pk)).status_code == 201
    assert Webhook.objects.get().arena == duel


@pytest.mark.parametrize("whose", ["another arena", "the league"])
def test_an_organiser_does_not_reach_other_webhooks(
    organiser: Client, olga: Player, teams: Arena, whose: str
) -> None:
    webhook = listens(olga, HERE, arena=teams if whose == "another arena" else None, name="Foreign")
    delivery = delivered(webhook)
    before = Webhook.objects.values().get()
    delivery_page = reverse("admin:league_webhookdelivery_change", args=[delivery.pk])
    assert "Foreign" not in organiser.get(LIST).content.decode()
    assert "Foreign" not in organiser.get("/admin/league/webhookdelivery/").content.decode()
    export = organiser.get(reverse("admin:league_webhook_export"))
    assert b"Foreign" not in b"".join(export.streaming_content)  # type: ignore[attr-defined] # a stream
    for page in (change_page(webhook), delivery_page):
        assert organiser.get(page).status_code in {302, 403, 404}
    for step in ("secret", "pause", "test", "resume"):
        assert run(organiser, webhook, step).status_code == 403
    replay = reverse("admin:league_webhookdelivery_replay", args=[delivery.pk])
    assert organiser.post(replay).status_code == 403
    organiser.post(
        "/admin/league/webhookdelivery/",
        {"action": "replay", "_selected_action": [delivery.pk]},
    )
    organiser.post(
        LIST, {"action": "delete_selected", "_selected_action": [webhook.pk], "post": "yes"}
    )
    organiser.post(reverse("admin:league_webhook_delete", args=[webhook.pk]), {"post": "yes"})
    organiser.post(change_page(webhook), a_bot("https://evil.example/"))
    assert Webhook.objects.values().get() == before
    assert WebhookDelivery.objects.get().state == "delivered"
