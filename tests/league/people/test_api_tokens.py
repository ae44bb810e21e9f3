"""API tokens: shown once, stored as a digest, for named purposes, expiring, revocable."""

import hashlib
import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import resolve
from django.utils import timezone
from rest_framework.test import APIClient

from league.api.core.schema import description
from league.models import AccessToken, Arena, Match, Player, Scope, User
from league.services.core.errors import Forbidden
from league.services.people.tokens import MOST_TOKENS
from tests.support.api_steps import a_token, by_token, fields_at_fault, send, win
from tests.support.cast import PASSWORD

TOKENS = "/api/v1/tokens/"
REPORTS = "/api/v1/arenas/duel/reports/"
BOT = {"name": "My bot", "scopes": ["report"]}


def by_session(player: Player) -> APIClient:
    client = APIClient()
    assert player.user
    client.force_login(player.user)
    return client


def by_header(header: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    return client


def test_alice_makes_a_token_uses_it_and_revokes_it(alice: Player) -> None:
    until = timezone.now() + timedelta(days=30)
    made = send(by_session(alice), TOKENS, {**BOT, "expires_at": until.isoformat()})
    assert made.status_code == 201
    token = made.json()["token"]
    assert token.startswith("laurel_")

    program = by_header(f"Bearer {token}")
    [listed] = program.get(TOKENS).json()["results"]
    assert listed["name"] == "My bot"
    assert listed["scopes"] == ["read", "report"]
    assert listed["expires_at"] == until.isoformat().replace("+00:00", "Z")
    assert token.startswith(listed["start"])
    assert token not in program.get(TOKENS).content.decode()
    assert AccessToken.objects.get().digest == hashlib.sha256(token.encode()).hexdigest()

    address = f"{TOKENS}{listed['id']}/"
    assert program.delete(address).json()["code"] == "insufficient_scope"
    assert by_session(alice).delete(address).status_code == 204
    assert program.get(TOKENS).status_code == 401


def test_a_token_that_has_ended_is_refused(alice: Player) -> None:
    made, text = a_token(alice.user)
    AccessToken.objects.filter(pk=made.pk).update(expires_at=timezone.now())
    answer = by_header(f"Bearer {text}").get("/api/v1/arenas/")
    assert answer.status_code == 401
    assert answer.json()["code"] == "token_expired"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_token_of_a_closed_account_is_refused(alice: Player) -> None:
    client = by_token(alice)
    User.objects.filter(player=alice).update(is_active=False)
    assert client.get("/api/v1/arenas/").status_code == 401


def test_the_last_use_is_noted_once_a_minute(alice: Player) -> None:
    made, text = a_token(alice.user)
    client = by_header(f"Bearer {text}")
    assert made.used_at is None

    def used_at() -> Any:
        client.get("/api/v1/arenas/")
        made.refresh_from_db()
        return made.used_at

    first = used_at()
    assert first is not None
    assert used_at() == first
    AccessToken.objects.update(used_at=first - timedelta(minutes=1))
    assert used_at() > first


def test_a_token_does_only_what_it_allows(duel: Arena, alice: Player, eve: Player) -> None:
    answer = send(by_token(alice, Scope.QUEUE), REPORTS, win(alice, eve))
    assert answer.status_code == 403
    assert answer.json()["code"] == "insufficient_scope"
    assert "It needs the scope report." in answer.json()["detail"]
    assert not Match.objects.exists()
    assert by_token(alice, Scope.QUEUE).get("/api/v1/notices/").status_code == 200
    assert send(by_token(alice, Scope.REPORT), REPORTS, win(alice, eve)).status_code == 201


STORES_NOTHING = {"/api/v1/rate/", "/api/v1/match/"}
"""Posts that any token may send, as nothing comes of them but the answer."""


def test_every_route_that_writes_says_which_tokens_may(duel: Arena, olga: Player) -> None:
    reading = by_token(olga, Scope.READ)
    for path, methods in description()["paths"].items():
        address = re.sub(r"{\w+}", "1", path.replace("{slug}", "duel"))
        view: Any = resolve(address).func
        for method in set(methods) - {"get"}:
            assert view.cls.scopes, path
            if view.cls.scopes == (Scope.READ,):
                assert path in STORES_NOTHING
                continue
            answer: Any = reading.generic(method.upper(), address, "{}", "application/json")
            assert answer.json()["code"] == "insufficient_scope", (method, path)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"scopes": []}, "name"),
        ({"name": " ", "scopes": []}, "name"),
        ({"name": "x" * 61, "scopes": []}, "name"),
        ({"name": "x"}, "scopes"),
        ({"name": "x", "scopes": ["all"]}, "scopes.0"),
        ({"name": "x", "scopes": [], "expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"name": "x", "scopes": [], "expires_at": "2520-01-01T00:00:00Z"}, "expires_at"),
        ({"name": "x", "scopes": [], "expires_at": "tomorrow"}, "expires_at"),
    ],
)
def test_a_token_that_cannot_be_is_refused(
    alice: Player, body: dict[str, object], field: str
) -> None:
    answer = send(by_session(alice), TOKENS, body)
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}
    assert not AccessToken.objects.exists()


def test_a_new_password_ends_all_tokens_of_the_account_only(alice: Player, bob: Player) -> None:
    programs = {player: by_token(player) for player in (alice, bob)}
    browser = by_session(alice)
    page = browser.get("/accounts/password/change/")
    assert "revokes your API tokens" in page.content.decode()
    form = {"oldpassword": "wrong", "password1": "horse staple 91", "password2": "horse staple 91"}
    browser.post("/accounts/password/change/", form)
    assert programs[alice].get(TOKENS).status_code == 200
    browser.post("/accounts/password/change/", form | {"oldpassword": PASSWORD})
    assert programs[alice].get(TOKENS).status_code == 401
    assert programs[bob].get(TOKENS).status_code == 200


def test_a_session_from_before_the_new_password_makes_no_token(alice: Player) -> None:
    assert alice.user
    stolen = User.objects.get(pk=alice.user.pk)
    alice.user.set_password("horse staple 91")
    alice.user.save()
    with pytest.raises(Forbidden, match="Your password has changed"):
        a_token(stolen)
    assert not AccessToken.objects.exists()


def test_a_token_cannot_create_tokens(alice: Player) -> None:
    answer = send(by_token(alice), TOKENS, BOT)
    assert answer.status_code == 403
    assert answer.json()["code"] == "token_makes_no_token"


def test_eve_neither_sees_nor_revokes_alices_tokens(alice: Player, eve: Player) -> None:
    assert alice.user
    made, _text = a_token(alice.user)
    client = by_token(eve)
    assert made.start not in client.get(TOKENS).content.decode()
    assert client.delete(f"{TOKENS}{made.pk}/").status_code == 404
    assert AccessToken.objects.filter(pk=made.pk).exists()


def test_an_account_has_at_most_twenty_tokens(alice: Player) -> None:
    browser = by_session(alice)
    for _ in range(MOST_TOKENS):
        assert send(browser, TOKENS, BOT).status_code == 201
    answer = send(browser, TOKENS, BOT)
    assert answer.status_code == 409
    assert answer.json()["code"] == "too_many_tokens"
