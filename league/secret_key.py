"""The key that signs sessions and links."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

REMEDY = (
    "Restore it from a backup of the folder, or delete it: the next start then generates a new "
    "one, and everybody logs in again."
)


def kept_key(folder: Path) -> str:
    """Return a key that is generated once and kept in a folder.

    If the file has no key, print what to do and exit with status 1.
    """
    keyfile = folder / "secret-key"
    if not keyfile.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=folder) as fresh:
            fresh.write(secrets.token_urlsafe(50))
            fresh.flush()
            os.fsync(fresh.fileno())
            with contextlib.suppress(FileExistsError):  # another process was first
                os.link(fresh.name, keyfile)
    try:
        key = keyfile.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"The file {keyfile} cannot be read: {error}. {REMEDY}")
    if not key:
        sys.exit(f"The file {keyfile} is empty, so nothing can be signed. {REMEDY}")
    return key
