"""Fixtures for all tests of the league."""

from __future__ import annotations

import pytest

from league.services.site import frame
from league.services.standings import board


@pytest.fixture(autouse=True)
def plain_frame() -> None:
    """Forget what earlier tests announced. Services read it again once they change it."""
    frame.keep(frame.Frame(), 3600)


@pytest.fixture(autouse=True)
def fresh_boards() -> None:
    """Forget the boards of earlier tests, whose seasons have the same ids."""
    board._cache.clear()
