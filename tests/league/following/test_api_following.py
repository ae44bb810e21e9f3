"""Programs follow players and teams, and block players."""

from typing import Any

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from league.models import Player, Scope
from league.services.following import follows
from tests.support.api_steps import by_token, send
from tests.support.team_steps import team_of


def switch(client: APIClient, method: str, route: str, pk: int) -> int:
    answer: Any = getattr(client, method)(reverse(f"api:{route}", args=[pk]))
    return int(answer.status_code)


def names(client: APIClient, route: str) -> list[str]:
    rows = client.get(reverse(f"api:{route}")).json()["results"]
    return [(row["player"] or row["team"])["name"] for row in rows]


def test_follows_are_turned_on_and_off(alice: Player, bob: Player) -> None:
    mine, team = by_token(alice), team_of(bob)
    for _twice in range(2):
        assert switch(mine, "put", "player-follow", bob.pk) == 204
    assert switch(mine, "put", "team-follow", team.pk) == 204
    assert sorted(names(mine, "following")) == ["Bob", "Night Owls"]
    assert names(by_token(bob), "following") == []
    for _twice in range(2):
        assert switch(mine, "delete", "player-follow", bob.pk) == 204
    assert names(mine, "following") == ["Night Owls"]
    assert switch(mine, "put", "player-follow", alice.pk) == 400
    assert switch(mine, "put", "player-follow", 10**9) == 404
    assert switch(mine, "put", "team-follow", 10**9) == 404


def test_more_than_a_page_reads_can_not_be_followed(
    alice: Player, bob: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follows, "MOST_FOLLOWED", 1)
    assert switch(by_token(alice), "put", "player-follow", bob.pk) == 204
    assert switch(by_token(alice), "put", "player-follow", charlie.pk) == 429


def test_a_blocked_player_cannot_write(alice: Player, bob: Player) -> None:
    mine = by_token(alice)
    assert switch(mine, "put", "player-block", bob.pk) == 204
    assert names(mine, "blocks") == ["Bob"]
    assert names(by_token(bob), "blocks") == []
    team = team_of(bob)
    invite = reverse("api:team-invitations", args=[team.pk])
    refused = send(by_token(bob), invite, {"player": alice.pk})
    assert (refused.status_code, refused.json()["code"]) == (400, "blocked")
    assert switch(mine, "delete", "player-block", bob.pk) == 204
    assert send(by_token(bob), invite, {"player": alice.pk}).status_code == 201


def test_a_token_for_reading_follows_nobody(alice: Player, bob: Player) -> None:
    assert switch(by_token(alice, Scope.READ), "put", "player-follow", bob.pk) == 403
    assert switch(by_token(alice, Scope.READ), "put", "player-block", bob.pk) == 403
