"""Rows that a program sends: imported as those of a file are, and undone as a file is."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import FileImport, StaffAction
from league.models.own_words import own_words
from league.services.core.errors import Forbidden, Refused
from league.services.rating.bulk import silent
from league.services.transfer.files.file_imports import KINDS, What, may_bring, note
from league.services.transfer.files.reading import rules_of_files
from league.services.transfer.files.repeats import ONCE
from league.services.transfer.files.table_fields import FIELDS, missing
from ratings.files.choices import Choices
from ratings.files.table_reading import read_rows
from ratings.files.tables import LONGEST_CELL, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, User
    from league.services.transfer.files.result_imports import Done
    from ratings.files.documents import Found

MOST_ROWS = 1_000
"""Rows of one request. Longer histories are imported as files, by a job."""


@dataclass(frozen=True)
class Brought:
    """The effect of rows, made or tried."""

    done: Done
    file: FileImport | None = None
    """The import that can be undone, ``None`` if nothing was imported."""

    @property
    def has_errors(self) -> bool:
        return bool(self.done.report["error_count"])


def check_may_bring(by: User, arena: Arena, what: str) -> None:
    """Refuse an account that may not import files of this kind in the admin."""
    if not (by.has_perm("league.change_arena", arena) and may_bring(by, arena, what)):
        raise Forbidden("not_staff", _("You may not import these."))


def bring(
    arena: Arena,
    what: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    name: str,
    by: User,
    now: datetime,
    dry_run: bool,
    repeats: str = ONCE,
) -> Brought:
    """Import rows in one transaction, or say what that would do. With errors, nothing is written.

    ``repeats`` says what results become that repeat others.

    Raises:
        Forbidden: the account may not import these.
        Refused: the rows do not have what is needed, or a season cannot take them.
    """
    check_may_bring(by, arena, what)
    table = table_of(what, rows)
    kind = KINDS[What(what)]
    file = FileImport(arena=arena, what=what, file_name=name, digest=digest_of(rows), by=by, at=now)
    file.header = table.header
    columns = {each: at for at, each in enumerate(table.header)}
    file.mapping = {"columns": columns, "repeats": repeats}
    if lacking := missing(what, columns):
        raise Refused("missing", lacking, field="rows")
    rules = rules_of_files(arena)

    def content() -> Found | Table:
        return read_rows(table, Choices(columns, rules=rules)) if what == What.RESULTS else table

    if not dry_run:
        try:
            with transaction.atomic():
                return carried_out(file, content(), by, now)
        except Refused as refusal:
            if refusal.code != "errors":
                raise
    return Brought(kind.preview(file, content(), by=by, now=now, progress=silent))


def carried_out(file: FileImport, content: Found | Table, by: User, now: datetime) -> Brought:
    """Import rows in the caller's transaction, which keeps nothing if all are here already."""
    file.report = {"season_ids": open_seasons(file.arena)}
    file.save()
    kind = KINDS[What(file.what)]
    done = kind.carry_out(file, content, by=by, now=now, progress=silent)
    if not (done.matches or done.players or done.changed):
        transaction.set_rollback(True)
        return Brought(done)
    file.matches, file.players, file.changed = done.matches, done.players, done.changed
    file.report, file.state, file.imported_at = done.report, FileImport.State.IMPORTED, now
    file.save()
    why = own_words("file", file=file.file_name)
    note(file, StaffAction.Kind.IMPORTED, by, now, done, why)
    return Brought(done, file)


def open_seasons(arena: Arena) -> list[int]:
    """Return the seasons that an import may change, which it locks before it compares results."""
    seasons = arena.seasons.filter(opened_at__isnull=False, archived_at__isnull=True)
    return list(seasons.values_list("pk", flat=True))


def table_of(what: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as the table of a file, whose lines are numbered from 0."""
    named = {name for row in rows for name in row}
    header = [field.name for field in FIELDS[what] if field.name in named]
    cells = [[cell_of(row.get(name)) for name in header] for row in rows]
    return Table(header, list(enumerate(cells)))


def cell_of(value: str | float | bool | None) -> str:
    """Return a value as a file has it."""
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    return value[:LONGEST_CELL] if isinstance(value, str) else f"{value!r}"


def digest_of(rows: Sequence[Mapping[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
