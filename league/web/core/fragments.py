"""Requests of htmx for a part of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django_htmx.middleware import HtmxDetails

if TYPE_CHECKING:
    from django.http import HttpRequest


def asks_for_part(request: HttpRequest) -> bool:
    """Return whether a script on the page asks for a part of it."""
    details = HtmxDetails(request)
    return bool(details) and not details.boosted
