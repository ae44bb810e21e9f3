"""Fixtures for all tests of the league."""

from __future__ import annotations

import pytest

from league.services.standings import board


@pytest.fixture(autouse=True)
def fresh_boards() -> None:
    """Forget the boards of earlier tests, whose seasons have the same ids."""
    board._cache.clear()
