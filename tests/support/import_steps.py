"""Files of results, from the upload to the import and its undoing."""

import csv
import io
from typing import Any

import pytest

from league.models import Arena, FileImport, Job, Player, User
from league.services.core.errors import Refused
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.work import WORK
from tests.support.cast import NOW
from tests.support.result_steps import user_of

RESULTS = """date,home,away,home score,away score
2026-01-02,Alice,Bob,3,1
2026-01-03 20:00,Charlie,Alice,2,2
2026-01-03 21:00,Bob,Dora,0,1
"""


@pytest.fixture
def boss(olga: Player) -> User:
    return user_of(olga)


def upload(arena: Arena, boss: User, text: str | bytes, **given: Any) -> FileImport:
    content = text.encode() if isinstance(text, str) else text
    given = {"what": "results", "season": None, "name": "results.csv", **given}
    file = file_imports.upload(arena, content=content, by=boss, now=NOW, **given)
    if not file.header:
        job = done(file_imports.ask_read(file, by=boss, now=NOW))
        if job.state != Job.State.DONE:
            raise Refused("file", job.refusal, field="file")
        file.refresh_from_db()
    return file


def done(job: Job) -> Job:
    jobs.carry_out(job.pk, WORK, NOW)
    job.refresh_from_db()
    return job


def checked(file: FileImport) -> dict[str, Any]:
    job = done(file_imports.ask_check(file, by=file.by, now=NOW))
    assert job.state == Job.State.DONE, job.refusal
    file.refresh_from_db()
    assert file.report is not None
    report: dict[str, Any] = file.report
    return report


def imported(file: FileImport) -> FileImport:
    checked(file)
    job = done(file_imports.ask_import(file, by=file.by, now=NOW))
    assert job.state == Job.State.DONE, job.refusal
    file.refresh_from_db()
    return file


def undone(file: FileImport) -> Job:
    return done(file_imports.ask_undo(file, by=file.by, reason="A mistake.", now=NOW))


def bring(arena: Arena, boss: User, text: str | bytes, **given: Any) -> FileImport:
    return imported(upload(arena, boss, text, **given))


def edited(text: str, at: int, **cells: str) -> str:
    """Return a file with other cells in one of its rows."""
    rows = list(csv.DictReader(io.StringIO(text)))
    rows[at].update(cells)
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()
