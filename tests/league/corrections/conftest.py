"""Fixtures for the tests of corrections."""

from __future__ import annotations

import pytest

from league.models import User


@pytest.fixture
def olga_user(olga: object) -> User:
    user = getattr(olga, "user", None)
    assert isinstance(user, User)
    return user
