"""Limits and times of arrangements."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Arrangement

HORIZON = timedelta(days=60)
"""How far ahead a match can be proposed: few people know their evenings later than that."""

MOST_OPEN = 20
"""Unanswered proposals that one player can have: enough to ask a whole club, too few to pester
everybody."""

MOST_BETWEEN = 3
"""Unanswered proposals between two players: enough for a few evenings, too few to bury somebody."""

MOST_TIMES = 20
"""Times that the two can propose in one arrangement. After that, they have to start a new one."""

REPORT_BEFORE = timedelta(minutes=15)
"""How long before the agreed time its result can be reported: matches sometimes begin early."""

REPORT_WITHIN = timedelta(days=7)
"""How long after the agreed time its result can be reported. After that the date lapses."""

NO_SHOW_AFTER = timedelta(minutes=15)
"""How long a captain has to wait for the other side before they can claim a no-show."""


def takes_dates(arena: Arena) -> bool:
    """Return whether two captains can arrange a match in the arena."""
    return arena.is_open and arena.sides_min <= 2


def reports_from(one: Arrangement) -> datetime:
    return one.play_at - REPORT_BEFORE


def reports_until(one: Arrangement) -> datetime:
    return one.play_at + REPORT_WITHIN


def takes_report(one: Arrangement, now: datetime) -> bool:
    """Return whether a captain can report the result now."""
    agreed = one.state == one.State.ACCEPTED
    return agreed and reports_from(one) <= now < reports_until(one)


def claims_from(one: Arrangement) -> datetime:
    return one.play_at + NO_SHOW_AFTER


def takes_claim(one: Arrangement, now: datetime) -> bool:
    """Return whether a captain can claim now that the other side did not come."""
    agreed = one.state == one.State.ACCEPTED and one.claimed_by_id is None
    in_time = claims_from(one) <= now < reports_until(one)
    return agreed and in_time and one.arena.team_size_min <= 1
