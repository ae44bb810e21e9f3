"""The key that signs sessions and links."""

from __future__ import annotations

import contextlib
import os
import secrets
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def kept_key(folder: Path) -> str:
    """Return a key that is generated once and kept in a folder."""
    keyfile = folder / "secret-key"
    if not keyfile.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile("w", dir=folder) as fresh:
            fresh.write(secrets.token_urlsafe(50))
            fresh.flush()
            with contextlib.suppress(FileExistsError):  # another process was first
                os.link(fresh.name, keyfile)
    return keyfile.read_text()
