"""Pages that stay cached for long."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache, caches
from django.test import override_settings


@pytest.fixture
def page_cache() -> Iterator[None]:
    """Cache pages for a minute instead of a second."""
    cache.clear()
    caches["pages"].clear()
    with override_settings(PAGES_KEPT_FOR=60.0):
        yield
    caches["pages"].clear()
    cache.clear()
