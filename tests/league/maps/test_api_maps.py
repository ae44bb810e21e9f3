"""Programs read the map of a match and ban maps, like the pages of its captains."""

from datetime import timedelta

import pytest
from rest_framework.test import APIClient

from league.models import Arena, MapBan, MapChoice, Match, MatchMap, Player, Scope
from league.services.core.clock import database_now
from league.services.maps.draws import promise_of
from league.services.results.reports.live import StartingSide, start
from tests.support.api_steps import by_token, fields_at_fault, send

MAPS = ["Forest", "Temple", "Harbour"]


@pytest.fixture(autouse=True)
def maps(duel: Arena) -> Arena:
    duel.maps, duel.map_choice, duel.veto_turn = MAPS, MapChoice.VETO, timedelta(minutes=5)
    duel.save()
    return duel


def begins(arena: Arena, *players: Player) -> Match:
    """Start a match in which the first player's side bans first."""
    sides = [StartingSide(player, [player]) for player in players]
    match = start(arena, sides, now=database_now())
    MatchMap.objects.filter(match=match).update(first=0)
    return match


def test_captains_ban_until_one_map_is_left(duel: Arena, alice: Player, bob: Player) -> None:
    match = begins(duel, alice, bob)
    seed = MatchMap.objects.get().seed
    address = f"/api/v1/matches/{match.pk}/maps/"
    shown = APIClient().get(address).json()
    assert (shown["maps"], shown["left"], shown["chosen"]) == (MAPS, MAPS, "")
    assert (shown["turn"]["turn"], shown["turn"]["side"]) == (1, 0)
    assert (shown["promise"], shown["seed"]) == (promise_of(seed), "")
    first = send(by_token(alice, Scope.REPORT), f"{address}ban/", {"map": "Temple", "turn": 1})
    assert first.json()["left"] == ["Forest", "Harbour"]
    assert first.json()["turn"]["side"] == 1
    end = send(by_token(bob, Scope.QUEUE), f"{address}ban/", {"map": "Forest", "turn": 2}).json()
    assert (end["chosen"], end["seed"], end["turn"]) == ("Harbour", seed, None)
    assert [(one["map"], one["side"], one["drawn"]) for one in end["bans"]] == [
        ("Temple", 0, False),
        ("Forest", 1, False),
    ]
    assert APIClient().get(address).json() == end


def test_nobody_bans_out_of_turn_or_in_the_match_of_others(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    match = begins(duel, alice, bob)
    address, body = f"/api/v1/matches/{match.pk}/maps/ban/", {"map": "Temple", "turn": 1}
    assert send(by_token(charlie), address, body).status_code == 403
    assert send(by_token(bob), address, body).json()["code"] == "turn"
    assert send(by_token(alice, Scope.ACCOUNT), address, body).status_code == 403
    mine = by_token(alice)
    assert send(mine, address, {**body, "turn": 2}).json()["code"] == "too_late"
    assert fields_at_fault(send(mine, address, {"map": "Moon", "turn": 1})) == {"map"}
    assert fields_at_fault(send(mine, address, {})) == {"map", "turn"}
    assert fields_at_fault(send(mine, address, {**body, "turn": "1"})) == {"turn"}
    assert fields_at_fault(send(mine, address, {**body, "map": "x\0"})) == {"map"}
    assert mine.get(address).status_code == 405
    assert send(mine, "/api/v1/matches/999999/maps/ban/", body).status_code == 404
    assert not MapBan.objects.exists()


def test_the_seed_of_a_turn_that_passes_stays_secret(
    duel: Arena, alice: Player, bob: Player
) -> None:
    match = begins(duel, alice, bob)
    MatchMap.objects.update(began_at=database_now() - timedelta(minutes=7))
    shown = APIClient().get(f"/api/v1/matches/{match.pk}/maps/").json()
    assert [one["drawn"] for one in shown["bans"]] == [True]
    assert (shown["turn"]["turn"], shown["seed"]) == (2, "")


def test_a_drawn_map_is_shown_with_its_seed_and_other_matches_have_none(
    duel: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    duel.map_choice = MapChoice.RANDOM
    duel.save()
    match = begins(duel, alice, bob)
    shown = APIClient().get(f"/api/v1/matches/{match.pk}/maps/").json()
    assert shown["chosen"] in MAPS
    assert (shown["by_veto"], shown["turn"], len(shown["seed"])) == (False, None, 32)
    duel.map_choice = MapChoice.NONE
    duel.save()
    other = begins(duel, charlie, eve)
    assert APIClient().get(f"/api/v1/matches/{other.pk}/maps/").status_code == 404
    body = {"map": "Temple", "turn": 1}
    mine = send(by_token(alice), f"/api/v1/matches/{match.pk}/maps/ban/", body)
    assert mine.json()["code"] == "no_veto"
