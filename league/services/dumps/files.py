"""The folder of dumps and their manifests."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from pydantic import BaseModel, ValidationError

MANIFEST = "manifest.json"
NAME = "%Y%m%dT%H%M%SZ"
OURS = re.compile(r"\d{8}T\d{6}Z")
DRAFT = ".draft-"


class Column(BaseModel):
    """A column of a dumped table."""

    name: str
    kind: str


class Dumped(BaseModel):
    """A dumped table."""

    name: str
    rows: int
    columns: list[Column]


class File(BaseModel):
    """A file of a dump: a table in a format."""

    table: str
    format: str
    """The file extension, such as ``csv.gz``."""
    size: int
    """In bytes."""
    sha256: str

    @property
    def name(self) -> str:
        return f"{self.table}.{self.format}"


class Dump(BaseModel):
    """A dump: when it was made, and its files."""

    name: str
    made_at: datetime
    """All rows are as of this time."""
    tables: list[Dumped]
    files: list[File]

    def path_of(self, name: str) -> Path | None:
        """Return the path of a file, ``None`` if this dump does not list it."""
        if any(name == file.name for file in self.files):
            return Path(settings.DUMP_FOLDER, self.name, name)
        return None


def latest() -> Dump | None:
    """Return the newest readable dump, ``None`` without any."""
    return next(filter(None, map(read, reversed(names()))), None)


def names() -> list[str]:
    """Return the names of all dumps, oldest first."""
    if not settings.DUMP_FOLDER:
        return []
    try:
        return sorted(
            path.name for path in Path(settings.DUMP_FOLDER).iterdir() if OURS.fullmatch(path.name)
        )
    except OSError:  # not made yet
        return []


def read(name: str) -> Dump | None:
    """Return a dump by its name, ``None`` if there is none."""
    if not settings.DUMP_FOLDER or not OURS.fullmatch(name):
        return None
    try:
        return Dump.model_validate_json(Path(settings.DUMP_FOLDER, name, MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


def name_at(moment: datetime) -> str:
    """Return the name of a dump that is made at this time."""
    return moment.astimezone(UTC).strftime(NAME)
