"""What offline rating in the API refuses, and which place its errors name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from league.models import Scope
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.offline_steps import EVENING, RATE, rate

if TYPE_CHECKING:
    from league.models import Arena, Player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("match", "field"),
    [
        ({"sides": [["Ann"], ["Ann"]]}, "matches.1.sides.1.0"),
        ({"sides": [["Ann", "Ann"], ["Bob"]]}, "matches.1.sides.0.1"),
        ({"sides": [["Ann"], [7]]}, "matches.1.sides.1.0"),
        ({"sides": [["Ann"], [["Bob"]]]}, "matches.1.sides.1.0"),
        ({"sides": [["Ann"], [""]]}, "matches.1.sides.1.0"),
        ({"sides": [["Ann"], ["\0"]]}, "matches.1.sides.1.0"),
        ({"sides": [["Ann"], ["\ud800"]]}, "matches.1.sides.1.0"),
        ({"sides": [["Ann"], []]}, "matches.1.sides.1"),
        ({"sides": [["Ann"]]}, "matches.1.sides"),
        ({"sides": "Ann"}, "matches.1.sides"),
        ({}, "matches.1.sides"),
        ("Ann", "matches.1"),
        ({"sides": [["Ann"], ["Bob"]], "ranks": [0]}, "matches.1.ranks"),
        ({"sides": [["Ann"], ["Bob"]], "ranks": [0, math.nan]}, "matches.1.ranks.1"),
        ({"sides": [["Ann"], ["Bob"]], "ranks": [0, 1e300]}, "matches.1.ranks.1"),
        ({"sides": [["Ann"], ["Bob"]], "scores": [math.inf, 1]}, "matches.1.scores.0"),
        ({"sides": [["Ann"], ["Bob"]], "weight": 0}, "matches.1.weight"),
        ({"sides": [["Ann"], ["Bob"]], "weight": 10**400}, "matches.1.weight"),
        ({"sides": [["Ann"], ["Bob"]], "first": 2}, "matches.1.first"),
        ({"sides": [["Ann"], ["Bob"], ["Cem"]], "first": 1}, "matches.1.first"),
        ({"sides": [["Ann"], ["Bob"]], "at": "2026-03-01T12:00:00Z"}, "matches.1.at"),
        ({"sides": [["Ann"], ["Bob"]], "at": "today"}, "matches.1.at"),
        ({"sides": [["Ann"], ["Bob"]], "rank": [0, 1]}, "matches.1.rank"),
    ],
)
def test_the_error_names_the_place_in_the_match(alice: Player, match: Any, field: str) -> None:
    answer = rate(alice, [EVENING[0], match])
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


@pytest.mark.parametrize(
    ("times", "field"),
    [
        (["2026-03-02T12:00:00Z", "2026-03-01T12:00:00Z"], "matches.1.at"),
        (["1970-01-01T00:00:00Z"], "matches.0.at"),
    ],
)
def test_times_must_be_in_order(alice: Player, times: list[str], field: str) -> None:
    answer = rate(alice, [{**EVENING[0], "at": at} for at in times])
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


def test_what_a_system_does_not_rate_is_named(alice: Player) -> None:
    three = {"sides": [["Ann"], ["Bob"], ["Cem"]]}
    answer = rate(alice, [EVENING[0], three], system="wager")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"matches.1.sides"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"system": "glicko-3"}, "system"),
        ({"system": "elo", "parameters": {"kk": 3}}, "parameters.kk"),
        ({"system": "elo", "parameters": {"max_gain": math.nan}}, "parameters.max_gain"),
        ({"system": "elo", "parameters": {"max_gain": {"a": [1]}}}, "parameters.max_gain"),
        ({"system": "elo", "parameters": {"max_gain": 10**400}}, "parameters.max_gain"),
        ({"system": "elo", "parameters": 3}, "parameters"),
        ({"system": "elo", "arena": "duel"}, "arena"),
        ({"arena": "nowhere"}, "arena"),
        ({"arena": "duel", "parameters": {}}, "parameters"),
        ({}, "system"),
        ({"system": 3}, "system"),
        ({"system": "elo", "matches": {}}, "matches"),
        ({"system": "elo", "changes": -1}, "changes"),
        ({"system": "elo", "sistem": 1}, "sistem"),
        ({"ratings": []}, "ratings"),
    ],
)
def test_a_body_that_cannot_be_used_is_refused(
    duel: Arena, alice: Player, body: dict[str, Any], field: str
) -> None:
    answer = send(by_token(alice, Scope.READ), RATE, {"matches": EVENING[:1], **body})
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


def test_an_unknown_system_comes_with_a_suggestion(alice: Player) -> None:
    assert "glicko-2" in rate(alice, system="glicko-3").json()["detail"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"format": "other"}, "ratings.format"),
        ({"version": 2}, "ratings.version"),
        ({"system": "eloo"}, "ratings.system"),
        ({"parameters": {"kk": 1}}, "ratings.parameters.kk"),
        ({"players": ["Ann", "Ann", "Cem", "Dia"]}, "ratings.players.1"),
        ({"rating": [1500]}, "ratings.rating"),
        ({"rating": [1500, 1500, math.nan, 1500]}, "ratings.rating.2"),
        ({"rating": [1500, 1500, 1e300, 1500]}, "ratings.rating.2"),
        ({"deviation": [1, 2, 3, 4]}, "ratings.deviation.0"),
        ({"games": [1, -1, 1, 1]}, "ratings.games.1"),
        ({"last_played": [None, 5, None, None]}, "ratings.latest"),
        ({"latest": 10**30}, "ratings.latest"),
        ({"memory_width": 10**12}, "ratings.memory_width"),
        ({"memory": [[1], [], [], []]}, "ratings.memory.0.0"),
        ({"memory": [["x"], [], [], []]}, "ratings.memory.0.0"),
    ],
)
def test_ratings_that_were_not_saved_like_this_are_refused(
    alice: Player, change: dict[str, Any], field: str
) -> None:
    saved = rate(alice).json()["saved"]
    answer = rate(alice, ratings={**saved, **change})
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


def test_saved_ratings_go_on_under_their_own_rules_only(alice: Player) -> None:
    saved = rate(alice).json()["saved"]
    assert rate(alice, ratings=saved, system="elo").status_code == 200
    other = rate(alice, ratings=saved, system="glicko-2")
    assert fields_at_fault(other) == {"ratings.system"}
    answer = rate(alice, ratings=saved, system="elo", parameters={"max_gain": 7})
    assert fields_at_fault(answer) == {"ratings.parameters"}
