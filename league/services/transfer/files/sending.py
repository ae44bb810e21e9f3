"""Files of results that programs send: one job checks a file and imports it, if it has no error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import FileImport, Job
from league.services.core.errors import Conflict, Refused
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.services.transfer.files.bulk import check_may_bring, open_seasons
from league.services.transfer.files.file_imports import State, What
from league.services.transfer.files.reading import refusing
from ratings.files.text_rows import to_utf8

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from league.models import Arena, User

SEND = "import-sent"
"""The kind of job."""
JOBS = {SEND, *file_imports.WORK}
"""The kinds of jobs about a file."""


def send(
    arena: Arena,
    content: bytes,
    *,
    name: str,
    chosen: Mapping[str, str],
    columns: Mapping[str, str],
    encoding: str = "",
    dry_run: bool,
    by: User,
    now: datetime,
) -> FileImport:
    """Store a file of results, and start the job that imports it or says what that would do.

    ``chosen`` are choices such as the order of dates, kept where the browser keeps its own.
    ``columns`` are names of columns by their meaning, ``encoding`` is that of the text; what is
    missing is guessed.

    Raises:
        Forbidden: the account may not import results.
        Refused: the file cannot be read, or has no such column.
    """
    what = What.RESULTS
    check_may_bring(by, arena, what)
    if encoding:
        with refusing():
            content = to_utf8(content, encoding)
    with transaction.atomic():
        file = file_imports.upload(
            arena, what, name=name, content=content, season=None, by=by, now=now
        )
        if file.mapping:
            choose(file, chosen, columns)
        title = _("Import %(file)s") % {"file": file.file_name}
        jobs.ask(
            SEND,
            title,
            by=by,
            now=now,
            arena=arena,
            file=file.pk,
            chosen=dict(chosen),
            columns=dict(columns),
            dry_run=dry_run,
        )
    return file


def choose(file: FileImport, chosen: Mapping[str, str], columns: Mapping[str, str]) -> None:
    """Note choices for a file that has been read. Raises ``Refused`` for a column it has not."""
    for meaning, column in columns.items():
        if column not in file.header:
            text = _("There is no column “%(name)s”.") % {"name": column[:40]}
            raise Refused("columns", text, field="columns")
        file.mapping["columns"][meaning] = file.header.index(column)
    file.mapping |= chosen
    file.save(update_fields=["header", "mapping"])


def job_of(file: FileImport) -> Job | None:
    """Return the last job about a file."""
    return Job.objects.filter(arena=file.arena_id, kind__in=JOBS, given__file=file.pk).first()


def work(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: import a file that was sent. With an error, nothing is written."""
    file = file_imports.locked_file(job)
    if file.state in {State.IMPORTED, State.UNDONE}:
        raise Conflict("imported", _("This file has been imported. Upload it again."))
    if not file.mapping:
        progress(_("Reading"), 0, 1)
        file_imports.describe(file, file_imports.content_of(file))
        choose(file, job.given["chosen"], job.given["columns"])
    if not job.given["dry_run"]:
        file.report = {"season_ids": open_seasons(file.arena)}
        file.state = State.CHECKED
        file.save(update_fields=["report", "state"])
        try:
            with transaction.atomic():
                return file_imports.carry_out(job, progress, now)
        except Refused as refusal:
            if refusal.code not in {"errors", "nothing"}:
                raise
    return file_imports.preview_file(job, progress, now)


WORK: dict[str, jobs.Work] = {SEND: work}
