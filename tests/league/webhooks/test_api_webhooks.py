"""Programs manage webhooks through the API, those of their arenas only."""

from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from league.models import (
    Arena,
    Player,
    Scope,
    SentRequest,
    StaffAction,
    User,
    Webhook,
    WebhookDelivery,
)
from league.models.reach import ARENA_ORGANISER
from league.services.people import roles
from league.services.webhooks import signing
from tests.support.api_steps import a_token
from tests.support.result_steps import user_of
from tests.support.webhook_steps import LOCAL, listens, receiver, send_all

LIST = "/api/v1/webhooks/"
HERE = f"http://{LOCAL}:9/"
BOT = {"name": "Bot", "address": HERE, "events": ["result.confirmed"]}


@pytest.fixture(autouse=True)
def tests_are_allowed(settings: Settings) -> None:
    settings.WEBHOOK_TEST_HOSTS = [LOCAL]


def program_of(player: Player, *scopes: str) -> APIClient:
    client = APIClient()
    _token, text = a_token(User.objects.get(player=player), *scopes)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


@pytest.fixture
def program(olga: Player) -> APIClient:
    return program_of(olga)


@pytest.fixture
def organiser(duel: Arena, bob: Player) -> APIClient:
    """Bob organises the duels, and no other arena."""
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    return program_of(bob)


def at(webhook: Webhook, step: str = "") -> str:
    return f"{LIST}{webhook.pk}/{step}"


def test_a_webhook_is_made_changed_tested_and_deleted(program: APIClient, duel: Arena) -> None:
    made = program.post(LIST, {**BOT, "arena": "duel"}, format="json")
    assert made.status_code == 201, made.data
    webhook = Webhook.objects.get()
    assert made.data["secret"] == signing.secret_of(webhook)
    assert (made.data["arena"], made.data["events"]) == ("duel", ["result.confirmed"])
    shown = program.get(at(webhook)).json()
    assert "secret" not in shown
    assert shown["failures"] == 0
    with receiver() as bot:
        changed = program.patch(
            at(webhook), {"address": bot.address, "name": "Robot"}, format="json"
        )
        assert changed.status_code == 200, changed.data
        assert changed.data["name"] == "Robot"
        assert program.post(at(webhook, "test/")).status_code == 201
        webhook.refresh_from_db()
        send_all(webhook)
        assert bot.got[0].is_signed_with(signing.secret_of(webhook))
        [delivery] = program.get(at(webhook, "deliveries/")).json()["results"]
        assert delivery["message_id"] == bot.got[0].headers["webhook-id"]
        assert [each["status"] for each in delivery["log"]] == [204]
        again = program.post(at(webhook, f"deliveries/{delivery['id']}/replay/"))
        assert again.data["state"] == "waiting"
        send_all(webhook)
        assert len(bot.got) == 2
    paused = program.patch(at(webhook), {"paused": True}, format="json").data
    assert (paused["paused"], paused["pause_reason"]) == (True, "staff")
    assert program.patch(at(webhook), {"paused": True}, format="json").status_code == 409
    resumed = program.patch(at(webhook), {"paused": False}, format="json").data
    assert (resumed["paused"], resumed["pause_reason"]) == (False, "")
    new = program.post(at(webhook, "secret/")).data["secret"]
    assert new not in {made.data["secret"], ""}
    assert program.delete(at(webhook)).status_code == 204
    assert not WebhookDelivery.objects.exists()
    kinds = set(StaffAction.objects.values_list("kind", flat=True))
    assert kinds == {"webhook"}
    assert StaffAction.objects.count() == 8
    said = str(list(StaffAction.objects.values()))
    assert new not in said
    assert webhook.secret_seed not in said


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"address": "http://receiver.example/"}, "address"),
        ({"address": "https://127.0.0.2/"}, "address"),
        ({"address": "https://a:b@receiver.example/"}, "address"),
        ({"address": 5}, "address"),
        ({"events": []}, "events"),
        ({"events": ["nothing.happened"]}, "events"),
        ({"events": "result.confirmed"}, "events"),
        ({"name": ""}, "name"),
        ({"name": "a" * 61}, "name"),
        ({"arena": "nowhere"}, "arena"),
        ({"secret": "whsec_mine"}, "secret"),
    ],
)
def test_mistakes_are_explained(program: APIClient, changes: dict[str, Any], field: str) -> None:
    answer = program.post(LIST, {**BOT, **changes}, format="json")
    assert answer.status_code == 400, answer.data
    assert field in str(answer.json())
    assert not Webhook.objects.exists()


def test_a_token_needs_the_scope_of_staff(olga: Player) -> None:
    webhook = listens(olga, HERE)
    reader = program_of(olga, Scope.READ)
    assert reader.get(LIST).status_code == 200
    for answer in (
        reader.post(LIST, BOT, format="json"),
        reader.delete(at(webhook)),
        reader.post(at(webhook, "secret/")),
    ):
        assert answer.status_code == 403
        assert answer.json()["code"] == "insufficient_scope"


def test_an_organiser_reaches_only_those_of_their_arenas(
    organiser: APIClient, olga: Player, duel: Arena, teams: Arena
) -> None:
    theirs = listens(olga, HERE, arena=duel)
    foreign = [listens(olga, HERE, arena=teams), listens(olga, HERE)]
    listed = organiser.get(LIST).json()["results"]
    assert [each["id"] for each in listed] == [theirs.pk]
    for webhook in foreign:
        for answer in (
            organiser.get(at(webhook)),
            organiser.patch(at(webhook), {"address": HERE}, format="json"),
            organiser.delete(at(webhook)),
            organiser.post(at(webhook, "secret/")),
            organiser.post(at(webhook, "test/")),
            organiser.get(at(webhook, "deliveries/")),
            organiser.post(at(webhook, "deliveries/1/replay/")),
        ):
            assert answer.status_code == 404
    for arena in ({"arena": "teams"}, {}):
        assert organiser.post(LIST, {**BOT, **arena}, format="json").status_code == 403
    assert organiser.post(LIST, {**BOT, "arena": "duel"}, format="json").status_code == 201


def test_a_delivery_of_another_webhook_is_not_replayed(program: APIClient, olga: Player) -> None:
    one, other = listens(olga, HERE), listens(olga, HERE)
    sent = program.post(at(one, "test/")).data["id"]
    assert program.post(at(other, f"deliveries/{sent}/replay/")).status_code == 404


def test_a_secret_is_not_kept_to_be_sent_again(program: APIClient, olga: Player) -> None:
    webhook = listens(olga, HERE)
    for address, body in ((LIST, BOT), (at(webhook, "secret/"), {})):
        answer = program.post(address, body, format="json", HTTP_IDEMPOTENCY_KEY="once")
        assert answer.status_code == 400
        assert "secret" in str(answer.json())
    assert Webhook.objects.count() == 1
    assert not SentRequest.objects.exists()
    sent = program.post(at(webhook, "test/"), HTTP_IDEMPOTENCY_KEY="once")
    assert sent.status_code == 201
