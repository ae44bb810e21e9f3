"""Steps through the API."""

import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any

from rest_framework.test import APIClient

from league.models import AccessToken, Player, Scope, User
from league.problems import MEDIA_TYPE
from league.services.core.clock import database_now
from league.services.people.tokens import make_token


def a_token(user: User | None, *scopes: str, name: str = "Tests") -> tuple[AccessToken, str]:
    """Return a token of an account and its text. It allows everything, or just these scopes."""
    assert user is not None
    return make_token(user, name, scopes or Scope.values, now=database_now())


def by_token(player: Player, *scopes: str) -> APIClient:
    """Return an API client with a token of ``player``, which allows everything or these scopes."""
    _made, token = a_token(player.user, *scopes)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
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
    assert answer.headers["Content-Type"] == MEDIA_TYPE
    members = {"type", "title", "status", "detail", "instance", "code", "errors"}
    assert set(body) == members, body
    assert body["type"] == "about:blank"
    assert body["status"] == answer.status_code
    assert body["title"] == HTTPStatus(answer.status_code).phrase
    assert body["instance"].startswith("/api/")
    assert body["code"]
    assert body["detail"]
    for error in body["errors"]:
        assert set(error) == {"field", "code", "detail"}
        assert error["detail"]
    return {error["field"] for error in body["errors"]}
