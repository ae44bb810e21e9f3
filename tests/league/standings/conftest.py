"""Pages that stay cached for long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache, caches
from django.test import override_settings

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def kept() -> Iterator[None]:
    """Cache pages for a minute instead of a second."""
    cache.clear()
    caches["pages"].clear()
    with override_settings(PAGES_KEPT_FOR=60.0):
        yield
    caches["pages"].clear()
    cache.clear()
