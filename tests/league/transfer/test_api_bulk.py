"""Programs send players and results in bulk: checked, imported as a whole, and undone."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from league.models import (
    Arena,
    FileImport,
    Job,
    Match,
    Player,
    Rating,
    RatingEvent,
    Scope,
    StaffAction,
    Status,
)
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.services.transfer.files.bulk import MOST_ROWS
from league.work import WORK
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW

RESULTS = "/api/v1/arenas/duel/results/bulk/"
PLAYERS = "/api/v1/arenas/duel/players/bulk/"
ROWS: list[dict[str, Any]] = [
    {"played_at": "2026-01-02T12:00:00Z", "side_1": "Alice", "side_2": "Nova", "winner": "1"},
    {"played_at": "2026-01-03T12:00:00Z", "side_1": "Nova", "side_2": "Alice", "result": "3:1"},
    {"played_at": "2026-01-04T12:00:00Z", "side_1": "Alice", "side_2": "Vega", "score_1": 2,
     "score_2": 2.0},
]  # fmt: skip


@pytest.fixture
def staff(olga: Player) -> APIClient:
    return by_token(olga)


def test_results_are_checked_then_imported_and_rated_and_can_be_undone(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    seen = send(staff, RESULTS, {"rows": ROWS, "dry_run": True})
    assert seen.status_code == 200
    assert seen.json() == {
        "dry_run": True,
        "id": None,
        "new_players": 2,
        "error_count": 0,
        "errors": [],
        "rows": [{"row": row, "outcome": "new", "id": None, "repeats": None} for row in range(3)],
    }
    assert not Match.objects.exists()
    assert not FileImport.objects.exists()
    assert not Player.objects.filter(name="Nova").exists()

    made = send(staff, RESULTS, {"rows": ROWS, "name": "Winter"})
    assert made.status_code == 201
    report = made.json()
    matches = list(Match.objects.order_by("played_at").values_list("pk", flat=True))
    assert [row["id"] for row in report["rows"]] == matches
    assert set(Match.objects.values_list("status", flat=True)) == {Status.RATED}
    assert RatingEvent.objects.count() == 6
    assert verify(duel.seasons.get()) == []
    file = FileImport.objects.get()
    assert (file.pk, file.file_name, file.state) == (report["id"], "Winter", "imported")
    assert StaffAction.objects.get(kind=StaffAction.Kind.IMPORTED).details["matches"] == 3

    again = send(staff, RESULTS, {"rows": ROWS})
    assert again.status_code == 200
    assert (again.json()["id"], FileImport.objects.count()) == (None, 1)
    assert [row["outcome"] for row in again.json()["rows"]] == ["known"] * 3
    assert Match.objects.count() == 3

    job = file_imports.ask_undo(file, by=file.by, reason="Wrong file.", now=NOW)
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    assert not Rating.objects.filter(games__gt=0).exists()


def test_with_an_error_nothing_is_written_and_each_row_at_fault_is_named(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    rows = [
        *ROWS,
        {**ROWS[0], "played_at": "yesterday"},
        {**ROWS[0], "winner": "Vega"},
        {**ROWS[0], "side_2": "Alice"},
    ]
    refused = send(staff, RESULTS, {"rows": rows})
    assert refused.status_code == 400
    assert {"rows.3", "rows.4"} <= fields_at_fault(refused)
    assert not Match.objects.exists()
    assert not FileImport.objects.exists()
    seen = send(staff, RESULTS, {"rows": rows, "dry_run": True}).json()
    assert {error["row"] for error in seen["errors"]} >= {3, 4}
    assert seen["rows"] == []


def test_a_stored_result_is_changed_and_voided_by_its_number(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    made = send(staff, RESULTS, {"rows": ROWS}).json()["rows"]
    rows = [
        {**ROWS[0], "winner": "2", "match": made[0]["id"]},
        {**ROWS[1], "void": True, "match": made[1]["id"]},
        ROWS[2],
    ]
    report = send(staff, RESULTS, {"rows": rows}).json()
    assert [(row["outcome"], row["id"]) for row in report["rows"]] == [
        ("changed", made[0]["id"]),
        ("void", made[1]["id"]),
        ("known", None),
    ]
    assert Match.objects.get(pk=made[1]["id"]).status == Status.VOID


def test_players_are_imported_with_their_levels(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    rows = [{"name": "Nova", "level": 3}, {"name": "Alice", "level": 2}, {"name": "Vega"}]
    report = send(staff, PLAYERS, {"rows": rows}).json()
    nova = Player.objects.get(name="Nova")
    assert (nova.level, nova.user) == (3, None)
    assert [row["outcome"] for row in report["rows"]] == ["new", "changed", "new"]
    assert report["rows"][0] == {"row": 0, "outcome": "new", "id": nova.pk, "repeats": None}
    assert Player.objects.get(pk=alice.pk).level == 2


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"nme": "Nova"}, "rows.0.nme"),
        ({"name": 7}, "rows.0.name"),
        ({"name": "N\0va"}, "rows.0.name"),
        ({"name": "N\ud800va"}, "rows.0.name"),
        ({"name": None}, "rows.0.name"),
        ({"name": "x" * 1001}, "rows.0.name"),
        ({"name": "Nova", "level": -1}, "rows.0.level"),
        ({"name": "Nova", "level": 1.5}, "rows.0.level"),
        ({"name": "Nova", "level": True}, "rows.0.level"),
        ({"name": "Nova", "player": 2**70}, "rows.0.player"),
        ({}, "rows.0"),
        ("Nova", "rows.0"),
        ({"level": 3}, "rows"),
    ],
)
def test_a_row_of_another_shape_is_refused_by_name(
    duel: Arena, staff: APIClient, row: object, field: str
) -> None:
    answer = send(staff, PLAYERS, {"rows": [row]})
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


def test_more_rows_than_the_limit_are_refused(duel: Arena, staff: APIClient) -> None:
    rows = [{"name": f"Player {number}"} for number in range(MOST_ROWS + 1)]
    answer = send(staff, PLAYERS, {"rows": rows})
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"rows"}
    assert send(staff, PLAYERS, {"rows": []}).status_code == 400


def test_who_may_not_import_files_may_not_do_so_in_bulk(
    duel: Arena, alice: Player, olga: Player
) -> None:
    for client in (by_token(alice), by_token(olga, Scope.REPORT)):
        answer = send(client, RESULTS, {"rows": ROWS})
        assert answer.status_code == 403
    assert not Match.objects.exists()
