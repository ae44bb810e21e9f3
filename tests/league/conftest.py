"""Fixtures for all tests of the league."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from league.services.site import frame
from league.services.standings import board

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.celery_steps import Crew


@pytest.fixture(autouse=True)
def database(db: None) -> None:
    """Let every test use the database. Those that commit are marked with ``transaction=True``."""


@pytest.fixture(autouse=True)
def plain_frame() -> None:
    """Forget what earlier tests announced. Services read it again once they change it."""
    frame.keep(frame.Frame(), 3600)


@pytest.fixture(autouse=True)
def fresh_boards() -> None:
    """Forget the boards of earlier tests, whose seasons have the same ids."""
    board._cache.clear()


@pytest.fixture
def within_a_minute(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Count all requests of a test in the same minute, and none of another test."""
    cache.clear()
    monkeypatch.setattr("league.rates.time", SimpleNamespace(time=lambda: 1_800_000_010.0))
    yield
    cache.clear()


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    from tests.support.celery_steps import Crew  # noqa: PLC0415 - few tests need workers

    made = Crew(tmp_path)
    yield made
    made.end()
