"""A dump without rows, for pages that show whether there is one."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings

from league.services.dumps.files import MANIFEST, Dump, read
from league.services.dumps.formats import FORMATS, all_formats
from league.services.dumps.making import described, draft_in, dumped
from league.services.dumps.tables import TABLES

if TYPE_CHECKING:
    from tests.support.permission_roles import World

NAME = "20260101T030000Z"


def empty_dump() -> Dump:
    """Return a dump of an empty league, which all workers of a run share."""
    if found := read(NAME):
        return found
    folder = Path(settings.DUMP_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    with draft_in(folder) as draft:
        for table in TABLES:
            with all_formats(draft, table):
                pass
        dump = Dump(
            name=NAME,
            made_at=datetime(2026, 1, 1, 3, tzinfo=UTC),
            tables=[dumped(table, 0) for table in TABLES],
            files=[described(draft, table.name, form) for table in TABLES for form in FORMATS],
        )
        (draft / MANIFEST).write_text(dump.model_dump_json(), encoding="utf-8")
        with suppress(OSError):  # another worker was faster
            draft.rename(folder / NAME)
    return dump


def no_fields(_world: World) -> dict[str, str]:
    """Make sure that there is a dump. Its address has no fields."""
    empty_dump()
    return {}


def a_file(_world: World) -> dict[str, str]:
    return {"dump": empty_dump().name, "name": "matches.parquet"}
