"""Only some fields of what a route shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import resolve
from rest_framework.test import APIClient

from league.api.core.schema import description
from league.models import Arena, Player
from tests.support.api_steps import fields_at_fault
from tests.support.standing_steps import rated

pytestmark = pytest.mark.django_db


def read(address: str) -> Any:
    answer = APIClient().get(address)
    assert answer.status_code == 200
    return answer.json()


def test_a_list_shows_only_the_fields_that_are_asked_for(duel: Arena, alice: Player) -> None:
    rated(alice, duel, 1500)
    page = read("/api/v1/arenas/duel/leaderboard/?fields=rank,player")
    assert page["results"] == [{"rank": 1, "player": {"id": alice.pk, "name": "Alice"}}]
    assert page["count"] == 1
    assert read("/api/v1/players/?fields=name")["results"] == [{"name": "Alice"}]


def test_a_single_row_does_so_too(duel: Arena) -> None:
    assert read("/api/v1/arenas/duel/?fields=slug") == {"slug": "duel"}


@pytest.mark.parametrize(
    ("wanted", "said"),
    [("slug,nam", "Did you mean name?"), ("", "Name some."), ("slug,", "Name some.")],
)
def test_a_field_that_is_none_is_refused(duel: Arena, wanted: str, said: str) -> None:
    answer = APIClient().get(f"/api/v1/arenas/?fields={wanted}")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"fields"}
    assert said in answer.json()["detail"]


def test_a_refusal_keeps_all_its_fields(duel: Arena) -> None:
    answer = APIClient().get("/api/v1/players/1000000/?fields=id")
    assert answer.status_code == 404
    assert fields_at_fault(answer) == set()


def test_the_main_resources_take_fields() -> None:
    takes = {
        path.removeprefix("/api/v1")
        for path, methods in description()["paths"].items()
        if any(one["name"] == "fields" for one in methods.get("get", {}).get("parameters", ()))
    }
    assert {"/matches/", "/matches/{id}/", "/players/", "/seasons/{id}/standings/"} <= takes
    view: Any = resolve("/api/v1/matches/").func
    assert view.cls.is_sparse
