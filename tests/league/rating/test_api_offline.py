"""Offline rating in the API: the same bits as the library, and limits."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from league.models import Arena, Match, Player, RatingEvent, Scope
from league.services.core import offline_limits
from ratings.facade import Ratings
from ratings.registry import SYSTEMS
from tests.support.api_steps import a_token, by_token, fields_at_fault, send
from tests.support.effort import examples
from tests.support.offline_steps import EVENING, RATE, rate
from tests.support.system_properties import properties_of

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.django_db


def by_the_library(ratings: Ratings, matches: Sequence[Any] = EVENING) -> Ratings:
    for match in matches:
        ratings.rate(**match)
    return ratings


def shown(ratings: Ratings) -> list[dict[str, Any]]:
    return [
        {
            "player": name,
            "rating": ratings[name].rating,
            "deviation": ratings[name].deviation,
            "volatility": ratings[name].volatility,
            "games": ratings[name].games,
        }
        for name in ratings
    ]


@pytest.mark.parametrize("system", SYSTEMS)
def test_ratings_and_saved_state_are_those_of_the_library(
    alice: Player, system: str, tmp_path: Path
) -> None:
    answer = rate(alice, system=system)
    assert answer.status_code == 200, answer.content
    ratings = by_the_library(Ratings(system))
    assert answer.json()["ratings"] == shown(ratings)
    ratings.save(tmp_path / "saved.json")
    assert answer.json()["saved"] == json.loads((tmp_path / "saved.json").read_text())


@pytest.mark.parametrize("system", SYSTEMS)
def test_going_on_gives_the_same_bits_as_one_request(alice: Player, system: str) -> None:
    timed = [
        {**match, "at": f"2026-03-0{day}T12:00:00Z"} for day, match in enumerate(EVENING, start=1)
    ]
    first = rate(alice, timed[:2], system=system).json()
    second = rate(alice, timed[2:], ratings=first["saved"])
    assert second.status_code == 200, second.content
    whole = rate(alice, timed, system=system).json()
    assert second.json()["ratings"] == whole["ratings"]
    assert second.json()["saved"] == whole["saved"]


def test_elo_by_hand(alice: Player) -> None:
    parameters = {"T": 400 / math.log(10), "max_gain": 20, "mean": 1500}
    answer = rate(alice, [{"sides": [["Ann"], ["Bob"]]}], system="elo", parameters=parameters)
    assert answer.status_code == 200, answer.content
    by_name = {one["player"]: one for one in answer.json()["ratings"]}
    assert by_name["Ann"]["rating"] == 1500 + 20 * (1 - 0.5)
    assert by_name["Bob"]["rating"] == 1500 + 20 * (0 - 0.5)
    [won, lost] = answer.json()["changes"]
    assert (won["match"], won["player"], won["place"], won["change"]) == (0, "Ann", 0, 10)
    assert (lost["rating_before"], lost["rating_after"], lost["change"]) == (1500, 1490, -10)
    again = rate(alice, [{"sides": [["Bob"], ["Ann"]]}], ratings=answer.json()["saved"]).json()
    expected = 1 / (1 + 10 ** ((1510 - 1490) / 400))
    assert again["changes"][0]["change"] == pytest.approx(20 * (1 - expected), abs=1e-9)


def test_the_last_changes_are_shown(alice: Player) -> None:
    answer = rate(alice, changes=3).json()
    assert [one["match"] for one in answer["changes"]] == [2, 3, 3]
    assert rate(alice, changes=0).json()["changes"] == []


def test_an_arena_lends_its_rules_of_today(duel: Arena, alice: Player) -> None:
    answer = rate(alice, EVENING[:2], arena=duel.slug)
    assert answer.status_code == 200, answer.content
    system = duel.system()
    expected = by_the_library(Ratings(system.name, **system.parameters.written()), EVENING[:2])
    assert answer.json()["ratings"] == shown(expected)
    assert rate(alice, EVENING[2:], arena=duel.slug, ratings=answer.json()["saved"])


def test_nothing_is_stored(duel: Arena, alice: Player) -> None:
    before = (Player.objects.count(), Match.objects.count(), RatingEvent.objects.count())
    _made, text = a_token(alice.user, Scope.READ)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}", HTTP_IDEMPOTENCY_KEY="one")
    for matches in (EVENING, EVENING[:1]):
        answer = send(client, RATE, {"arena": duel.slug, "matches": matches})
        assert answer.status_code == 200
        assert "Idempotency-Replayed" not in answer.headers
    assert before == (Player.objects.count(), Match.objects.count(), RatingEvent.objects.count())


def test_any_account_may_and_visitors_may_not(alice: Player) -> None:
    assert rate(alice).status_code == 200
    assert send(APIClient(), RATE, {"system": "elo", "matches": EVENING}).status_code == 401
    made, text = a_token(alice.user, Scope.SERVER)
    made.is_bound = True
    made.save()
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    assert send(client, RATE, {"system": "elo", "matches": EVENING}).status_code == 200


FREE_FOR_ALL: list[list[str]] = [[f"p{number}"] for number in range(offline_limits.SEATS_OF_MATCH)]


def rounds(count: int, players: int = 2) -> list[Any]:
    return [{"sides": [[f"p{number}"] for number in range(players)]} for _ in range(count)]


def pairs(count: int) -> list[Any]:
    """Return matches of ``count`` players, fifty in each and each in one."""
    names = [f"p{number}" for number in range(count)]
    return [{"sides": [[name] for name in names[at : at + 50]]} for at in range(0, count, 50)]


@pytest.mark.parametrize(
    ("edge", "over", "field"),
    [
        (rounds(offline_limits.MATCHES), rounds(offline_limits.MATCHES + 1), "matches"),
        (rounds(50, 100), rounds(51, 100), "matches"),
        (
            [{"sides": FREE_FOR_ALL}],
            [{"sides": [*FREE_FOR_ALL[:-2], ["a", "b", "c"]]}],
            "matches.0.sides",
        ),
        ([{"sides": FREE_FOR_ALL}], [{"sides": [*FREE_FOR_ALL, ["a"]]}], "matches.0.sides"),
        (
            pairs(offline_limits.PLAYERS),
            [*pairs(offline_limits.PLAYERS), {"sides": [["p0"], ["one more"]]}],
            "matches",
        ),
        (
            [{"sides": [["a" * offline_limits.LONGEST_NAME], ["b"]]}],
            [{"sides": [["a"], ["b" * (offline_limits.LONGEST_NAME + 1)]]}],
            "matches.0.sides.1.0",
        ),
    ],
)
def test_a_request_at_a_limit_is_rated_and_one_over_is_refused(
    alice: Player, edge: Any, over: Any, field: str
) -> None:
    assert rate(alice, edge).status_code == 200
    answer = rate(alice, over)
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


def test_the_most_changes_are_shown_and_one_more_is_refused(alice: Player) -> None:
    most = offline_limits.CHANGES
    assert len(rate(alice, rounds(200, 5), changes=most).json()["changes"]) == most
    assert fields_at_fault(rate(alice, changes=most + 1)) == {"changes"}


@pytest.mark.parametrize(
    ("system", "players"),
    [
        (system, players)
        for system in SYSTEMS
        for players in (2, 10)
        if properties_of(system).rates((1,) * players)
    ],
)
def test_the_longest_history_is_rated(alice: Player, system: str, players: int) -> None:
    body = {"system": system, "matches": rounds(offline_limits.MATCHES, players), "changes": 1_000}
    answer = send(by_token(alice, Scope.READ), RATE, body)
    assert answer.status_code == 200, answer.content
    assert len(answer.json()["changes"]) == min(players * offline_limits.MATCHES, 1_000)


def with_memory(client: APIClient, width: int, rows: int) -> Any:
    """Return what 1,000 players saved, some of whom have a long history."""
    body = {"system": "elo-mmr", "matches": pairs(1_000)}
    saved = send(client, RATE, body).json()["saved"]
    kept = (saved["memory"][0] * width)[:width]
    saved["memory"][:rows] = [kept] * rows
    return {**saved, "memory_width": width}


def test_the_largest_memory_is_rated_on_and_a_larger_one_refused(alice: Player) -> None:
    client = by_token(alice, Scope.READ)
    width = offline_limits.MEMORY
    saved = with_memory(client, width, 70)  # the others have five numbers each
    body = {"ratings": saved, "matches": rounds(offline_limits.MATCHES, 10), "changes": 1_000}
    assert send(client, RATE, body).status_code == 200
    more = {**body, "ratings": with_memory(client, width, 100)}
    assert fields_at_fault(send(client, RATE, more)) == {"ratings.memory"}
    wider = {**body, "ratings": {**saved, "memory_width": width + 1}}
    assert fields_at_fault(send(client, RATE, wider)) == {"ratings.memory_width"}


@pytest.fixture
def alices(alice: Player, monkeypatch: pytest.MonkeyPatch) -> APIClient:
    """A client that may send any number of requests."""
    allowed = {
        scope: dict.fromkeys(kinds, 10**6)
        for scope, kinds in django_settings.REQUESTS_A_MINUTE.items()
    }
    monkeypatch.setattr(django_settings, "REQUESTS_A_MINUTE", allowed)
    return by_token(alice, Scope.READ)


numbers = st.one_of(
    st.none(), st.floats(-1e9, 1e9), st.sampled_from([0, 1e9, -1e9, 1e-9, "inf", "-inf"])
)


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
)
@given(
    system=st.sampled_from(list(SYSTEMS)),
    rating=st.floats(-1e9, 1e9),
    deviation=st.floats(0, 1e9),
    volatility=st.floats(0, 1e9),
    memory=st.lists(numbers, max_size=12),
    games=st.integers(0, 2**53),
)
def test_any_state_is_rated_or_refused(
    alices: APIClient,
    system: str,
    rating: float,
    deviation: float,
    volatility: float,
    memory: list[Any],
    games: int,
) -> None:
    saved = send(alices, RATE, {"system": system, "matches": EVENING[:1]}).json()["saved"]
    saved["rating"][0] = rating
    saved["games"][0] = games
    saved["memory"][0], saved["memory_width"] = memory, 12
    for name, value in (("deviation", deviation), ("volatility", volatility)):
        if saved[name][0] is not None:
            saved[name][0] = value
    answer = send(alices, RATE, {"ratings": saved, "matches": EVENING})
    assert answer.status_code in {200, 400}, answer.content


def test_the_documented_example_runs(alice: Player) -> None:
    page = (Path(__file__).parents[3] / "docs/api.md").read_text()
    section = page.split("## Offline rating")[1].split("## ")[0]
    sent, received = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", section, re.S)
    )
    answer = send(by_token(alice, Scope.READ), RATE, sent)
    assert answer.status_code == 200, answer.content
    assert answer.json()["ratings"] == received["ratings"]


def test_the_documented_limits_are_those_in_force() -> None:
    page = (Path(__file__).parents[3] / "docs/api.md").read_text()
    for name in (
        "MATCHES",
        "SEATS",
        "SEATS_OF_MATCH",
        "PLAYERS",
        "CHANGES",
        "MEMORY",
        "MEMORY_OF_ALL",
    ):
        assert f"{getattr(offline_limits, name):,}" in page, name
