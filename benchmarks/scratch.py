"""A league in a database of its own, made for a measurement and dropped after it."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent


@contextmanager
def scratch_league() -> Iterator[None]:
    """Django set up on an empty database beside the tests'."""
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
    """The machine and the interpreter, for the head of a table."""
    return (
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{platform.system()} {platform.release()}"
    )
