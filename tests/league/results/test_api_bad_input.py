"""Invalid reports and decisions are refused by field, and nothing is written."""

from datetime import timedelta
from typing import Any

import pytest

from league.models import Arena, Match, Player
from league.services.core.clock import database_now
from league.services.results.reports.live import StartingSide, start
from tests.support.api_steps import by_token, fields_at_fault, send, side_of, win
from tests.support.cast import beats

REPORTS = "/api/v1/arenas/duel/reports/"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"played_at": "yesterday"}, "played_at"),
        ({"played_at": "2026-03-01T12:00:00"}, "played_at"),
        ({"played_at": 5}, "played_at"),
        ({"played_at": "0001-01-01T00:00:00+23:00"}, "played_at"),
        ({"played_at": "9999-12-31T23:59:59Z"}, "played_at"),
        ({"played_at": "1872-11-30T00:00:00Z"}, "played_at"),
        ({"client_token": 5}, "client_token"),
        ({"client_token": "not-a-uuid"}, "client_token"),
        ({"sides": {}}, "sides"),
        ({"sides": []}, "sides"),
        ({"sides": "x"}, "sides"),
        ({"sides": None}, "sides"),
        ({"sides": [1, 2]}, "sides.0"),
        ({"winner": "me"}, "winner"),
        ({"\u0000": 1}, "\u0000"),
        ({"\ud800": 1}, "\\ud800"),
    ],
)
def test_a_report_with_a_wrong_field_is_refused_by_its_name(
    duel: Arena, alice: Player, charlie: Player, change: dict[str, Any], field: str
) -> None:
    answer = send(by_token(alice), REPORTS, win(alice, charlie) | change)
    assert answer.status_code == 400
    assert field in fields_at_fault(answer)
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("place", "-1"),
        ("place", "10000"),
        ("place", "0.5"),
        ("place", "true"),
        ("place", '"0"'),
        ("place", "null"),
        ("place", "NaN"),
        ("score", "NaN"),
        ("score", "-Infinity"),
        ("score", "1e999"),
        ("score", "1" + "0" * 400),
        ("score", '"3"'),
        ("score", "true"),
        ("score", "[]"),
        ("captain", "0"),
        ("captain", "9223372036854775808"),
        ("captain", "987654321"),
        ("captain", '"1"'),
        ("captain", "{}"),
        ("rank", "1"),
    ],
)
def test_a_side_with_a_wrong_value_is_refused_with_its_path(
    duel: Arena, alice: Player, charlie: Player, name: str, text: str
) -> None:
    report = win(alice, charlie)
    report["sides"][1][name] = "MARK"
    answer = send(by_token(alice), REPORTS, report, mark=text)
    assert answer.status_code == 400
    assert f"sides.1.{name}" in fields_at_fault(answer)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("player", "987654321"),
        ("player", "1.5"),
        ("seconds", "-1"),
        ("seconds", "604801"),
        ("seconds", "NaN"),
        ("seconds", '"60"'),
        ("quit", "1"),
        ("quit", '"yes"'),
        ("profession", "7"),
        ("profession", '"' + "x" * 41 + '"'),
        ("profession", '"a\\u0000b"'),
        ("profession", '"\\ud800"'),
        ("name", '"Alice"'),
    ],
)
def test_a_part_with_a_wrong_value_is_refused_with_its_path(
    duel: Arena, alice: Player, charlie: Player, name: str, text: str
) -> None:
    report = win(alice, charlie)
    report["sides"][0]["participants"][0][name] = "MARK"
    answer = send(by_token(alice), REPORTS, report, mark=text)
    assert answer.status_code == 400
    assert f"sides.0.participants.0.{name}" in fields_at_fault(answer)


@pytest.mark.parametrize(
    ("code", "sides"),
    [
        ("sides", [[("Alice", 0)]]),
        ("sides", [[("Alice", 0)], [("Charlie", 1)], [("Eve", 2)]]),
        ("team_size", [[("Alice", 0), ("Eve", 0)], [("Charlie", 1)]]),
        ("place", [[("Alice", 1)], [("Charlie", 1)]]),
        ("place", [[("Alice", 0)], [("Charlie", 2)]]),
        ("twice", [[("Alice", 0)], [("Alice", 1)]]),
    ],
)
def test_a_report_that_does_not_fit_the_arena_is_refused(
    duel: Arena,
    alice: Player,
    charlie: Player,
    eve: Player,
    code: str,
    sides: list[list[tuple[str, int]]],
) -> None:
    people = {player.name: player for player in (alice, charlie, eve)}
    report = win(alice, charlie) | {
        "sides": [
            side_of(*(people[name] for name, _place in side), place=side[0][1]) for side in sides
        ]
    }
    answer = by_token(alice).post(REPORTS, report, format="json")
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert not Match.objects.exists()


def test_a_closed_arena_takes_no_report(duel: Arena, alice: Player, charlie: Player) -> None:
    Arena.objects.update(is_open=False)
    answer = by_token(alice).post(REPORTS, win(alice, charlie), format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "closed")


def test_a_report_from_the_future_is_refused_beside_its_field(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    tomorrow = (database_now() + timedelta(days=1)).isoformat()
    answer = by_token(alice).post(REPORTS, win(alice, charlie, played_at=tomorrow), format="json")
    assert answer.json()["code"] == "future"
    assert fields_at_fault(answer) == {"played_at"}


def test_a_live_match_report_only_names_players_on_their_own_side(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    live = start(duel, sides, now=database_now())
    address = f"/api/v1/matches/{live.pk}/report/"
    end = {
        "sides": [{"place": 0, "participants": [{"player": charlie.pk}]}, {"place": 1}],
    }
    answer = by_token(alice).post(address, end, format="json")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"sides.0.participants.0.player"}
    short = by_token(alice).post(address, {"sides": [{"place": 0}]}, format="json")
    assert (short.status_code, short.json()["code"]) == (400, "placings")


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        ({"reason": "Because."}, "verdict"),
        ({"verdict": "upheld"}, "reason"),
        ({"verdict": "upheld", "reason": "  "}, "reason"),
        ({"verdict": "guilty", "reason": "Because."}, "verdict"),
        ({"verdict": "amnesty", "reason": "Because."}, "verdict"),
        ({"verdict": ["upheld"], "reason": "Because."}, "verdict"),
        ({"verdict": "corrected", "reason": "Because."}, "placings"),
        ({"verdict": "upheld", "reason": "Because.", "placings": [{"place": 0}]}, "placings"),
        ({"verdict": "upheld", "reason": "Because.", "leavers": []}, "leavers"),
        ({"verdict": "upheld", "reason": "Because.", "by": 1}, "by"),
    ],
)
def test_a_decision_with_missing_or_extra_fields_is_refused(
    duel: Arena,
    alice: Player,
    charlie: Player,
    olga: Player,
    decision: dict[str, Any],
    field: str,
) -> None:
    address = f"/api/v1/matches/{beats(alice, charlie, duel).pk}/decision/"
    answer = by_token(olga).post(address, decision, format="json")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}
