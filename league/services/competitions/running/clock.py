"""The clock of a round, which organisers set, start and pause, and everybody sees."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from league.services.competitions.locking import check_may_run, lock
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Competition, User

LONGEST = 24 * 60
"""Minutes."""


def seconds_left(one: Competition, now: datetime) -> int | None:
    """Return the seconds on the clock, 0 once it has run out, ``None`` without a clock."""
    if one.clock_ends_at is not None:
        return max(0, math.ceil((one.clock_ends_at - now).total_seconds()))
    return one.clock_left


def write_clock(seconds: int) -> str:
    """Return seconds as a clock shows them: 45:00, or 1:30:00."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def set_to(competition_id: int, minutes: int, *, by: User) -> None:
    """Set the clock. It is paused until somebody starts it. 0 takes it away.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Refused: it is less than nothing or more than a day.
    """
    if not 0 <= minutes <= LONGEST:
        text = _("The clock has from 0 to %(most)d minutes.") % {"most": LONGEST}
        raise Refused("minutes", text, field="minutes")
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        one.clock_left, one.clock_ends_at = 60 * minutes or None, None
        one.save(update_fields=["clock_left", "clock_ends_at"])


def start(competition_id: int, *, by: User, now: datetime) -> None:
    """Start the clock, or let it run on. One that runs is left alone.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
        Conflict: the clock is not set.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        if one.clock_ends_at is None:
            if one.clock_left is None:
                raise Conflict("clock", _("Set the clock first."))
            one.clock_ends_at = now + timedelta(seconds=one.clock_left)
            one.clock_left = None
            one.save(update_fields=["clock_left", "clock_ends_at"])


def pause(competition_id: int, *, by: User, now: datetime) -> None:
    """Pause the clock, which keeps the time that is left.

    Raises:
        Forbidden: ``by`` may not run competitions of the arena.
    """
    with transaction.atomic():
        one = lock(competition_id)
        check_may_run(by, one)
        if one.clock_ends_at is not None:
            one.clock_left, one.clock_ends_at = seconds_left(one, now), None
            one.save(update_fields=["clock_left", "clock_ends_at"])
