"""Programs arrange matches."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Arrangement, Player, Roster
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.web_steps import browser_of


def soon() -> datetime:
    return (timezone.now() + timedelta(days=3)).replace(microsecond=0)


def answer(player: Player, one: int, body: dict[str, Any], route: str = "date-answer") -> Any:
    return send(by_token(player), reverse(f"api:{route}", args=[one]), body)


def test_a_date_from_proposal_to_report(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    address = reverse("api:dates", args=["duel"])
    at = soon()
    made = send(by_token(alice), address, {"opponent": charlie.pk, "play_at": at.isoformat()})
    assert made.status_code == 201, made.content
    number = made.json()["id"]
    assert (made.json()["state"], made.json()["asked"]) == ("proposed", charlie.pk)
    for reader, count in ((Client(), 0), (browser_of(eve), 0), (browser_of(charlie), 1)):
        assert len(reader.get(address).json()["results"]) == count
    moved = answer(
        charlie,
        number,
        {
            "answer": "another-time",
            "revision": 1,
            "play_at": (at + timedelta(hours=1)).isoformat(),
        },
    ).json()
    assert (moved["revision"], moved["asked"]) == (2, alice.pk)
    assert answer(alice, number, {"answer": "accept", "revision": 1}).status_code == 409
    assert answer(eve, number, {"answer": "accept", "revision": 2}).status_code == 404
    accepted = answer(alice, number, {"answer": "accept", "revision": 2}).json()
    assert accepted["state"] == "accepted"
    assert len(Client().get(address).json()["results"]) == 1
    body = {
        "sides": [{"place": 1, "score": 2}, {"place": 0, "score": 3}],
        "played_at": timezone.now().isoformat(),
        "client_token": str(uuid4()),
    }
    assert answer(alice, number, body, "date-report").status_code == 409
    Arrangement.objects.update(play_at=timezone.now() - timedelta(minutes=30))
    assert answer(eve, number, body, "date-report").status_code == 403
    short = answer(alice, number, body | {"sides": [{"place": 0}]}, "date-report")
    assert fields_at_fault(short) == {"sides"}
    reported = [answer(charlie, number, body, "date-report").json() for _twice in range(2)]
    assert reported[0]["id"] == reported[1]["id"]
    assert [side["captain"]["id"] for side in reported[0]["sides"]] == [alice.pk, charlie.pk]
    assert Arrangement.objects.get().match_id == reported[0]["id"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "opponent"),
        ({"opponent": 10**12}, "opponent"),
        ({"play_at": "2020-01-01T00:00:00Z"}, "play_at"),
        ({"play_at": "2026-03-01T12:00:00"}, "play_at"),
        ({"play_at": "9999-12-31T23:59:59Z"}, "play_at"),
        ({"roster": 10**12}, "roster"),
        ({"time": 1}, "time"),
    ],
)
def test_bad_proposals_name_the_field(
    duel: Arena, alice: Player, charlie: Player, body: dict[str, Any], field: str
) -> None:
    good = {"opponent": charlie.pk, "play_at": soon().isoformat()}
    sent = send(by_token(alice), reverse("api:dates", args=["duel"]), good | body if body else {})
    assert sent.status_code == 400
    assert field in fields_at_fault(sent)


def test_answers_that_do_not_fit(duel: Arena, alice: Player, charlie: Player) -> None:
    made = send(
        by_token(alice),
        reverse("api:dates", args=["duel"]),
        {"opponent": charlie.pk, "play_at": soon().isoformat()},
    ).json()
    for body, field in (
        ({"answer": "another-time", "revision": 1}, "play_at"),
        ({"answer": "accept", "revision": 1, "play_at": soon().isoformat()}, "play_at"),
        ({"answer": "accept"}, "revision"),
        ({"answer": "perhaps", "revision": 1}, "answer"),
    ):
        assert fields_at_fault(answer(charlie, made["id"], body)) == {field}
    withdrawn = answer(alice, made["id"], {}, "date-withdraw").json()
    assert withdrawn["state"] == "withdrawn"
    assert answer(charlie, made["id"], {"answer": "decline", "revision": 1}).status_code == 409


def test_rosters_by_their_ids(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> None:
    body = {
        "opponent": charlie.pk,
        "play_at": soon().isoformat(),
        "roster": owls.pk,
        "opponent_roster": foxes.pk,
    }
    address = reverse("api:dates", args=["teams"])
    wrong = send(by_token(alice), address, body | {"roster": foxes.pk})
    assert fields_at_fault(wrong) == {"roster"}
    made = send(by_token(alice), address, body).json()
    assert (made["proposer_roster"], made["opponent_roster"]) == (owls.pk, foxes.pk)
