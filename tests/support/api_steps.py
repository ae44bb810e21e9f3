"""Steps through the API."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from rest_framework.test import APIClient

from league.services.core.clock import database_now
from league.services.people.tokens import make_token

if TYPE_CHECKING:
    from league.models import Player, User


def by_token(player: Player) -> APIClient:
    """Return an API client with a token of ``player``."""
    _made, token = make_token(cast("User", player.user))
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def send(client: APIClient, address: str, body: object, *, mark: str = "") -> Any:
    """Post ``body`` as JSON, with the text ``mark`` as it is wherever the body says MARK."""
    text = json.dumps(body).replace('"MARK"', mark)
    return client.generic("POST", address, text, content_type="application/json")


def side_of(captain: Player, *others: Player, place: int, **more: object) -> dict[str, Any]:
    return {
        "captain": captain.pk,
        "participants": [{"player": player.pk} for player in (captain, *others)],
        "place": place,
        **more,
    }


def win(winner: Player, loser: Player, **more: object) -> dict[str, Any]:
    """Return the body of a report of a duel that just ended."""
    return {
        "sides": [side_of(winner, place=0), side_of(loser, place=1)],
        "played_at": (database_now() - timedelta(hours=1)).isoformat(),
        **more,
    }


def fields_at_fault(answer: Any) -> set[str]:
    """Check the shape of an error and return the fields it names."""
    body = answer.json()
    assert set(body) == {"code", "message", "errors"}, body
    assert body["code"]
    assert body["message"]
    for error in body["errors"]:
        assert set(error) == {"field", "code", "message"}
        assert error["message"]
    return {error["field"] for error in body["errors"]}
