"""A site that Discord sends interactions to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from tests.support.fake_discord import LOCAL, TOKEN, fake_discord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from tests.support.fake_discord import FakeDiscord


@pytest.fixture
def discord(settings: Settings) -> Iterator[FakeDiscord]:
    """Discord's HTTP interface, to which the site is connected."""
    cache.clear()
    with fake_discord() as made:
        settings.DISCORD_API = made.url
        settings.DISCORD_BOT_TOKEN = TOKEN
        settings.WEBHOOK_TEST_HOSTS = [LOCAL]
        yield made
    cache.clear()
