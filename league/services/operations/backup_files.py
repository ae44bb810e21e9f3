"""The file of a backup: a ZIP archive with a manifest and a dump of the database.

``manifest.json`` can be read without a key. The dump, in the custom format of pg_dump, is
``database.dump``, or ``database.dump.age`` if it is encrypted. Both ZIP and age are standards, so a
backup can be opened without Laurel::

    unzip -p FILE database.dump.age | age --decrypt -i KEYFILE | pg_restore --dbname=...

A ZIP archive ends with its directory, so a file that was cut short is not readable as one. Each
part has a checksum, and age authenticates what it encrypts.
"""

from __future__ import annotations

import errno
import json
import os
import struct
import zlib
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from shutil import copyfileobj
from tempfile import mkstemp
from typing import IO, TYPE_CHECKING, Protocol
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import pyrage
from django.utils.translation import gettext as _
from pydantic import BaseModel, ValidationError

from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMAT = 1
"""The version of this format. Higher ones are refused."""
MANIFEST = "manifest.json"
PLAIN, ENCRYPTED = "database.dump", "database.dump.age"
# A forged file could unpack into any amount of memory.
LARGEST_MANIFEST = 2**20
CHUNK = 2**16
DRAFT = ".draft"
UNREADABLE = (
    BadZipFile,
    EOFError,
    RuntimeError,
    ValueError,
    KeyError,
    OverflowError,
    struct.error,
    zlib.error,
    pyrage.DecryptError,
)
"""The errors of ``zipfile`` for damaged archives."""


class Manifest(BaseModel):
    """A backup's description of itself."""

    format: int
    made_at: datetime
    postgresql: int
    """The major version of the server that it was made from."""
    migrations: dict[str, list[str]]
    """The names of the applied migrations, by app."""
    counts: dict[str, int]
    """Rows of the tables that ``COUNTED`` of the module ``databases`` names."""
    settings: list[str]
    """The names of the environment variables that were set. Never their values."""
    key: str = ""
    """The public part of the key that it is encrypted with, empty if it is not."""


class Sink(Protocol):
    """The target of a dump."""

    def write(self, data: bytes, /) -> int | None: ...
    def flush(self) -> None: ...


class Nowhere:
    """A sink for a dump that is only checked."""

    def write(self, data: bytes, /) -> int:
        return len(data)

    def flush(self) -> None:
        pass


class Watched:
    """A sink that tells how many bytes have come through."""

    def __init__(self, sink: Sink, watch: Callable[[int], object]) -> None:
        self._sink, self._watch, self._bytes = sink, watch, 0

    def write(self, data: bytes, /) -> int | None:
        written = self._sink.write(data)
        self._bytes += len(data)
        self._watch(self._bytes)
        return written

    def flush(self) -> None:
        self._sink.flush()


def key_from(text: str) -> pyrage.x25519.Identity | None:
    """Return the key written as ``AGE-SECRET-KEY-1…``, ``None`` for an empty text.

    Raises:
        Refused: it is something else.
    """
    if not text.strip():
        return None
    try:
        return pyrage.x25519.Identity.from_str(text.strip())
    except pyrage.IdentityError as error:
        raise Refused(
            "backup_key",
            _(
                "This is not a key of age. A key of backups (LAUREL_BACKUP_KEY) starts with "
                "AGE-SECRET-KEY-1; `manage.py backup --new-key` prints a new one."
            ),
        ) from error


@contextmanager
def draft_of(path: Path) -> Iterator[IO[bytes]]:
    """Give a file to write, which gets its name only when it is complete and on the disk.

    Only its owner may read it. Until then its name starts with a dot and ends with ``.draft``.

    Raises:
        Refused: there is such a file, or its folder cannot be written to.
    """
    if path.exists():
        raise Refused("backup_exists", _("%(path)s exists. Choose another name.") % {"path": path})
    try:
        number, name = mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=DRAFT)
    except OSError as error:
        raise Refused(
            "backup_folder",
            _("%(folder)s cannot be written to: %(reason)s.")
            % {"folder": path.parent, "reason": error.strerror},
        ) from error
    draft = Path(name)
    try:
        with open(number, "wb") as file:  # noqa: PTH123 - by its number
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    os.fsync(folder)  # the new name
    os.close(folder)


def write(
    file: IO[bytes], manifest: Manifest, dump: IO[bytes], key: pyrage.x25519.Identity | None
) -> None:
    """Write a backup with everything that ``dump`` gives, a few kilobytes at a time."""
    with ZipFile(file, "w") as archive:
        archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))
        with archive.open(ENCRYPTED if key else PLAIN, "w", force_zip64=True) as entry:
            if key:
                pyrage.encrypt_io(dump, entry, [key.to_public()])
            else:
                copyfileobj(dump, entry, CHUNK)


def read_manifest(path: Path) -> Manifest:
    """Return what a backup says about itself.

    Raises:
        Refused: there is no such file, it is damaged, or a newer version has written it.
    """
    with open_backup(path) as archive:
        if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
            raise BadZipFile
        if any(entry.compress_type != ZIP_STORED for entry in archive.infolist()):
            raise BadZipFile  # it could unpack into any amount of data
        with archive.open(MANIFEST) as entry:
            content = json.loads(entry.read())
    if isinstance(content, dict) and isinstance(content.get("format"), int):
        refuse_newer_format(path, content["format"])
    try:
        return Manifest.model_validate(content)
    except ValidationError as error:
        raise damage(path) from error


def refuse_newer_format(path: Path, version: int) -> None:
    if version > FORMAT:
        raise Refused(
            "backup_newer",
            _("%(path)s was made by a newer version of Laurel. Update Laurel first.")
            % {"path": path},
        )


def read_dump(
    path: Path, manifest: Manifest, sink: Sink, key: pyrage.x25519.Identity | None
) -> None:
    """Write a backup's dump, decrypted, to ``sink``. Its checksum is compared at the end.

    Raises:
        Refused: the file is damaged, or the key is missing or not the one it was made with.
        BrokenPipeError: the sink was closed.
    """
    if manifest.key:
        refuse_wrong_key(manifest.key, key)
    with open_backup(path) as archive, archive.open(ENCRYPTED if manifest.key else PLAIN) as entry:
        if key and manifest.key:
            pyrage.decrypt_io(entry, sink, [key])
        else:
            copyfileobj(entry, sink, CHUNK)
        if entry.read(1):  # also compares the checksum, at the end
            raise BadZipFile
        sink.flush()


def refuse_wrong_key(needed: str, key: pyrage.x25519.Identity | None) -> None:
    if key is None:
        raise Refused(
            "backup_key",
            _(
                "The backup is encrypted. It needs the key that was LAUREL_BACKUP_KEY when it was "
                "made, which belongs to %(key)s."
            )
            % {"key": needed},
        )
    if str(key.to_public()) != needed:
        raise Refused(
            "backup_key",
            _(
                "The key is another one than that of this backup: it belongs to %(given)s, and "
                "the backup needs the key of %(key)s."
            )
            % {"given": key.to_public(), "key": needed},
        )


def damage(path: Path) -> Refused:
    return Refused(
        "backup_damaged",
        _("%(path)s is damaged or incomplete, or no backup of Laurel.") % {"path": path},
    )


@contextmanager
def open_backup(path: Path) -> Iterator[ZipFile]:
    """Open a backup. Errors that damaged contents cause become refusals."""
    try:
        with path.open("rb") as file, ZipFile(file) as archive:
            yield archive
    except BrokenPipeError:
        raise
    except OSError as error:
        # Of age, whose authentication failed, or of a place in the file that is none.
        if error.errno in {None, errno.EINVAL}:
            raise damage(path) from error
        raise Refused(
            "backup_unreadable",
            _("%(path)s cannot be read: %(reason)s.") % {"path": path, "reason": error.strerror},
        ) from error
    except UNREADABLE as error:
        raise damage(path) from error
