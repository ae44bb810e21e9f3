"""Steps on the pages."""

import html
import re
from typing import Any, cast
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Match, Player, User
from tests.support.logins import log_in


def browser_of(player: Player) -> Client:
    """Return a client with ``player`` logged in."""
    client = Client()
    log_in(client, cast("User", player.user))
    return client


def words(answer: Any) -> str:
    """Return the text of a page without markup, with single spaces."""
    body = re.sub(r"<head>.*?</head>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def result_form(opponent: str, **more: object) -> dict[str, object]:
    """Return the second step of a report, in which the first side won."""
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


def textarea(answer: Any, name: str) -> str:
    """Return what a browser would send of a text area of the page."""
    page = answer.content.decode()
    found = re.search(rf'<textarea[^>]*name="{name}"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert found
    return html.unescape(found[1]).replace("\r\n", "\n").removeprefix("\n")
