"""Personal tokens: shown once, stored as a digest, revocable."""

from __future__ import annotations

import pytest
from knox.models import AuthToken
from rest_framework.test import APIClient

from league.models import Player, User
from league.services.core.errors import Forbidden
from league.services.people.tokens import MOST_TOKENS, make_token
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import PASSWORD

pytestmark = pytest.mark.django_db
TOKENS = "/api/v1/tokens/"


def by_session(player: Player) -> APIClient:
    client = APIClient()
    assert player.user
    client.force_login(player.user)
    return client


def test_alice_makes_a_token_uses_it_and_revokes_it(alice: Player) -> None:
    browser = by_session(alice)
    made = browser.post(TOKENS)
    assert made.status_code == 201
    token = made.json()["token"]

    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    listed = program.get(TOKENS).json()["results"]
    assert [row["id"] for row in listed] == [made.json()["id"]]
    assert token.startswith(listed[0]["id"])
    assert token not in program.get(TOKENS).content.decode()
    assert not AuthToken.objects.filter(digest=token).exists()

    assert program.delete(f"{TOKENS}{listed[0]['id']}/").status_code == 204
    assert program.get(TOKENS).status_code == 401


def test_a_new_password_ends_all_tokens_of_the_account_only(alice: Player, bob: Player) -> None:
    programs = {player: by_token(player) for player in (alice, bob)}
    browser = by_session(alice)
    page = browser.get("/accounts/password/change/")
    assert "ends your API tokens" in page.content.decode()
    form = {"oldpassword": "wrong", "password1": "horse staple 91", "password2": "horse staple 91"}
    browser.post("/accounts/password/change/", form)
    assert programs[alice].get(TOKENS).status_code == 200
    browser.post("/accounts/password/change/", form | {"oldpassword": PASSWORD})
    assert programs[alice].get(TOKENS).status_code == 401
    assert programs[bob].get(TOKENS).status_code == 200


def test_logging_in_and_other_changes_keep_the_tokens(alice: Player) -> None:
    program = by_token(alice)
    assert alice.user
    assert User.objects.get(pk=alice.user.pk).check_password(PASSWORD)
    alice.user.email = "alice@example.org"
    alice.user.save()
    assert program.get(TOKENS).status_code == 200


def test_a_session_from_before_the_new_password_makes_no_token(alice: Player) -> None:
    assert alice.user
    stolen = User.objects.get(pk=alice.user.pk)
    alice.user.set_password("horse staple 91")
    alice.user.save()
    with pytest.raises(Forbidden, match="Your password has changed"):
        make_token(stolen)
    assert not AuthToken.objects.exists()


def test_a_token_cannot_create_tokens(alice: Player) -> None:
    answer = by_token(alice).post(TOKENS)
    assert answer.status_code == 403
    assert answer.json()["code"] == "token_makes_no_token"


def test_eve_neither_sees_nor_revokes_alices_tokens(alice: Player, eve: Player) -> None:
    assert alice.user
    made, _text = make_token(alice.user)
    client = by_token(eve)
    assert made.token_key not in client.get(TOKENS).content.decode()
    assert client.delete(f"{TOKENS}{made.token_key}/").status_code == 404
    assert AuthToken.objects.filter(user=alice.user).exists()


def test_an_account_has_at_most_twenty_tokens(alice: Player) -> None:
    browser = by_session(alice)
    for _ in range(MOST_TOKENS):
        assert browser.post(TOKENS).status_code == 201
    answer = browser.post(TOKENS)
    assert answer.status_code == 409
    assert answer.json()["code"] == "too_many_tokens"


def test_a_new_token_takes_no_fields(alice: Player) -> None:
    answer = send(by_session(alice), TOKENS, {"name": "mine"})
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"name"}
