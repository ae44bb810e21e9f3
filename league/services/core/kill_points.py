"""Kill points: the moments right before and right after the commits that matter.

A test puts a watcher in place that kills the process there. Nothing but a call of ``watch`` does
that, and nothing outside ``tests/`` calls it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BEFORE, AFTER = "before commit", "after commit"


def pass_by(name: str, moment: str) -> None:
    """Do nothing, as in every process but those of the tests."""


_watcher: Callable[[str, str], None] = pass_by


def watch(watcher: Callable[[str, str], None]) -> None:
    """Let ``watcher`` know the name and the moment of each kill point that this process reaches."""
    global _watcher  # noqa: PLW0603 - one for the process
    _watcher = watcher


@contextmanager
def committing(name: str) -> Iterator[None]:
    """Run a block as ``transaction.atomic`` does, with kill points around its commit.

    ``name`` is used in one place only. A block that raises reaches neither point.
    """
    with transaction.atomic():
        yield
        _watcher(name, BEFORE)
    _watcher(name, AFTER)
