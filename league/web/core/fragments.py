"""Pages of which htmx may ask for a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django_htmx.middleware import HtmxDetails

if TYPE_CHECKING:
    from django.http import HttpRequest


def asks_for_part(request: HttpRequest) -> bool:
    """Whether a script on the page asks, to put the answer into a part of it."""
    details = HtmxDetails(request)
    return bool(details) and not details.boosted
