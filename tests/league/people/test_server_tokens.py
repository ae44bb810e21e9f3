"""Tokens of game servers: bound to arenas, and signed if they should be."""

import json
import time
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from league.models import AccessToken, Arena, Match, Player, Scope, StaffAction, Status, UsedNonce
from league.services.core.errors import Refused
from league.services.people import signing, tokens
from league.tasks import forget_old_requests
from tests.support.admin_steps import browser_of
from tests.support.cast import account
from tests.support.result_steps import user_of
from tests.support.web_steps import words

LIVE = "/api/v1/arenas/duel/live-matches/"
NONCE = "a-word-of-16-letters"


@pytest.fixture
def server() -> Player:
    """The account of a game server, which plays nowhere."""
    made = account("Server")
    user_of(made).user_permissions.add(Permission.objects.get(codename="add_match"))
    return made


def server_token(server: Player, *arenas: Arena, signs: bool = False) -> tuple[AccessToken, str]:
    return tokens.make_server_token(user_of(server), "One", arenas, now=timezone.now(), signs=signs)


def sides(*players: Player) -> dict[str, Any]:
    return {"sides": [{"captain": one.pk, "players": [one.pk]} for one in players]}


def post(address: str, body: object, token: tuple[AccessToken, str], **headers: str) -> Any:
    all_headers = {"Authorization": f"Bearer {token[1]}", **headers}
    text = json.dumps(body)
    return APIClient().generic("POST", address, text, "application/json", headers=all_headers)


def signed(
    token: AccessToken, address: str, body: object, *, at: int = 0, nonce: str = NONCE
) -> dict[str, str]:
    timestamp = str(at or int(time.time()))
    made = signing.signature(
        signing.secret_of(token),
        method="POST",
        address=address,
        timestamp=timestamp,
        nonce=nonce,
        body=json.dumps(body).encode(),
    )
    return {"Laurel-Timestamp": timestamp, "Laurel-Nonce": nonce, "Laurel-Signature": made}


def test_a_game_server_starts_reports_and_voids_in_its_arena(
    duel: Arena, server: Player, alice: Player, bob: Player
) -> None:
    token = server_token(server, duel)
    started = post(LIVE, sides(alice, bob), token)
    assert started.status_code == 201
    first = started.json()["id"]
    parts: list[dict[str, Any]] = [{"place": place, "participants": []} for place in (0, 1)]
    ended = post(f"/api/v1/matches/{first}/report/", {"sides": parts}, token)
    assert ended.status_code == 200
    assert ended.json()["status"] == "rated"

    second = post(LIVE, sides(alice, bob), token).json()["id"]
    void = f"/api/v1/matches/{second}/void/"
    assert post(void, {"reason": " "}, token).status_code == 400
    voided = post(void, {"reason": "The server crashed."}, token)
    assert voided.status_code == 200
    assert voided.json()["status"] == "void"
    action = StaffAction.objects.get(match=second)
    assert (action.actor, action.reason) == (user_of(server), "The server crashed.")
    assert post(LIVE, sides(alice, bob), token).status_code == 201  # both are free again
    assert post(void, {"reason": "Again."}, token).status_code == 409


def test_a_game_server_touches_no_match_of_others(
    duel: Arena, server: Player, alice: Player, bob: Player
) -> None:
    token = server_token(server, duel)
    other = account("Other server")
    user_of(other).user_permissions.add(Permission.objects.get(codename="add_match"))
    match = post(LIVE, sides(alice, bob), token).json()["id"]
    theirs = server_token(other, duel)
    refused = post(f"/api/v1/matches/{match}/void/", {"reason": "Mine."}, theirs)
    assert (refused.status_code, refused.json()["code"]) == (403, "not_its_server")
    assert Match.objects.get(pk=match).status == Status.LIVE


def test_a_game_server_writes_only_in_its_arenas(
    duel: Arena, teams: Arena, server: Player, alice: Player, bob: Player
) -> None:
    mine, elsewhere = server_token(server, duel), server_token(server, teams)
    refused = post(LIVE, sides(alice, bob), elsewhere)
    assert (refused.status_code, refused.json()["code"]) == (403, "another_arena")
    match = post(LIVE, sides(alice, bob), mine).json()["id"]
    for step in ("void", "report", "events"):
        refused = post(f"/api/v1/matches/{match}/{step}/", {}, elsewhere)
        assert refused.json()["code"] == "another_arena"
    level: Any = APIClient().put(
        f"/api/v1/players/{alice.pk}/level/", headers={"Authorization": f"Bearer {mine[1]}"}
    )
    assert level.json()["code"] == "another_arena"  # levels hold in all arenas
    assert post("/api/v1/matches/1000000/void/", {}, mine).status_code == 404
    elsewhere[0].arenas.clear()
    assert post(LIVE, sides(alice, bob), elsewhere).status_code == 403


def test_a_server_token_does_nothing_else(duel: Arena, server: Player) -> None:
    token = server_token(server, duel)
    assert token[0].scopes == [Scope.READ, Scope.SERVER]
    answer = post("/api/v1/arenas/duel/reports/", {}, token)
    assert answer.json()["code"] == "insufficient_scope"


def test_a_server_token_needs_arenas_and_an_account_that_may_add_matches(
    duel: Arena, server: Player, alice: Player
) -> None:
    with pytest.raises(Refused, match="may not add matches"):
        server_token(alice, duel)
    with pytest.raises(Refused, match="Choose the arenas"):
        server_token(server)


def test_a_signed_request_is_accepted_once(
    duel: Arena, server: Player, alice: Player, bob: Player
) -> None:
    token, body = server_token(server, duel, signs=True), sides(alice, bob)
    headers = signed(token[0], LIVE, body)
    assert post(LIVE, body, token, **headers).status_code == 201
    again = post(LIVE, body, token, **headers)
    assert (again.status_code, again.json()["code"]) == (401, "replayed")
    assert Match.objects.count() == 1
    assert (
        APIClient().get(LIVE, headers={"Authorization": f"Bearer {token[1]}"}).status_code == 200
    )  # reading needs no signature


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"Laurel-Signature": "0" * 64}, "signature_wrong"),
        ({"Laurel-Nonce": "another-word-of-letters"}, "signature_wrong"),
        ({"Laurel-Nonce": "short"}, "signature_missing"),
        ({"Laurel-Nonce": "x" * 65}, "signature_missing"),
        ({"Laurel-Timestamp": "yesterday"}, "signature_missing"),
        ({"Laurel-Timestamp": "9" * 30}, "signature_missing"),
        ({"Laurel-Signature": ""}, "signature_missing"),
        ({"Laurel-Signature": "é"}, "signature_wrong"),
    ],
)
def test_a_request_with_a_wrong_signature_is_refused(
    duel: Arena, server: Player, alice: Player, bob: Player, change: dict[str, str], code: str
) -> None:
    token, body = server_token(server, duel, signs=True), sides(alice, bob)
    answer = post(LIVE, body, token, **{**signed(token[0], LIVE, body), **change})
    assert (answer.status_code, answer.json()["code"]) == (401, code)
    assert not Match.objects.exists()
    assert not UsedNonce.objects.exists()


def test_a_request_that_was_changed_on_the_way_is_refused(
    duel: Arena, server: Player, alice: Player, bob: Player
) -> None:
    token, body = server_token(server, duel, signs=True), sides(alice, bob)
    headers = signed(token[0], LIVE, body)
    assert post(LIVE, sides(bob, alice), token, **headers).status_code == 401
    assert post(f"{LIVE}?x=1", body, token, **headers).json()["code"] == "signature_wrong"


@pytest.mark.parametrize("seconds", [-400, 400])
def test_a_clock_that_differs_is_told_the_time(
    duel: Arena, server: Player, alice: Player, bob: Player, seconds: int
) -> None:
    token, body = server_token(server, duel, signs=True), sides(alice, bob)
    headers = signed(token[0], LIVE, body, at=int(time.time()) + seconds)
    answer = post(LIVE, body, token, **headers)
    assert answer.json()["code"] == "clock_skew"
    assert "here it is 20" in answer.json()["detail"]


def test_used_words_are_forgotten_once_they_are_useless(duel: Arena, server: Player) -> None:
    token, _text = server_token(server, duel, signs=True)
    now = timezone.now()
    UsedNonce.objects.create(token=token, nonce="old", used_at=now - signing.KEPT * 2)
    UsedNonce.objects.create(token=token, nonce="new", used_at=now)
    assert forget_old_requests() == 1
    assert [one.nonce for one in UsedNonce.objects.all()] == ["new"]


def test_staff_make_a_server_token_in_the_admin(
    olga: Player, duel: Arena, server: Player, alice: Player
) -> None:
    staff = browser_of(olga.user)
    page = reverse("admin:league_accesstoken_add")
    form = {"name": "Main", "user": user_of(server).pk, "arenas": [duel.pk], "signs": "on"}
    assert "may not add matches" in words(staff.post(page, {**form, "user": user_of(alice).pk}))
    assert not AccessToken.objects.exists()
    made = staff.post(page, form)
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    token = AccessToken.objects.get()
    assert token.is_bound
    assert list(token.arenas.all()) == [duel]
    shown = words(made)
    text = next(word for word in shown.split() if word.startswith("laurel_"))
    assert tokens.find_token(text) == token
    assert signing.secret_of(token) in shown
    listed = words(staff.get(reverse("admin:league_accesstoken_changelist")))
    assert "Main" in listed
    assert text not in listed
    view = words(staff.get(reverse("admin:league_accesstoken_change", args=[token.pk])))
    assert token.start in view
    assert token.digest not in view
