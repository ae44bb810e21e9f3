"""What each outcome of a match would change, in the API."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from league.models import Arena, Match, Player
from tests.support.api_steps import by_token, fields_at_fault, send, win


def ask(sides: str, arena: str = "duel") -> Any:
    return APIClient().get(f"/api/v1/arenas/{arena}/what-if/", {"sides": sides})


def test_the_outcome_that_comes_true_changes_what_was_said(
    duel: Arena, alice: Player, eve: Player
) -> None:
    answer = ask(f"{alice.pk};{eve.pk}")
    assert answer.status_code == 200
    assert sum(answer.json()["chances"]) == pytest.approx(1)
    won = answer.json()["outcomes"][0]
    assert (won["place"], won["drawn"]) == (1, False)
    said = {one["player"]: one["change"] for one in won["changes"]}
    match = send(by_token(alice), "/api/v1/arenas/duel/reports/", win(alice, eve)).json()["id"]
    assert send(by_token(eve), f"/api/v1/matches/{match}/confirm/", {}).status_code == 200
    events = Match.objects.get(pk=match).events.all()
    changed = {event.player_id: event.rating_after - event.rating_before for event in events}
    assert changed == pytest.approx(said, abs=0.5)


@pytest.mark.parametrize(
    "sides",
    ["", "alice", "1;;2", "1,", ";", "1;2;x", "0;1", "9" * 19 + ";1", "1;1", "1,2;3", "1", "1;2;3"],
)
def test_sides_that_cannot_play_are_refused(
    duel: Arena, alice: Player, eve: Player, charlie: Player, sides: str
) -> None:
    people = {"1": alice, "2": eve, "3": charlie}
    written = "".join(str(people[one].pk) if one in people else one for one in sides)
    answer = ask(written)
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"sides"}


def test_an_unknown_player_is_named(duel: Arena, alice: Player) -> None:
    assert "There is no player 1000000." in ask(f"{alice.pk};1000000").json()["detail"]


def test_without_sides_the_parameter_is_named(duel: Arena) -> None:
    assert fields_at_fault(APIClient().get("/api/v1/arenas/duel/what-if/")) == {"sides"}


def test_without_a_running_season_nothing_is_rated(duel: Arena, alice: Player, eve: Player) -> None:
    duel.seasons.all().delete()
    assert ask(f"{alice.pk};{eve.pk}").status_code == 404
