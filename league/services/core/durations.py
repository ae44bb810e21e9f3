"""Lengths of time in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

if TYPE_CHECKING:
    from datetime import timedelta

SECONDS = {"year": 31_536_000, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}


def in_words(duration: timedelta) -> str:
    """Return a duration in its two largest units: ``2 days``, ``1 hour 30 minutes``.

    Seconds are left out of durations of an hour or more.
    """
    left = int(duration.total_seconds())
    if left <= 0:
        return _("less than a second") if duration else _("no time")
    parts = []
    for unit, seconds in SECONDS.items():
        count, left = divmod(left, seconds)
        if count:
            parts.append((unit, count))
    if SECONDS[parts[0][0]] >= SECONDS["hour"]:
        parts = [part for part in parts if part[0] != "second"]
    return " ".join(counted(unit, count) for unit, count in parts[:2])


def counted(unit: str, count: int) -> str:
    """Return ``count`` of a unit, such as ``3 days``."""
    texts = {
        "year": ngettext("%(count)d year", "%(count)d years", count),
        "day": ngettext("%(count)d day", "%(count)d days", count),
        "hour": ngettext("%(count)d hour", "%(count)d hours", count),
        "minute": ngettext("%(count)d minute", "%(count)d minutes", count),
        "second": ngettext("%(count)d second", "%(count)d seconds", count),
    }
    return texts[unit] % {"count": count}
