"""A site that Discord sends interactions to."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from pytest_django import Settings

from tests.support.fake_discord import LOCAL, TOKEN, FakeDiscord, fake_discord


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
