"""Times in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.formats import date_format
from django.utils.timezone import localtime

if TYPE_CHECKING:
    from datetime import datetime, tzinfo


def describe_moment(moment: datetime, zone: tzinfo | None = None) -> str:
    """Return a day, time and zone, in the reader's zone if no other is given."""
    local = localtime(moment, zone)
    return f"{date_format(local, 'DATETIME_FORMAT')} {local:%Z}"


def describe_day(moment: datetime) -> str:
    """Return a day in the reader's zone."""
    return date_format(localtime(moment), "DATE_FORMAT")
