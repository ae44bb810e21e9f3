"""Files that staff import: upload, check, import and undo. Each step is a whole or nothing."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models.functions import Length
from django.utils.translation import gettext as _

from league.models import FileContent, FileImport, Job, StaffAction
from league.models.own_words import Why, own_words
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.staff_log import of_arena
from league.services.corrections.checks import check_reason
from league.services.jobs import jobs
from league.services.results.rules.own_matches import CORRECT, ENTER
from league.services.transfer.files import (
    fixture_imports,
    player_imports,
    result_imports,
    roster_imports,
    team_imports,
    undoing,
)
from league.services.transfer.files.examples import describe_results
from league.services.transfer.files.reading import (
    read_few,
    read_results,
    read_table,
    recognise,
    refusing,
    rules_of_files,
    say,
)
from league.services.transfer.files.roster_lists import as_table
from league.services.transfer.files.table_fields import guess, guess_layout
from ratings.files.choices import Choices, Layout
from ratings.files.dates import DateOrder
from ratings.files.documents import Found
from ratings.files.sheets import is_sheet
from ratings.files.table_reading import find_ratings
from ratings.files.tables import FirstLine
from ratings.files.text_rows import Encoding, find_guessed, to_utf8

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from league.models import Arena, User
    from league.services.transfer.files.result_imports import Done
    from ratings.files.tables import Table

State = FileImport.State
What = FileImport.What
TABLE = "table"
"""The format of files with rows of cells."""
SAMPLE = 5
"""Rows that the page shows."""

READ_AGAIN: dict[str, frozenset[str]] = {
    "first_line": frozenset(FirstLine),
    "layout": frozenset(Layout),
    "encoding": frozenset(Encoding),
    "sheet": frozenset(),
}
"""Choices about a table with which it is read again from the start. Sheets are its own."""
NEEDS = {
    What.RESULTS: [ENTER, CORRECT],
    What.PLAYERS: ["league.add_player", "league.change_player"],
    What.ROSTERS: roster_imports.NEEDS,
    What.TEAMS: team_imports.NEEDS,
    What.FIXTURES: fixture_imports.NEEDS,
}
"""The permissions for what a file brings, besides the one to import files."""
OF_NO_ARENA = {What.PLAYERS}
LISTS = {What.ROSTERS, What.TEAMS}
"""The kinds of files that can be lists of names with members."""
MOST_PASTED = 200_000
"""The most bytes of a file that can be changed as a pasted list."""
KEPT = timedelta(days=7)
"""The time for which a file that nobody imports is kept."""

READ, CHECK, IMPORT, UNDO = "import-read", "import-check", "import", "import-undo"
PREVIEW = "import-undo-preview"
"""The kinds of jobs."""

KINDS = {
    What.RESULTS: result_imports,
    What.PLAYERS: player_imports,
    What.ROSTERS: roster_imports,
    What.TEAMS: team_imports,
    What.FIXTURES: fixture_imports,
}


def upload(
    arena: Arena,
    what: str,
    *,
    name: str,
    content: bytes,
    season: dict[str, str] | None,
    by: User,
    now: datetime,
) -> FileImport:
    """Store a file. Unless it is a spreadsheet, which a worker reads, guess what its columns are.

    Raises ``Refused`` if it is no table.
    """
    file = FileImport(
        arena=arena,
        what=what,
        file_name=name[-200:],
        digest=hashlib.sha256(content).hexdigest(),
        season=season,
        by=by,
        at=now,
    )
    if not is_sheet(content):
        describe(file, content)
    file.save()
    FileContent.objects.create(file=file, content=content)
    FileContent.objects.filter(file__at__lt=now - KEPT).delete()
    return file


def describe(
    file: FileImport,
    content: bytes,
    first_line: str = "",
    layout: str = "",
    sheet: str = "",
    encoding: str = "",
) -> None:
    """Note how a file is read: its format, or its first rows and what its columns are.

    Raises ``Refused`` if it cannot be read.
    """
    if file.what == What.RESULTS and (known := recognise(content)):
        found = read_results(content, choices_of(file))
        file.mapping = {"format": known, "encoding": encoding, "guessed": find_guessed(content)}
        describe_results(file, found.results)
        return
    if file.what in LISTS and (listed := as_table(content)):
        content, first_line = listed, first_line or FirstLine.DATA
    table = read_table(content, first_line, sheet)
    file.header = [say(name) for name in table.header]
    first_line = FirstLine.DATA if table.is_headless else FirstLine.NAMES
    file.mapping = {
        "format": TABLE,
        "sample": [cells for _line, cells in table.cells[:SAMPLE]],
        "first_line": first_line.value,
        "layout": layout or guess_layout(file, table),
        "sheet": table.sheet,
        "sheets": table.sheets,
        "encoding": encoding,
        "guessed": find_guessed(content),
    }
    file.mapping["columns"] = guess(file, table, layout)
    if file.what == What.RESULTS:
        describe_results(file, read_few(table, choices_of(file)))
        if rated := find_ratings(
            table, Choices(layout=file.mapping["layout"]), file.mapping["columns"]
        ):
            file.mapping["examples"] = [say(rated.remarks[-1])]


def read_again(file: FileImport, name: str, value: str) -> None:
    """Read a file again, with another of the choices in ``READ_AGAIN``.

    Raises ``Refused`` if it is no table then.
    """
    possible = READ_AGAIN[name] or file.mapping.get("sheets", [])
    if file.state not in {State.UPLOADED, State.CHECKED} or value not in possible:
        raise Refused(name, _("Upload the file again."))
    before = {each: file.mapping.get(each, "") for each in READ_AGAIN}
    file.mapping = {**file.mapping, **before, name: value}
    describe(file, content_of(file), **{**before, name: value})
    file.state, file.report = State.UPLOADED, None
    file.save(update_fields=["header", "mapping", "state", "report"])


def imported_before(file: FileImport) -> FileImport | None:
    """Return an import of the same file that still counts."""
    same = FileImport.objects.filter(
        arena=file.arena_id, what=file.what, digest=file.digest, state=State.IMPORTED
    )
    return same.exclude(pk=file.pk).first()


def bring_season(file: FileImport, season: dict[str, str], now: datetime) -> None:
    """Let a file bring a season along. Raises ``Refused`` if it cannot be created."""
    before, file.season = file.season, season
    try:
        result_imports.seen_season(file, now)
    except Refused:
        file.season = before
        raise


def text_of(file: FileImport) -> str:
    """Return a file that waits, to change it as a pasted list. Empty for long and binary ones."""
    small = FileContent.objects.annotate(size=Length("content")).filter(size__lte=MOST_PASTED)
    found = small.filter(file=file, file__state__in=[State.UPLOADED, State.CHECKED]).first()
    try:
        return bytes(found.content).decode("utf-8-sig") if found else ""
    except UnicodeDecodeError:
        return ""


def content_of(file: FileImport) -> bytes:
    """Return the bytes of a file, in UTF-8 if an encoding was chosen for it.

    Raises:
        Conflict: they are not kept any more.
        Refused: they are in another encoding.
    """
    content = FileContent.objects.filter(file=file).first()
    if content is None:
        raise Conflict("no_file", _("The file is not kept any more. Upload it again."))
    chosen = file.mapping.get("encoding", "")
    with refusing():
        return to_utf8(bytes(content.content), chosen) if chosen else bytes(content.content)


def read_whole(file: FileImport) -> Found | Table:
    """Return the results in a file of results, and the rows of any other."""
    content = content_of(file)
    if file.what == What.RESULTS:
        found = read_results(content, choices_of(file))
        found.table = None  # its rows are read, and take memory
        return found
    if file.what in LISTS:
        content = as_table(content) or content
    chosen = file.mapping
    return read_table(content, chosen.get("first_line", ""), chosen.get("sheet", ""))


def choices_of(file: FileImport) -> Choices:
    """Return what was chosen for a file of results."""
    chosen = file.mapping
    return Choices(
        columns=chosen.get("columns"),
        date_order=DateOrder(chosen["date_order"]) if chosen.get("date_order") else None,
        first_line=chosen.get("first_line", ""),
        layout=chosen.get("layout", ""),
        sheet=chosen.get("sheet", ""),
        rules=rules_of_files(file.arena),
    )


def ask_read(file: FileImport, *, by: User, now: datetime) -> Job:
    """Start reading a spreadsheet."""
    title = _("Read %(file)s") % {"file": file.file_name}
    return jobs.ask(READ, title, by=by, now=now, arena=file.arena, file=file.pk)


def ask_check(file: FileImport, *, by: User, now: datetime) -> Job:
    """Start the check of a file. Raises ``Conflict`` before it is read."""
    if not file.mapping:
        raise Conflict("not_read", _("The file has not been read yet."))
    title = _("Check %(file)s") % {"file": file.file_name}
    return jobs.ask(CHECK, title, by=by, now=now, arena=file.arena, file=file.pk)


def ask_import(file: FileImport, *, by: User, now: datetime) -> Job:
    """Start the import of a checked file."""
    if file.state != State.CHECKED:
        raise Conflict("not_checked", _("Check the file first."))
    title = _("Import %(file)s") % {"file": file.file_name}
    return jobs.ask(IMPORT, title, by=by, now=now, arena=file.arena, file=file.pk)


def ask_preview(file: FileImport, *, by: User, now: datetime) -> Job:
    """Start a preview of the undo of an import."""
    check_imported(file)
    title = _("Preview: undo the import of %(file)s") % {"file": file.file_name}
    return jobs.ask(PREVIEW, title, by=by, now=now, arena=file.arena, file=file.pk)


def ask_undo(file: FileImport, *, by: User, reason: str, now: datetime) -> Job:
    """Start undoing an import. Raises ``Refused`` without a reason."""
    reason = check_reason(reason)
    check_imported(file)
    title = _("Undo the import of %(file)s") % {"file": file.file_name}
    return jobs.ask(UNDO, title, by=by, now=now, arena=file.arena, file=file.pk, reason=reason)


def check_imported(file: FileImport) -> None:
    if file.state != State.IMPORTED:
        raise Conflict("not_imported", _("This file is not imported."))


def may_bring(user: User | AnonymousUser, arena: Arena, what: str) -> bool:
    """Return whether an account may import a kind of file into an arena."""
    whose = None if what in OF_NO_ARENA else arena
    return user.has_perm("league.add_fileimport", arena) and user.has_perms(
        NEEDS[What(what)], whose
    )


def locked_file(job: Job) -> FileImport:
    """Lock the file of a job. Raises ``Forbidden`` if whoever started it may not import it."""
    rows = FileImport.objects.select_for_update(of=["self"]).select_related("arena")
    file = rows.get(pk=job.given["file"])
    if not may_bring(job.by, file.arena, file.what):
        raise Forbidden("not_staff", _("You may not import these."))
    return file


def read(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: read a spreadsheet, and guess what its columns are."""
    del now
    file = locked_file(job)
    progress(_("Reading"), 0, 1)
    if not file.mapping:
        describe(file, content_of(file))
        file.save(update_fields=["header", "mapping"])
    return {"file": file.pk}


def preview_file(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: say what the import of a file would do."""
    file = locked_file(job)
    if file.state in {State.IMPORTED, State.UNDONE}:
        raise Conflict("imported", _("This file has been imported. Upload it again."))
    progress(_("Reading"), 0, 1)
    content = read_whole(file)
    if isinstance(content, Found):
        describe_results(file, content.results)
    done = KINDS[What(file.what)].preview(file, content, by=job.by, now=now, progress=progress)
    file.report, file.state = done.report, State.CHECKED
    file.save(update_fields=["mapping", "report", "state"])
    return {"file": file.pk}


def carry_out(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: import a checked file."""
    file = locked_file(job)
    if file.state != State.CHECKED:
        raise Conflict("not_checked", _("Check the file first."))
    progress(_("Reading"), 0, 1)
    done = KINDS[What(file.what)].carry_out(
        file, read_whole(file), by=job.by, now=now, progress=progress
    )
    if not (done.matches or done.players or done.changed):
        raise Refused("nothing", _("Everything in the file is here already."))
    file.matches, file.players, file.changed = done.matches, done.players, done.changed
    file.report, file.state, file.imported_at = done.report, State.IMPORTED, now
    file.save()
    FileContent.objects.filter(file=file).delete()
    note(
        file,
        StaffAction.Kind.IMPORTED,
        job.by,
        now,
        done,
        own_words("file", file=file.file_name),
    )
    progress(_("Done"), 1, 1)
    return {"file": file.pk}


def preview_undo(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: preview the undo of an import. Nothing is written."""
    file = locked_file(job)
    check_imported(file)
    seasons = undoing.preview(file, by=job.by, progress=progress)
    return {"file": file.pk, "seasons": seasons, "at": now.isoformat()}


def undo(job: Job, progress: jobs.Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job: undo an import."""
    file = locked_file(job)
    check_imported(file)
    reason = jobs.reason_of(job)
    undone = undoing.undo(file, by=job.by, reason=reason, now=now, progress=progress)
    file.state, file.undone_at = State.UNDONE, now
    file.save(update_fields=["state", "undone_at"])
    note(file, StaffAction.Kind.UNIMPORTED, job.by, now, undone, Why(reason))
    progress(_("Done"), 1, 1)
    return {"file": file.pk}


def note(
    file: FileImport, kind: StaffAction.Kind, by: User, now: datetime, done: Done, why: Why
) -> StaffAction:
    """Record an import or its undoing in the ledger of staff actions."""
    return StaffAction.objects.create(
        actor=by,
        kind=kind,
        reason=why.text,
        details={
            **why.details,
            "import": file.pk,
            **of_arena(file.arena),
            "what": file.what,
            "file": file.file_name,
            "digest": file.digest,
            "matches": len(done.matches),
            "new_players": len(done.players),
            "changed": len(done.changed),
        },
        at=now,
    )


WORK: dict[str, jobs.Work] = {
    READ: read,
    CHECK: preview_file,
    IMPORT: carry_out,
    PREVIEW: preview_undo,
    UNDO: undo,
}
