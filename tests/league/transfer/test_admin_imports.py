"""Olga imports a file on the pages of the admin, and undoes it."""

from io import BytesIO

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from league.models import Arena, FileImport, Job, Match, Player, StaffAction
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.work import WORK
from tests.support.admin_steps import staff
from tests.support.cast import NOW
from tests.support.web_steps import words

__all__ = ["staff"]

RESULTS = "Datum;Weiß;Black;Ergebnis\n02.01.2026 19:30;Alicia;Bob;1-0\n03.01.2026;Bob;Jörg;½-½\n"
COLUMNS = {"played_at": "0", "side_1": "1", "side_2": "2", "result": "3"}


def upload(
    staff: Client,
    arena: Arena,
    content: bytes,
    name: str = "results.csv",
    what: str = "results",
) -> FileImport:
    answer = staff.post(
        reverse("admin:league_arena_import", args=[arena.pk]),
        {"what": what, "file": SimpleUploadedFile(name, content)},
    )
    assert answer.status_code == 302, words(answer)
    return FileImport.objects.latest("id")


def press(staff: Client, file: FileImport, form: dict[str, str]) -> str:
    """Send a form of a file's page, let a worker do the job, and return the text of the result."""
    answer = staff.post(page_of(file), form)
    assert answer.status_code == 302, words(answer)
    job = Job.objects.latest("id")
    assert answer["Location"] == reverse("admin:league_job_change", args=[job.pk])
    jobs.carry_out(job.pk, WORK, NOW)
    done = staff.get(answer["Location"])
    result = reverse("admin:league_fileimport_of_job", args=[job.pk])
    assert result in done.content.decode(), words(done)
    return words(staff.get(result, follow=True))


def page_of(file: FileImport) -> str:
    return reverse("admin:league_fileimport_change", args=[file.pk])


def test_a_file_goes_from_upload_to_undo(staff: Client, duel: Arena, alice: Player) -> None:
    assert "Import" in words(staff.get(reverse("admin:league_arena_change", args=[duel.pk])))
    file = upload(staff, duel, RESULTS.encode("cp1252"))
    page = words(staff.get(page_of(file)))
    assert "Weiß" in page
    checked = press(staff, file, COLUMNS)
    assert "2 new of 2 lines" in checked
    movers = checked.partition("Largest changes")[2]
    assert "Jörg –" in movers.partition("Line by line")[0]
    assert "Windows-1252" in checked
    assert "separated by semicolons" in checked
    assert not Match.objects.exists()
    renamed = press(staff, file, {"names": "1", "name-0": str(alice.pk)})
    assert "Alicia" not in renamed.partition("Line by line")[0]
    done = press(staff, file, {"import": "1"})
    assert "What was imported" in done
    assert "Alice – 1" in done.partition("Largest changes")[2]
    assert Match.objects.rated().count() == 2
    assert Match.objects.filter(participants__player=alice).count() == 1
    preview = press(staff, file, {"preview": "1"})
    assert "What undoing would do" in preview
    assert "Alice 1" in preview.partition("Largest changes")[2]
    assert Match.objects.rated().count() == 2
    assert "Give a reason" in words(staff.post(page_of(file), {"undo": "1"}, follow=True))
    job = Job.objects.filter(kind=file_imports.PREVIEW).latest("pk")
    refused = words(staff.post(f"{page_of(file)}?preview={job.pk}", {"undo": "1", "reason": " "}))
    assert "Give a reason" in refused
    assert "What undoing would do" in refused
    assert "is undone" in press(staff, file, {"undo": "1", "reason": "Another club."})
    assert StaffAction.objects.latest("pk").reason == "Another club."
    assert not Match.objects.rated().exists()


def test_the_columns_of_the_last_file_are_remembered(staff: Client, duel: Arena) -> None:
    press(staff, upload(staff, duel, RESULTS.encode()), COLUMNS)
    again = upload(staff, duel, RESULTS.encode("utf-16"))
    assert again.mapping["columns"] == {name: int(at) for name, at in COLUMNS.items()}


def test_columns_that_say_too_little_are_refused(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, RESULTS.encode())
    for form, sentence in (
        ({}, "Choose the columns of both sides"),
        ({**COLUMNS, "played_at": ""}, "Choose the column with the dates, or give one day"),
        ({**COLUMNS, "result": ""}, "or of the result or the winner"),
        ({**COLUMNS, "side_2": "1"}, "is chosen twice"),
        ({**COLUMNS, "side_2": "77"}, "valid choice"),
    ):
        assert sentence in words(staff.post(page_of(file), form))


def test_a_spreadsheet_is_read(staff: Client, duel: Arena) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["date", "home", "away", "home score", "away score"])
    sheet.append(["2026-01-02", "Alice", "Bob", 3, 1.5])
    content = BytesIO()
    book.save(content)
    file = upload(staff, duel, content.getvalue(), "results.xlsx")
    jobs.carry_out(Job.objects.latest("pk").pk, WORK, NOW)
    file.refresh_from_db()
    assert "1 new of 1 line." in press(
        staff, file, {name: str(at) for name, at in file.mapping["columns"].items()}
    )


def test_a_spreadsheet_is_read_by_a_worker(staff: Client, duel: Arena) -> None:
    page = reverse("admin:league_arena_import", args=[duel.pk])
    sent = {"what": "results", "file": SimpleUploadedFile("r.xlsx", b"PK\x03\x04 damaged")}
    assert "Read r.xlsx" in words(staff.post(page, sent, follow=True))
    file = FileImport.objects.get()
    assert "has not been read yet" in words(staff.get(page_of(file)))
    assert "has not been read yet" in words(staff.post(page_of(file), {"import": "1"}, follow=True))
    staff.post(page_of(file), COLUMNS)
    staff.post(page_of(file), {"read": "1"})
    for job in Job.objects.all():
        assert job.kind == file_imports.READ
        jobs.carry_out(job.pk, WORK, NOW)
        assert "damaged" in words(staff.get(reverse("admin:league_job_change", args=[job.pk])))
    assert Job.objects.count() == 2


def test_the_list_of_errors_can_be_downloaded(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, RESULTS.replace("02.01.2026", "=1+1").encode())
    assert "1 error: nothing can be imported" in press(staff, file, COLUMNS)
    sent = staff.get(reverse("admin:league_fileimport_errors", args=[file.pk]))
    assert "is not a date" in b"".join(sent.streaming_content).decode()  # type: ignore[attr-defined]


def test_another_encoding_can_be_chosen(staff: Client, duel: Arena, alice: Player) -> None:
    text = "date,white,black,result\n2026-01-02,Alicia,Böhm,1-0\n"
    file = upload(staff, duel, text.encode("mac_roman"))
    assert "The text is read as Windows-1252" in words(staff.get(page_of(file)))
    answer = staff.post(page_of(file), {"encoding": "mac-roman"}, follow=True)
    assert "The text is read as Mac Roman" in words(answer)
    assert "Böhm" in words(answer)
    answer = staff.post(page_of(file), {"encoding": "utf-8"}, follow=True)
    assert "Line 2 is not UTF-8" in words(answer)
    assert "The text is read as Mac Roman" in words(answer)
    jobs.carry_out(file_imports.ask_check(file, by=file.by, now=NOW).pk, WORK, NOW)
    file.refresh_from_db()
    assert file.report is not None
    assert "Böhm" in {row["name"] for row in file.report["players"]}
