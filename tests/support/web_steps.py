"""What people do on the pages, as the tests tell it."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

if TYPE_CHECKING:
    from league.models import Arena, Match, Player, User

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def browser_of(player: Player) -> Client:
    """A browser in which ``player`` is logged in."""
    client = Client()
    client.force_login(cast("User", player.user), backend=BACKEND)
    return client


def words(answer: Any) -> str:
    """What a page says, without its markup and with single spaces."""
    body = re.sub(r"<head>.*?</head>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def result_form(opponent: str, **more: object) -> dict[str, object]:
    """The second step of a report by the first side, which won."""
    return {
        "opponent": opponent,
        "outcome": "0",
        "zone": "UTC",
        "played_at": f"{timezone.now():%Y-%m-%dT%H:%M}",
        "client_token": str(uuid4()),
        **more,
    }


def reports(player: Player, arena: Arena, form: dict[str, object]) -> Any:
    return browser_of(player).post(reverse("report", args=[arena.slug]), form)


def confirms(player: Player, match: Match) -> Any:
    return browser_of(player).post(reverse("match_confirm", args=[match.pk]))
