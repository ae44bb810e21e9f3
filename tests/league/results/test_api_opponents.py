"""Programs look for opponents."""

from typing import Any

from django.test import Client
from pytest_django import Settings
from rest_framework.test import APIClient

from league.models import Arena, Player, Roster
from league.services.privacy.reading import set_privacy
from tests.support.api_steps import by_token, fields_at_fault


def found(client: APIClient, arena: str, search: str) -> Any:
    return client.get(f"/api/v1/arenas/{arena}/opponents/", {"search": search})


def test_players_or_rosters_are_suggested_by_part_of_a_name(
    duel: Arena, teams: Arena, alice: Player, charlie: Player, foxes: Roster
) -> None:
    mine = by_token(alice)
    one = {"id": charlie.pk, "name": "Charlie", "kind": "player"}
    assert found(mine, "duel", "CHA").json() == [one]
    one = {"id": foxes.pk, "name": foxes.name, "kind": "roster"}
    assert found(mine, "teams", "fox").json() == [one]
    assert found(mine, "duel", "nobody of this name").json() == []
    assert fields_at_fault(found(mine, "duel", " ")) == {"search"}
    assert found(mine, "nowhere", "cha").status_code == 404
    assert Client().get("/api/v1/arenas/duel/opponents/?search=cha").status_code == 401


def test_unlisted_players_are_not_suggested(duel: Arena, alice: Player, charlie: Player) -> None:
    set_privacy(charlie, hides_history=False, is_unlisted=True)
    assert found(by_token(alice), "duel", "cha").json() == []


def test_searches_count_among_the_costly_pages(
    duel: Arena, alice: Player, settings: Settings
) -> None:
    limit = {"address": 9, "account": 9}
    settings.REQUESTS_A_MINUTE = {"api": limit, "costly": {"address": 1, "account": 1}}
    mine = by_token(alice)
    answers = [found(mine, "duel", "cha") for _number in range(3)]
    assert answers[0].status_code == 200
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert refused.headers["RateLimit-Limit"] == "1"
    assert int(refused.headers["Retry-After"]) > 0
    assert mine.get("/api/v1/arenas/").status_code == 200
