"""Requests from Discord: signed, fresh, not too large, and answered once."""

import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client
from pytest_django import Settings

from league.models import Arena, DiscordInteraction, Player, Ticket
from league.services.core.clock import database_now
from league.services.discord import signing
from tests.support.discord_steps import (
    ADDRESS,
    BUTTON,
    COMMAND,
    COMPLETION,
    PING,
    asks,
    command_data,
    is_private,
    linked,
    payload,
    presses,
    said,
    sends,
    types,
)

RANK = command_data("rank", "", {})


def as_bytes(sent: Any) -> bytes:
    return json.dumps(sent).encode()


def test_a_ping_is_answered_with_a_pong() -> None:
    assert asks(PING) == {"type": 1}


def test_without_a_key_there_is_no_such_address(settings: Settings) -> None:
    settings.DISCORD_PUBLIC_KEY = ""
    assert sends(as_bytes(payload(PING))).status_code == 404


@pytest.mark.parametrize("signature", ["", "00", "zz" * 64, "00" * 64, "0" * 100_000])
def test_what_discord_has_not_signed_is_refused(signature: str) -> None:
    response = sends(as_bytes(payload(PING)), signature=signature)
    assert response.status_code == 401


def test_a_signature_of_another_key_or_of_another_body_is_refused() -> None:
    body = as_bytes(payload(PING))
    other = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert sends(body, key=other).status_code == 401
    stamp = str(int(database_now().timestamp()))
    signature = other.sign(stamp.encode() + body).hex()
    assert sends(body + b" ", timestamp=stamp, signature=signature).status_code == 401


@pytest.mark.parametrize("seconds", [-301, 301, -10_000_000])
def test_an_old_request_is_refused_although_its_signature_fits(seconds: int) -> None:
    stamp = str(int(database_now().timestamp()) + seconds)
    assert sends(as_bytes(payload(PING)), timestamp=stamp).status_code == 401


@pytest.mark.parametrize("timestamp", ["", "now", "-1", "1e9", "9" * 400, "١٢٣"])
def test_a_timestamp_that_is_none_is_refused(timestamp: str) -> None:
    body = as_bytes(payload(PING))
    response = Client().post(
        ADDRESS,
        body,
        content_type="application/json",
        headers={"X-Signature-Ed25519": "00" * 64, "X-Signature-Timestamp": timestamp},
    )
    assert response.status_code == 401


@pytest.mark.usefixtures("within_a_minute")
def test_many_wrong_signatures_of_one_address_have_to_wait(settings: Settings) -> None:
    settings.REQUESTS_A_MINUTE = {
        **settings.REQUESTS_A_MINUTE,
        "write": {"address": 2, "account": None},
    }
    body = as_bytes(payload(PING))
    found = [sends(body, signature="00" * 64).status_code for _ in range(3)]
    assert found == [401, 401, 429]
    assert sends(body).status_code == 200  # Discord itself is not held up


def test_a_request_takes_effect_once_however_often_it_is_sent(
    alice: Player, bob: Player, duel: Arena
) -> None:
    uid = linked(alice)
    body = as_bytes(payload(COMMAND, RANK, by=uid))
    assert [sends(body).status_code for _ in range(3)] == [200, 409, 409]


def test_answered_requests_are_forgotten_once_nobody_can_send_them_again() -> None:
    sends(as_bytes(payload(COMMAND, RANK)))
    now = database_now()
    assert signing.forget_old(now) == 0
    assert signing.forget_old(now + signing.KEPT + signing.LARGEST_SKEW) == 1
    assert not DiscordInteraction.objects.exists()


def test_a_huge_body_is_not_read() -> None:
    assert sends(b"[" * 70_000).status_code == 413
    assert sends(b" " * 5_000_000).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"\xff\xfe",
        b'{"type": 2}',
        b'{"type": 2, "id": "1"}',
        b'{"type": "2", "id": []}',
        b'{"type": 2, "id": "1; DROP TABLE league_player"}',
        b'{"type": 1e400, "id": "1"}',
        b'{"type": 2, "id": "1", "member": {"user": {"id": {"id": "7"}}}}',
        b'{"type": 2, "id": "1", "user": {"id": "-7"}}',
        b'{"type": 2, "id": "1", "user": {"id": "7"}, "data": {"name": "\\ud800"}}',
        b'{"type": 2, "id": "1", "user": {"id": "7"}, "data": []}',
        b'{"type": 2, "id": "1", "user": {"id": "7"}, "data": {"name": 7}}',
        b'{"type": 2, "id": "1", "user": {"id": "7"}, "data": {"options": {"name": "x"}}}',
        as_bytes(payload(COMMAND, {"name": "x", "options": [{"name": "y"}] * 1000})),
        as_bytes(payload(COMMAND, {"name": "rank", "options": [{"name": "y", "value": {}}]})),
    ],
)
def test_nonsense_is_refused_although_it_is_signed(body: bytes) -> None:
    assert sends(body).status_code == 400


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (COMMAND, {"name": "nonsense"}),
        (COMMAND, {}),
        (COMMAND, {"name": "queue"}),
        (COMMAND, command_data("queue", "burn", {})),
        (BUTTON, {"custom_id": "delete:everything"}),
        (BUTTON, {"custom_id": "accept:999999999999999999"}),
        (BUTTON, {"custom_id": "accept:9999999999999999999"}),
        (BUTTON, {"custom_id": "confirm:999999:1"}),
        (BUTTON, {}),
        (5, {}),
        (99, {}),
    ],
)
def test_what_is_unknown_is_answered_with_a_sentence(
    alice: Player, kind: int, data: dict[str, Any]
) -> None:
    found = asks(kind, data, by=linked(alice))
    assert found["type"] == 4
    assert is_private(found["data"])
    assert said(found["data"])


@pytest.mark.parametrize("name", ["nonsense", "arena", "player", "opponent", "roster", "match"])
def test_completion_refuses_nothing(name: str) -> None:
    data = command_data("rank", "", {name: "\u0000' OR 1=1 --%_"[1:]}, focused=name)
    assert asks(COMPLETION, data) == {"type": 8, "data": {"choices": []}}


def test_an_unlinked_user_is_told_where_to_link_the_account(duel: Arena) -> None:
    for name, arguments in (
        ("rank", {}),
        ("odds", {"opponent": "Bob"}),
        ("report", {"match": "1", "result": "won"}),
        ("fixtures", {}),
    ):
        message = types("7", name, **arguments)
        assert "not linked" in said(message)
        button = message["components"][0]["components"][0]
        assert button["url"].endswith("/settings/discord/")
        assert is_private(message)
    assert "not linked" in said(types("7", "queue", "join"))
    assert presses("7", "accept:1")["type"] == 4


def test_a_closed_account_and_one_without_a_player_cannot_act(alice: Player, duel: Arena) -> None:
    uid = linked(alice)
    assert alice.user
    alice.user.is_active = False
    alice.user.save()
    assert said(types(uid, "queue", "join")) == "Your account is closed."
    alice.user.is_active = True
    alice.user.save()
    alice.user = None
    alice.save()
    assert "has no player" in said(types(uid, "queue", "join"))
    assert not Ticket.objects.exists()


@pytest.mark.usefixtures("within_a_minute")
def test_a_user_who_asks_too_often_has_to_wait(
    alice: Player, bob: Player, duel: Arena, settings: Settings
) -> None:
    settings.REQUESTS_A_MINUTE = {
        **settings.REQUESTS_A_MINUTE,
        "write": {"address": 1, "account": 2},
    }
    one, other = linked(alice), linked(bob)
    found = [said(types(one, "rank")) for _ in range(3)]
    assert "Too many requests" not in found[1]
    assert "Too many requests" in found[2]
    assert "Too many requests" not in said(types(other, "rank"))
