"""An empty league in its own database, created for a benchmark and dropped afterwards."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@contextmanager
def scratch_league() -> Iterator[None]:
    """Set up Django with an empty database, apart from the one for tests."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    os.environ.setdefault("LAUREL_DATA", str(PROJECT / ".laurel" / "bench"))

    import django
    from django.test.utils import setup_databases, teardown_databases

    django.setup()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        teardown_databases(databases, verbosity=0)


def machine() -> str:
    """Return a description of the machine and the interpreter."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{platform.system()} {platform.release()}"
    )
