"""How many results one player can report, and how often."""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from django.utils.translation import ngettext

from league.services.core.errors import LimitReached

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

MOST_OPEN = 20
"""The most reports of one player that can wait for an answer.

An evening of a busy player has fewer, and others need not answer more from one person.
"""
MOST_RECENT = 10
"""The most reports by one player in ``RECENT``: one a minute is faster than any game ends."""
RECENT = timedelta(minutes=10)
MOST_CHANGES = 10
"""The most changes of one report, because each gives the other side its full time again."""
MOST_MESSAGES = 20
"""The most messages about disputes by one author in ``MESSAGES_WITHIN``."""
MESSAGES_WITHIN = timedelta(hours=1)
MOST_OPEN_OBJECTIONS = 5
"""The most objections of one player that can wait for staff, who have to read each of them."""
MOST_OBJECTIONS = 10
"""The most objections by one player in ``OBJECTIONS_WITHIN``, decided or not."""
OBJECTIONS_WITHIN = timedelta(days=7)


def check_reports(
    open_reports: int, recent_reports: int, recent_since: datetime | None, now: datetime
) -> None:
    """Refuse another report by a player with so many.

    Raises:
        LimitReached: with the seconds to wait, if waiting helps.
    """
    if open_reports >= MOST_OPEN:
        raise LimitReached(
            "open_reports",
            ngettext(
                "You have %(count)d report that nobody has answered. Wait for an answer or "
                "withdraw it before you report more.",
                "You have %(count)d reports that nobody has answered. Wait for answers or "
                "withdraw some before you report more.",
                open_reports,
            )
            % {"count": open_reports},
        )
    if recent_reports >= MOST_RECENT and recent_since is not None:
        wait = max(1, ceil((recent_since + RECENT - now).total_seconds()))
        minutes = ceil(wait / 60)
        raise LimitReached(
            "reports_per_time",
            ngettext(
                "You have reported too many results in a short time. Try again in %(count)d "
                "minute.",
                "You have reported too many results in a short time. Try again in %(count)d "
                "minutes.",
                minutes,
            )
            % {"count": minutes},
            wait=wait,
        )


def check_objections(open_ones: int, recent: Sequence[datetime], now: datetime) -> None:
    """Refuse another objection by a player with so many, the ``recent`` ones oldest first.

    Raises:
        LimitReached: with the seconds to wait, if waiting helps.
    """
    if open_ones >= MOST_OPEN_OBJECTIONS:
        raise LimitReached(
            "open_objections",
            ngettext(
                "%(count)d objection of yours waits for staff. Wait for their decision.",
                "%(count)d objections of yours wait for staff. Wait for their decisions.",
                open_ones,
            )
            % {"count": open_ones},
        )
    if len(recent) >= MOST_OBJECTIONS:
        days = OBJECTIONS_WITHIN.days
        raise LimitReached(
            "objections_per_time",
            ngettext(
                "You have objected to too many results within %(count)d day. Try again later.",
                "You have objected to too many results within %(count)d days. Try again later.",
                days,
            )
            % {"count": days},
            wait=max(1, ceil((recent[-MOST_OBJECTIONS] + OBJECTIONS_WITHIN - now).total_seconds())),
        )
