"""The number of results that one player can report, and the pace."""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import TYPE_CHECKING

from django.utils.translation import ngettext

from league.models import EvidenceImage
from league.services.core.errors import LimitReached, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Match, User
    from league.models.limits import Limits

RECENT = timedelta(minutes=10)
"""The time in which recent reports are counted."""
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
MOST_IMAGES = 10
"""The most images of one author about one match: enough for each round of a long series."""
MOST_IMAGES_OF_MATCH = 100
"""The most images about one match, so that staff can look at all of them."""
MOST_IMAGES_A_DAY = 30
"""The most images of one author in a day: with 1 MB each, nobody fills the database."""
DAY = timedelta(days=1)


def check_reports(
    limits: Limits,
    open_reports: int,
    recent_reports: int,
    recent_since: datetime | None,
    now: datetime,
) -> None:
    """Refuse another report by a player with so many.

    Raises:
        LimitReached: with the seconds to wait, if waiting helps.
    """
    if open_reports >= limits.open_reports:
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
    if recent_reports >= limits.recent_reports and recent_since is not None:
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


def check_images(match: Match, author: User, now: datetime) -> None:
    """Refuse another image about a match that has many, or by an author who has sent many.

    Raises:
        Refused: there are too many.
    """
    images = EvidenceImage.objects.all()
    of_match = images.filter(message__match=match)
    if of_match.filter(message__author=author).count() >= MOST_IMAGES:
        raise too_many_images(
            ngettext(
                "You can add %(count)d image to a match. Link to more instead.",
                "You can add %(count)d images to a match. Link to more instead.",
                MOST_IMAGES,
            )
            % {"count": MOST_IMAGES}
        )
    if of_match.count() >= MOST_IMAGES_OF_MATCH:
        raise too_many_images(
            ngettext(
                "A match can have %(count)d image. Link to more instead.",
                "A match can have %(count)d images. Link to more instead.",
                MOST_IMAGES_OF_MATCH,
            )
            % {"count": MOST_IMAGES_OF_MATCH}
        )
    today = images.filter(message__author=author, message__at__gt=now - DAY)
    if today.count() >= MOST_IMAGES_A_DAY:
        raise too_many_images(
            ngettext(
                "You can add %(count)d image in a day. Link to more instead.",
                "You can add %(count)d images in a day. Link to more instead.",
                MOST_IMAGES_A_DAY,
            )
            % {"count": MOST_IMAGES_A_DAY}
        )


def too_many_images(message: str) -> Refused:
    return Refused("too_many_images", message, field="image")
