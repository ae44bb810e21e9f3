"""Announced removals: said in the description, and in the headers of every answer.

The headers are those of RFC 9745 (``Deprecation``) and RFC 8594 (``Sunset``).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from django.utils.http import http_date

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase


@dataclass(frozen=True)
class Deprecated:
    """A route or parameter that still works, but no longer should be used."""

    since: date
    until: date
    """The first day on which it may be gone."""
    instead: str = ""
    """The address of the route that takes its place, if one does."""


def say_deprecated(response: HttpResponseBase, deprecated: Deprecated, policy: str) -> None:
    """Tell since when something is deprecated, when it may go, and what takes its place.

    ``policy`` is the address that says what deprecation means.
    """
    response.headers["Deprecation"] = f"@{seconds(deprecated.since)}"
    response.headers["Sunset"] = http_date(seconds(deprecated.until))
    links = [f'<{policy}>; rel="deprecation"; type="text/html"']
    if deprecated.instead:
        links.append(f'<{deprecated.instead}>; rel="successor-version"')
    response.headers["Link"] = ", ".join(links)


def seconds(day: date) -> int:
    """Return the beginning of a day in UTC, in seconds since 1970."""
    return int(datetime.combine(day, time(), tzinfo=UTC).timestamp())
