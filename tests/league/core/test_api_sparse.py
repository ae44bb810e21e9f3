"""Less or more of what a route shows: ``fields`` and ``expand``."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from league.api.standings.serializers import StandingSerializer
from league.models import Arena, Player
from tests.support.api_steps import fields_at_fault
from tests.support.cast import beats
from tests.support.standing_steps import rated

pytestmark = pytest.mark.django_db


def read(address: str) -> Any:
    answer = APIClient().get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_what_is_not_asked_for_costs_nothing(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats(alice, charlie, duel)
    read("/api/v1/matches/")
    with CaptureQueriesContext(connection) as whole:
        read("/api/v1/matches/")
    with CaptureQueriesContext(connection) as part:
        assert read("/api/v1/matches/?fields=status")["results"] == [{"status": "reported"}]
    assert len(part) == len(whole) - 2  # the sides and their players

    rated(alice, duel, 1500)
    monkeypatch.setattr(StandingSerializer, "get_shown", None)
    page = read("/api/v1/arenas/duel/leaderboard/?fields=rank,player")
    assert page["results"] == [{"rank": 1, "player": {"id": alice.pk, "name": "Alice"}}]
    assert page["count"] == 1


def test_both_go_together(duel: Arena, alice: Player, charlie: Player) -> None:
    beats(alice, charlie, duel)
    (row,) = read("/api/v1/matches/?fields=arena,status&expand=arena,season")["results"]
    assert row.keys() == {"arena", "status"}
    assert row["arena"]["name"] == "Duel"


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
