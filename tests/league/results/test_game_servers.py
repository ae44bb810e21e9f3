"""Game servers report the matches that they started."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from league.models import Agreement, Arena, DishonorAward, Match, Player, Rating, User
from league.services.core.errors import Forbidden
from league.services.results.playing import servers
from league.services.results.reports.live import Finish
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW, account
from tests.support.result_steps import closed_to_captains, user_of
from tests.support.web_steps import words


@pytest.fixture
def server(db: None) -> APIClient:
    """A game server, whose account has no player but may add matches."""
    user = User.objects.create(username="server")
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    return client_of(user)


def client_of(user: User) -> APIClient:
    return by_token(Player(name="", user=user))


def starts(client: APIClient, *players: Player) -> Any:
    sides = [{"captain": player.pk, "players": [player.pk]} for player in players]
    return client.post("/api/v1/arenas/duel/live-matches/", {"sides": sides}, format="json")


def finishes(client: APIClient, match: int, *, quitter: Player | None = None) -> Any:
    parts = [{"player": quitter.pk, "quit": True}] if quitter else []
    body = {"sides": [{"place": 0}, {"place": 1, "participants": parts}]}
    return client.post(f"/api/v1/matches/{match}/report/", body, format="json")


def test_a_game_server_finishes_the_match_that_it_started(
    duel: Arena, server: APIClient, alice: Player, charlie: Player
) -> None:
    closed_to_captains(duel)
    started = starts(server, alice, charlie)
    assert started.status_code == 201
    assert [side["agreed_by"] for side in started.json()["sides"]] == ["server", "server"]
    answer = finishes(server, started.json()["id"], quitter=charlie)
    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["settlement"]) == ("rated", "server")
    assert DishonorAward.objects.get().player == charlie
    assert finishes(server, started.json()["id"]).status_code == 409
    page = words(Client().get(reverse("match", args=[started.json()["id"]])))
    assert "Reported by the game server that started it" in page
    assert "The game server reported the result" in page


def test_a_game_server_says_how_much_a_match_counts(
    duel: Arena, server: APIClient, alice: Player, charlie: Player
) -> None:
    sides = [{"captain": player.pk, "players": [player.pk]} for player in (alice, charlie)]
    path = "/api/v1/arenas/duel/live-matches/"
    refused = server.post(path, {"sides": sides, "weight": 0}, format="json")
    assert refused.status_code == 400
    assert fields_at_fault(refused) == {"weight"}
    started = server.post(path, {"sides": sides, "weight": 3}, format="json").json()
    assert finishes(server, started["id"]).json()["weight"] == 3


def test_another_server_cannot_finish_it(
    duel: Arena, server: APIClient, alice: Player, charlie: Player
) -> None:
    started = starts(server, alice, charlie).json()["id"]
    other = User.objects.create(username="other")
    other.user_permissions.add(Permission.objects.get(codename="add_match"))
    answer = finishes(client_of(other), started)
    assert (answer.status_code, answer.json()["code"]) == (403, "no_player")
    with pytest.raises(Forbidden, match="not the game server"):
        servers.finish(started, [Finish(0), Finish(1)], by=other, now=NOW)


def test_a_server_that_lost_its_permission_cannot_finish(
    duel: Arena, server: APIClient, alice: Player, charlie: Player
) -> None:
    started = starts(server, alice, charlie).json()["id"]
    User.objects.get(username="server").user_permissions.clear()
    answer = finishes(server, started)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_a_game_server")


def test_a_player_with_the_permission_is_no_server_in_their_own_match(
    duel: Arena, charlie: Player
) -> None:
    cheat = account("Cheat")
    user_of(cheat).user_permissions.add(Permission.objects.get(codename="add_match"))
    client = by_token(cheat)
    started = starts(client, cheat, charlie).json()
    assert [side["agreed_by"] for side in started["sides"]] == ["", ""]
    answer = finishes(client, started["id"], quitter=charlie)
    assert (answer.status_code, answer.json()["status"]) == (200, "reported")
    assert not Rating.objects.exists()


def test_a_captain_may_report_a_match_that_a_server_started_if_it_does_not(
    duel: Arena, server: APIClient, alice: Player, charlie: Player
) -> None:
    started = starts(server, alice, charlie).json()["id"]
    answer = finishes(by_token(alice), started)
    assert (answer.status_code, answer.json()["status"]) == (200, "reported")
    assert Match.objects.get().sides.filter(agreed_by=Agreement.SERVER).count() == 2
