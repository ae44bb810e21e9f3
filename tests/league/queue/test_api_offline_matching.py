"""Offline matching in the API: the same matches as the library, limits, and what is refused."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from league.models import Arena, ArenaQueue, Player, Scope, Ticket
from league.services.core import offline_limits
from matchmaking import facade
from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS
from matchmaking.ticket import Player as PlayerWaiting
from tests.support.api_steps import by_token, fields_at_fault, send

pytestmark = pytest.mark.django_db

MATCH = "/api/v1/match/"


def ticket(name: str, *ratings: float, **more: Any) -> dict[str, Any]:
    players = [{"id": f"{name}{at}", "rating": rating} for at, rating in enumerate(ratings)]
    return {"id": name, "players": players, **more}


def crowd(count: int, size: int = 1) -> list[dict[str, Any]]:
    return [
        ticket(f"t{number}-", *[1200 + 37 * number % 600] * size, waited=float(number))
        for number in range(count)
    ]


def make(player: Player, tickets: Any, **more: Any) -> Any:
    return send(by_token(player, Scope.READ), MATCH, {"tickets": tickets, **more})


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_matches_are_those_of_the_library(alice: Player, matcher: str, preset: str) -> None:
    tickets = crowd(30)
    answer = make(alice, tickets, matcher=matcher, preset=preset, team_size=2, seed=5)
    assert answer.status_code == 200, answer.content
    queue = facade.Queue()
    for one in tickets:
        players = [PlayerWaiting(**player) for player in one["players"]]
        queue.join(players, at=-one["waited"], ticket=one["id"])
    expected = facade.Matcher(matcher, rules=preset, team_size=2, seed=5).tick(queue, now=0.0)
    made = answer.json()["matches"]
    assert [match["tickets"] for match in made] == [list(match.tickets) for match in expected]
    assert [match["chance"] for match in made] == [match.chance for match in expected]
    assert [match["picks"] for match in made] == [
        [pick._asdict() for pick in match.explain()] for match in expected
    ]
    assert answer.json()["waiting"] == [one.id for one in queue]


def test_equal_players_meet_and_the_third_keeps_waiting(alice: Player) -> None:
    waiting = [ticket("a", 1500, waited=60), ticket("b", 1500, waited=60), ticket("c", 1500)]
    answer = make(alice, waiting, preset="recommended-1v1").json()
    [match] = answer["matches"]
    assert match["chance"] == 0.5
    assert match["fair"] is True
    assert len(answer["waiting"]) == 1


def test_players_of_other_modes_do_not_meet(alice: Player) -> None:
    waiting = [ticket("a", 1500, modes=["duel"]), ticket("b", 1500, modes=["race"])]
    answer = make(alice, waiting, preset="recommended-1v1").json()
    assert (answer["matches"], answer["waiting"]) == ([], ["a", "b"])
    shared = [ticket("a", 1500, modes=["duel"]), ticket("b", 1500, modes=["race", "duel"])]
    [match] = make(alice, shared, preset="recommended-1v1").json()["matches"]
    assert match["mode"] == "duel"


def test_an_arena_lends_the_rules_of_its_queue(duel: Arena, alice: Player) -> None:
    assert fields_at_fault(make(alice, crowd(4), arena=duel.slug)) == {"arena"}
    ArenaQueue.objects.create(arena=duel)
    answer = make(alice, crowd(4), arena=duel.slug)
    assert answer.status_code == 200, answer.content
    assert len(answer.json()["matches"]) * 2 + len(answer.json()["waiting"]) == 4


def test_nothing_is_stored(alice: Player) -> None:
    assert make(alice, crowd(4)).content == make(alice, crowd(4)).content
    assert not Ticket.objects.exists()


def test_visitors_may_not(alice: Player) -> None:
    assert make(alice, []).json() == {"matches": [], "waiting": []}
    assert send(APIClient(), MATCH, {"tickets": []}).status_code == 401


MANY_MODES = [f"mode {number}" for number in range(offline_limits.MODES + 1)]


@pytest.mark.parametrize(
    ("edge", "over", "field"),
    [
        (crowd(offline_limits.TICKETS), crowd(offline_limits.TICKETS + 1), "tickets"),
        (crowd(100, 2), crowd(101, 2), "tickets"),
        (
            [ticket("a", *[1500] * offline_limits.TEAM)],
            [ticket("a", *[1500] * (offline_limits.TEAM + 1))],
            "tickets.0.players",
        ),
        (
            [ticket("a", 1500, modes=MANY_MODES[1:])],
            [ticket("a", 1500, modes=MANY_MODES)],
            "tickets.0.modes",
        ),
    ],
)
def test_a_request_at_a_limit_is_answered_and_one_over_is_refused(
    alice: Player, edge: Any, over: Any, field: str
) -> None:
    assert make(alice, edge, team_size=offline_limits.TEAM).status_code == 200
    answer = make(alice, over, team_size=offline_limits.TEAM)
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("size", [1, 2, 5, 10])
def test_the_largest_request_is_answered(alice: Player, matcher: str, size: int) -> None:
    client = by_token(alice, Scope.READ)
    modes = {"modes": MANY_MODES[1:]}
    tickets = [{**one, **modes} for one in crowd(offline_limits.WAITING)]
    answer = send(client, MATCH, {"matcher": matcher, "team_size": size, "tickets": tickets})
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize(
    ("tickets", "field"),
    [
        ([ticket("a", 1500), ticket("a", 1600)], "tickets.1.id"),
        ([ticket("a", 1500), {**ticket("a", 1500), "id": "b"}], "tickets.1.players.0.id"),
        ([{"id": "a", "players": []}], "tickets.0.players"),
        ([ticket("a", math.nan)], "tickets.0.players.0.rating"),
        ([ticket("a", 1e300)], "tickets.0.players.0.rating"),
        ([ticket("a", 1500, waited=-1)], "tickets.0.waited"),
        ([ticket("a", 1500, waited=math.inf)], "tickets.0.waited"),
        ([ticket("a", 1500, modes=[""])], "tickets.0.modes.0"),
        ([ticket("a", 1500, modes=[[]])], "tickets.0.modes.0"),
        ([ticket("a", *[1500] * 6)], "tickets.0.players"),
        ([ticket("\ud800", 1500)], "tickets.0.id"),
        (["a"], "tickets.0"),
        ({}, "tickets"),
    ],
)
def test_the_error_names_the_place(alice: Player, tickets: Any, field: str) -> None:
    answer = make(alice, tickets)
    assert answer.status_code == 400
    assert field in fields_at_fault(answer)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"preset": "recomended"}, "preset"),
        ({"matcher": "best"}, "matcher"),
        ({"team_size": 0}, "team_size"),
        ({"team_size": offline_limits.TEAM + 1}, "team_size"),
        ({"seed": -1}, "seed"),
        ({"arena": "nowhere"}, "arena"),
        ({"arena": "duel", "preset": "recommended"}, "preset"),
        ({"rules": {}}, "rules"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(
    duel: Arena, alice: Player, more: dict[str, Any], field: str
) -> None:
    answer = make(alice, crowd(2), **more)
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


@pytest.mark.parametrize("matcher", MATCHERS)
def test_extreme_values_are_matched_or_refused(alice: Player, matcher: str) -> None:
    extreme = [
        {
            "id": str(number),
            "players": [
                {"id": str(number), "rating": rating, "deviation": 1e5, "games": 1e5, "rank": 1e5}
            ],
            "waited": 3e7,
        }
        for number, rating in enumerate([-1e5, 1e5, 0, 1e5])
    ]
    for preset in PRESETS:
        answer = make(alice, extreme, matcher=matcher, preset=preset, team_size=1)
        assert answer.status_code in {200, 400}, answer.content


def test_the_documented_example_runs(alice: Player) -> None:
    page = (Path(__file__).parents[3] / "docs/api.md").read_text()
    section = page.split("## Offline matching")[1].split("## ")[0]
    sent, received = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", section, re.S)
    )
    answer = send(by_token(alice, Scope.READ), MATCH, sent)
    assert answer.status_code == 200, answer.content
    assert [match["teams"] for match in answer.json()["matches"]] == received["matches"]
    assert answer.json()["waiting"] == received["waiting"]
