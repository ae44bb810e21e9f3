"""Programs queue, accept and read dishonor through the API, as people do on the pages."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from league.models import Arena, ArenaQueue, Match, Offence, Player, Roster, Ticket
from league.services.core.clock import database_now
from league.services.dishonor.amnesties import Incident, grant
from league.services.dishonor.discipline import penalise
from league.services.queue.ticks import tick
from tests.support.api_steps import by_token
from tests.support.queue_steps import everyone_is_there

QUEUE = "/api/v1/arenas/teams/queue/"


def joins(player: Player, **body: object) -> Any:
    return by_token(player).post(QUEUE, body, format="json")


def answers(player: Player, check: int, *, accept: bool) -> Any:
    address = f"/api/v1/ready-checks/{check}/answer/"
    return by_token(player).post(address, {"accept": accept}, format="json")


def test_from_the_queue_to_the_match(
    queue: ArenaQueue, owls: Roster, foxes: Roster, alice: Player, bob: Player
) -> None:
    joined = joins(alice, roster=owls.pk)
    assert joined.status_code == 201, joined.json()
    ticket = joined.json()["ticket"]
    assert [player["name"] for player in ticket["members"]] == ["Alice", "Bob"]
    assert (ticket["state"], ticket["ready_check"]) == ("waiting", None)
    joins(foxes.captain, roster=foxes.pk)

    seen = APIClient().get(QUEUE).json()
    assert sum(band["players"] for band in seen["bands"]) == 4
    assert seen["ticket"] is None
    assert "Alice" not in str(seen)

    assert [member["name"] for member in ticket["absent"]] == ["Bob"]
    tick(queue.arena_id, now=database_now(), seed=1)
    assert not Ticket.objects.exclude(proposal=None).exists()  # Bob and Dora are not there
    for player in (bob, foxes.members.get(name="Dora")):
        assert by_token(player).get(QUEUE).json()["ticket"]["absent"] == []
    tick(queue.arena_id, now=database_now() + timedelta(minutes=1), seed=1)
    mine = by_token(bob).get(QUEUE).json()["ticket"]["ready_check"]
    assert (mine["ready"], mine["asked"], mine["state"]) == (0, 4, "open")
    for player in [*owls.members.all(), *foxes.members.all()]:
        answered = answers(player, mine["id"], accept=True)
        assert answered.status_code == 200
    assert answered.json()["state"] == "accepted"
    assert answered.json()["match"] == Match.objects.get().pk
    late = answers(alice, mine["id"], accept=False)
    assert (late.status_code, late.json()["code"]) == (409, "accepted")


def test_declining_is_penalised_and_the_player_can_read_it(
    queue: ArenaQueue, owls: Roster, foxes: Roster, alice: Player, eve: Player, olga: Player
) -> None:
    assert olga.user
    joins(alice, roster=owls.pk)
    joins(foxes.captain, roster=foxes.pk)
    now = database_now()
    everyone_is_there()
    tick(queue.arena_id, now=now, seed=1)
    check = by_token(alice).get(QUEUE).json()["ticket"]["ready_check"]["id"]
    assert answers(eve, check, accept=True).status_code == 403
    assert answers(eve, 0, accept=True).status_code == 404
    assert answers(alice, check, accept=False).json()["state"] == "cancelled"

    held = by_token(alice).get("/api/v1/dishonor/").json()
    assert (held["stacks"], held["in_timeout"]) == (3, True)
    assert {cost["offence"]: cost["stacks"] for cost in held["costs"]} == {
        "QueueDodge": 6,
        "Abandon": 13,
    }
    refused = joins(alice)
    assert refused.status_code == 400
    assert "Alice is in a timeout" in refused.json()["detail"]

    penalties = "/api/v1/dishonor/penalties/"
    (penalty,) = by_token(alice).get(penalties).json()["results"]
    assert (penalty["offence"], penalty["void_because"]) == ("QueueDodge", None)
    assert (penalty["ends_at"], penalty["reason"]) == (None, None)
    hour = timedelta(hours=1)
    grant(Incident(now - hour, now + hour), by=olga.user, reason="The server fell.", now=now)
    (penalty,) = by_token(alice).get(penalties).json()["results"]
    assert penalty["void_because"] == "The server fell."
    assert by_token(alice).get("/api/v1/dishonor/").json()["stacks"] == 0
    assert by_token(eve).get(penalties).json()["results"] == []


def test_leaving_twice_changes_nothing(queue: ArenaQueue, alice: Player) -> None:
    joins(alice)
    for _times in range(2):
        assert by_token(alice).delete(QUEUE).status_code == 204
    assert not Ticket.objects.open().exists()
    assert by_token(alice).get(QUEUE).json()["ticket"] is None


def test_a_ban_has_no_date(queue: ArenaQueue, alice: Player) -> None:
    penalise([alice], Offence.BANNED, queue.arena, now=database_now())
    held = by_token(alice).get("/api/v1/dishonor/").json()
    assert (held["in_timeout"], held["until"]) == (True, None)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"roster": "1"}, "roster"),
        ({"roster": 0}, "roster"),
        ({"roster": 10**12}, "roster"),
        ({"roster": True}, "roster"),
        ({"modes": "Conquest"}, "modes"),
        ({"modes": [1]}, "modes.0"),
        ({"profession": 7}, "profession"),
        ({"profession": "x" * 41}, "profession"),
        ({"party": [1]}, "party"),
    ],
)
def test_invalid_fields_are_reported_by_name(
    queue: ArenaQueue, alice: Player, body: dict[str, object], field: str
) -> None:
    answer = joins(alice, **body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field], answer.json()
    assert not Ticket.objects.exists()


def test_the_roster_must_be_ones_own_and_the_arena_must_have_a_queue(
    queue: ArenaQueue, owls: Roster, duel: Arena, bob: Player, alice: Player
) -> None:
    assert joins(bob, roster=owls.pk).json()["code"] == "no_roster"
    assert by_token(alice).get("/api/v1/arenas/duel/queue/").status_code == 404
    assert joins(alice, roster=owls.pk).status_code == 201
    busy = joins(alice)
    assert (busy.status_code, busy.json()["code"]) == (409, "busy")
