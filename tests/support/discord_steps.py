"""Requests as Discord signs and sends them, and linked accounts."""

import itertools
import json
from typing import Any

from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.test import Client

from league.models import Player
from league.services.core.clock import database_now

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""Its public half is in the settings of the tests."""
ADDRESS = "/discord/interactions/"
PING, COMMAND, BUTTON, COMPLETION = 1, 2, 3, 4
STRING, SUBCOMMAND = 3, 1
_numbers = itertools.count(1_200_000_000_000_000_000)


def linked(player: Player) -> str:
    """Link a player's account with Discord, and return the id of the user there."""
    uid = str(next(_numbers))
    assert player.user
    SocialAccount.objects.create(user=player.user, provider="discord", uid=uid)
    return uid


def payload(kind: int, data: dict[str, Any] | None = None, *, by: str = "7") -> dict[str, Any]:
    """Return a request as Discord documents it, from a member of a server."""
    return {
        "id": str(next(_numbers)),
        "application_id": "1100000000000000000",
        "type": kind,
        "token": "a token",
        "version": 1,
        "locale": "en-US",
        "channel_id": "1100000000000000001",
        "guild_id": "1100000000000000002",
        "member": {
            "user": {"id": by, "username": "someone", "global_name": "Someone"},
            "roles": [],
            "permissions": "2147483647",
        },
        **({"data": data} if data is not None else {}),
    }


def sends(
    body: bytes,
    *,
    timestamp: str | None = None,
    signature: str | None = None,
    key: Ed25519PrivateKey = KEY,
) -> Any:
    """Post a body to the address of interactions, signed."""
    stamp = str(int(database_now().timestamp())) if timestamp is None else timestamp
    signed = key.sign(stamp.encode() + body).hex() if signature is None else signature
    return Client().post(
        ADDRESS,
        body,
        content_type="application/json",
        headers={"X-Signature-Ed25519": signed, "X-Signature-Timestamp": stamp},
    )


def asks(kind: int, data: dict[str, Any] | None = None, *, by: str = "7") -> dict[str, Any]:
    """Send a request and return the answer."""
    response = sends(json.dumps(payload(kind, data, by=by)).encode())
    assert response.status_code == 200, response.content
    found: dict[str, Any] = json.loads(response.content)
    return found


def types(uid: str, command: str, subcommand: str = "", **arguments: str) -> dict[str, Any]:
    """Send a slash command and return the message that answers it."""
    return asks(COMMAND, command_data(command, subcommand, arguments), by=uid)["data"]  # type: ignore[no-any-return]


def command_data(
    command: str, subcommand: str, arguments: dict[str, str], focused: str = ""
) -> dict[str, Any]:
    options: list[dict[str, Any]] = [
        {
            "name": name,
            "type": STRING,
            "value": value,
            **({"focused": True} if name == focused else {}),
        }
        for name, value in arguments.items()
    ]
    if subcommand:
        options = [{"name": subcommand, "type": SUBCOMMAND, "options": options}]
    return {"id": "9", "name": command, "type": 1, "options": options}


def completes(
    uid: str, command: str, focused: str, subcommand: str = "", **arguments: str
) -> list[dict[str, str]]:
    """Type a part of an argument and return the choices."""
    data = command_data(command, subcommand, arguments, focused)
    found: list[dict[str, str]] = asks(COMPLETION, data, by=uid)["data"]["choices"]
    return found


def presses(uid: str, button: dict[str, Any] | str) -> dict[str, Any]:
    """Press a button of a message and return the answer."""
    does = button if isinstance(button, str) else button["custom_id"]
    return asks(BUTTON, {"custom_id": does, "component_type": 2}, by=uid)


def said(message: dict[str, Any]) -> str:
    """Return the text of a message as Discord shows it: without backslashes of Markdown."""
    shown = [message.get("content", "")]
    for one in message.get("embeds", []):
        shown += [one.get("title", ""), one.get("description", "")]
    return "\n".join(text for text in shown if text).replace("\\", "").replace("\u200b", "")


def buttons_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for row in message.get("components", []) for one in row["components"]]


def is_private(message: dict[str, Any]) -> bool:
    return bool(message.get("flags", 0) & 64)
