"""Programs send files of results: any format, checked and imported by a job, and undone."""

import gzip
import io
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import override_settings
from rest_framework.test import APIClient

from league.models import Arena, FileImport, Job, Match, Player, Rating, Scope, StaffAction, Status
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.work import WORK
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW
from tests.support.import_steps import RESULTS, bring
from tests.support.result_steps import user_of

ADDRESS = "/api/v1/arenas/duel/results/file/"
PGN = """[Event "Club"]
[Date "2026.01.02"]
[White "Alice"]
[Black "Nova"]
[Result "1-0"]

1. e4 1-0
"""


@pytest.fixture
def staff(olga: Player) -> APIClient:
    return by_token(olga)


def send_file(
    client: APIClient, content: str | bytes, name: str = "results.csv", **choices: str
) -> Any:
    """Send a file, and return the answer."""
    content = content.encode() if isinstance(content, str) else content
    body = {"file": SimpleUploadedFile(name, content), **choices}
    return client.post(ADDRESS, body, format="multipart")


def worked(client: APIClient, answer: Any) -> dict[str, Any]:
    """Let the worker do the jobs, and return the import as it is then."""
    assert answer.status_code == 202, answer.content
    for job in jobs.waiting():
        jobs.carry_out(job, WORK, NOW)
    shown: dict[str, Any] = client.get(f"/api/v1/imports/{answer.json()['id']}/").json()
    return shown


def ratings(arena: Arena) -> list[tuple[Any, ...]]:
    rows = Rating.objects.filter(season__arena=arena).order_by("player__name")
    return list(rows.values_list("player__name", "rating", "deviation", "volatility", "games"))


def test_a_dry_run_says_what_a_file_would_do_and_writes_nothing(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    answer = send_file(staff, RESULTS, dry_run="true")
    assert answer.json()["job"]["state"] == "waiting"
    assert len(answer.json()["examples"]) == 3
    shown = worked(staff, answer)
    assert (shown["state"], shown["job"]["state"]) == ("checked", "done")
    report = shown["report"]
    assert (report["new"], report["error_count"], report["new_players"]) == (3, 0, 3)
    assert not Match.objects.exists()


def test_a_file_gives_the_ratings_of_the_browsers_import_and_is_undone(
    duel: Arena, teams: Arena, alice: Player, olga: Player, staff: APIClient
) -> None:
    shown = worked(staff, send_file(staff, RESULTS))
    assert (shown["state"], shown["report"]["new"]) == ("imported", 3)
    assert verify(duel.seasons.get()) == []
    by_program = ratings(duel)
    undo = send(staff, f"/api/v1/imports/{shown['id']}/undo/", {"reason": "The wrong file."})
    assert worked(staff, undo)["state"] == "undone"
    assert not Match.objects.exclude(status=Status.VOID).exists()
    kinds = StaffAction.objects.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == [StaffAction.Kind.IMPORTED, StaffAction.Kind.UNIMPORTED]
    bring(duel, user_of(olga), RESULTS)
    assert ratings(duel) == by_program


def test_a_file_that_is_sent_again_changes_nothing(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    worked(staff, send_file(staff, RESULTS))
    shown = worked(staff, send_file(staff, RESULTS))
    assert (shown["state"], shown["job"]["state"]) == ("checked", "done")
    assert (shown["report"]["new"], shown["report"]["known"]) == (0, 3)
    assert Match.objects.count() == 3


def test_with_an_error_nothing_is_written_and_each_line_is_named_as_in_the_browser(
    duel: Arena, alice: Player, olga: Player, staff: APIClient
) -> None:
    text = RESULTS + "2026-01-04,Alice,Bob,x,1\nthe day after,Bob,Alice,1,0\n"
    shown = worked(staff, send_file(staff, text))
    assert (shown["state"], shown["report"]["error_count"]) == ("checked", 2)
    assert not Match.objects.exists()
    file = file_imports.upload(
        duel, "results", name="r.csv", content=text.encode(), season=None, by=user_of(olga), now=NOW
    )
    jobs.carry_out(file_imports.ask_check(file, by=user_of(olga), now=NOW).pk, WORK, NOW)
    file.refresh_from_db()
    assert file.report is not None
    listed = [[one["line"], one["detail"]] for one in shown["report"]["errors"]]
    assert listed == file.report["errors"]


def test_other_formats_columns_and_orders_of_dates_are_read(
    duel: Arena, alice: Player, staff: APIClient
) -> None:
    assert worked(staff, send_file(staff, PGN, "club.pgn", dry_run="true"))["report"]["new"] == 1
    table = "When,X,Y,P,Q\n01/02/2026,Alice,Bob,2,1\n"
    columns = "played_at=When,side_1=X,side_2=Y,score_1=P,score_2=Q"
    for order, month in (("day", "1 February"), ("month", "2 January")):
        answer = send_file(staff, table, columns=columns, date_order=order, dry_run="true")
        shown = worked(staff, answer)
        assert shown["report"]["error_count"] == 0, shown
        assert f"{month.split()[1][:3]}" in shown["examples"][0]
    answer = send_file(staff, table, columns="played_at=Where")
    assert fields_at_fault(answer) == {"columns"}
    assert fields_at_fault(send_file(staff, table, columns="nonsense")) == {"columns"}


def test_an_encoding_can_be_chosen(duel: Arena, staff: APIClient) -> None:
    content = RESULTS.replace("Bob", "Böhm").encode("mac_roman")
    shown = worked(staff, send_file(staff, content, encoding="mac-roman", dry_run="true"))
    assert "Böhm" in shown["examples"][0]
    assert fields_at_fault(send_file(staff, content, encoding="utf-8")) == {"file"}
    assert fields_at_fault(send_file(staff, content, encoding="latin")) == {"encoding"}


def bomb() -> bytes:
    """Return a spreadsheet that unpacks into 200 MB."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w") as sheet,
    ):
        for _ in range(200):
            sheet.write(bytes(2**20))
    return packed.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"\0\0\0\0", b"PK\x03\x04", gzip.compress(RESULTS.encode()), b"{", b"a,b\n", b'x"\ny'],
)
def test_bad_files_are_refused_with_a_reason(duel: Arena, staff: APIClient, content: bytes) -> None:
    answer = send_file(staff, content)
    if answer.status_code == 202:
        shown = worked(staff, answer)
        assert (shown["state"], shown["job"]["state"]) != ("imported", "done")
        assert shown["job"]["refusal"]
        assert "went wrong" not in shown["job"]["refusal"]
    else:
        assert fields_at_fault(answer) == {"file"}
    assert not Match.objects.exists()


@pytest.mark.slow
def test_a_small_file_does_not_unpack_into_much(duel: Arena, staff: APIClient) -> None:
    shown = worked(staff, send_file(staff, bomb(), "bomb.xlsx"))
    assert shown["job"]["state"] == "failed"
    assert "spreadsheet" in shown["job"]["refusal"]


def test_a_file_above_the_limit_names_it(duel: Arena, staff: APIClient) -> None:
    with override_settings(UPLOAD_MOST_BYTES=100):
        answer = send_file(staff, RESULTS * 3)
    assert fields_at_fault(answer) == {"file"}
    assert not FileImport.objects.exists()


def test_only_who_may_import_files_sends_sees_and_undoes_them(
    duel: Arena, alice: Player, olga: Player, staff: APIClient
) -> None:
    shown = worked(staff, send_file(staff, RESULTS))
    for client in (by_token(alice), by_token(olga, Scope.REPORT)):
        assert send_file(client, RESULTS).status_code == 403
        address = f"/api/v1/imports/{shown['id']}/undo/"
        assert send(client, address, {"reason": "No."}).status_code == 403
    assert by_token(alice).get(f"/api/v1/imports/{shown['id']}/").status_code == 403
    assert staff.get("/api/v1/imports/999999/").status_code == 404
    assert Job.objects.count() == 1
