"""Pages that stay cached for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.test import override_settings

from league import caching

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def kept() -> Iterator[None]:
    """Cache pages for a minute instead of a second."""
    cache.clear()
    caching.clear()
    with override_settings(PAGES_KEPT_FOR=60.0):
        yield
    caching.clear()
    cache.clear()
