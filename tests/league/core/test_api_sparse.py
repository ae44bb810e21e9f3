"""Less or more of what a route shows: ``fields`` and ``expand``."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from league.api.standings.serializers import StandingSerializer
from league.models import Arena, Player
from tests.support.cast import beats
from tests.support.standing_steps import rated


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
