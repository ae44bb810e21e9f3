"""A site that Discord sends interactions to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.discord_steps import PUBLIC_KEY

if TYPE_CHECKING:
    from pytest_django import Settings


@pytest.fixture(autouse=True)
def discord_key(settings: Settings) -> None:
    settings.DISCORD_PUBLIC_KEY = PUBLIC_KEY
