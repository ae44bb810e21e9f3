"""Requests with an Idempotency-Key take effect once."""

import json
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from rest_framework.test import APIClient

from league.models import Arena, Match, Player, Roster, SentRequest
from league.services.core.clock import database_now
from league.services.core.errors import LimitReached
from league.services.people.sent_once import KEPT
from league.tasks import forget_old_requests
from tests.support.api_steps import a_token, by_token, fields_at_fault, win
from tests.support.concurrency import all_at_once
from tests.support.result_steps import user_of

REPORTS = "/api/v1/arenas/duel/reports/"
ROSTERS = "/api/v1/arenas/teams/rosters/"
KEY = "7f1d1a5e-3c0b-4a57-9d0c-0f6f5a2f4c11"


def post(client: APIClient, address: str, body: object, key: str = KEY) -> Any:
    text = json.dumps(body)
    return client.generic(
        "POST", address, text, "application/json", headers={"Idempotency-Key": key}
    )


def test_the_same_request_takes_effect_once_and_answers_the_same(
    duel: Arena, alice: Player, eve: Player
) -> None:
    client, body = by_token(alice), win(alice, eve)
    first, second = post(client, REPORTS, body), post(client, REPORTS, body)
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert "Idempotency-Replayed" not in first.headers
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert Match.objects.count() == 1


def test_another_request_with_the_key_is_refused(teams: Arena, alice: Player) -> None:
    client = by_token(alice)
    assert post(client, ROSTERS, {"name": "Owls"}).status_code == 201
    answer = post(client, ROSTERS, {"name": "Jays"})
    assert fields_at_fault(answer) == set()
    assert answer.json()["code"] == "key_of_another_request"
    assert [one.name for one in Roster.objects.all()] == ["Owls"]


def test_a_login_of_the_site_may_send_a_key_too(teams: Arena, alice: Player) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user_of(alice))
    client.get("/")
    client.cookies["csrftoken"] = token = "c" * 32
    answer = client.generic(
        "POST",
        ROSTERS,
        json.dumps({"name": "Owls"}),
        "application/json",
        headers={"Idempotency-Key": KEY, "X-CSRFToken": token},
    )
    assert answer.status_code == 201


def test_a_new_token_is_not_kept_for_a_key(alice: Player) -> None:
    client = APIClient()
    client.force_login(user_of(alice))
    answer = post(client, "/api/v1/tokens/", {"name": "Overlay", "scopes": []})
    assert fields_at_fault(answer) == {"Idempotency-Key"}
    assert not SentRequest.objects.exists()


def test_keys_of_accounts_have_nothing_to_do_with_each_other(
    teams: Arena, alice: Player, eve: Player
) -> None:
    assert post(by_token(alice), ROSTERS, {"name": "Owls"}).status_code == 201
    assert post(by_token(eve), ROSTERS, {"name": "Jays"}).status_code == 201


def test_a_refusal_is_remembered_too(duel: Arena, alice: Player) -> None:
    client = by_token(alice)
    first, second = post(client, REPORTS, {}), post(client, REPORTS, {})
    assert (first.status_code, second.status_code) == (400, 400)
    assert first.json() == second.json()
    assert second.headers["Content-Type"] == "application/problem+json"


def test_a_deletion_takes_effect_once(alice: Player) -> None:
    client = by_token(alice)
    token, _text = a_token(alice.user)
    for replayed in (None, "true"):
        answer = client.delete(f"/api/v1/tokens/{token.pk}/", headers={"Idempotency-Key": KEY})
        assert answer.status_code == 204
        assert answer.content == b""
        assert answer.headers.get("Idempotency-Replayed") == replayed


def test_what_asks_to_try_again_later_can_be_tried_again(
    teams: Arena, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_given: object, **_more: object) -> None:
        raise LimitReached("too_many", "Later.", wait=1)

    client = by_token(alice)
    with monkeypatch.context() as patched:
        patched.setattr("league.api.people.rosters.save_roster", busy)
        assert post(client, ROSTERS, {"name": "Owls"}).status_code == 429
    assert post(client, ROSTERS, {"name": "Owls"}).status_code == 201


def test_what_broke_can_be_tried_again(
    teams: Arena, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_given: object) -> None:
        raise RuntimeError("after the effect")

    client = by_token(alice)
    client.raise_request_exception = False
    with monkeypatch.context() as patched:
        patched.setattr("league.api.people.rosters.roster_data", breaks)
        assert post(client, ROSTERS, {"name": "Owls"}).status_code == 500
    assert not Roster.objects.exists()
    assert post(client, ROSTERS, {"name": "Owls"}).status_code == 201


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "é", "a\tb"])
def test_a_key_that_is_none_is_refused(duel: Arena, alice: Player, key: str) -> None:
    answer = post(by_token(alice), REPORTS, {}, key)
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"Idempotency-Key"}
    assert not SentRequest.objects.exists()


def test_an_upload_takes_no_key(duel: Arena, alice: Player) -> None:
    answer = by_token(alice).post(REPORTS, {}, format="multipart", headers={"Idempotency-Key": KEY})
    assert fields_at_fault(answer) == {"Idempotency-Key"}


def test_a_key_is_forgotten_after_a_day(teams: Arena, alice: Player) -> None:
    client = by_token(alice)
    assert post(client, ROSTERS, {"name": "Owls"}).status_code == 201
    SentRequest.objects.update(at=database_now() - KEPT - timedelta(seconds=1))
    assert post(client, ROSTERS, {"name": "Jays"}).status_code == 201
    assert SentRequest.objects.count() == 1
    assert forget_old_requests() == 0
    SentRequest.objects.update(at=database_now() - KEPT - timedelta(seconds=1))
    assert forget_old_requests() == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_at_the_same_instant_take_effect_once(teams: Arena, alice: Player) -> None:
    header = f"Bearer {a_token(alice.user)[1]}"
    answers: list[Any] = all_at_once([partial(post_owls, header)] * 20)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert sum("Idempotency-Replayed" not in answer.headers for answer in answers) == 1
    assert Roster.objects.count() == 1


def post_owls(header: str) -> Any:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    return post(client, ROSTERS, {"name": "Owls"})
