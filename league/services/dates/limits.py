"""Limits and times of arrangements."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Arrangement

HORIZON = timedelta(days=60)
"""The longest time ahead for which a match can be proposed: few people know their evenings later
than that."""

MOST_OPEN = 20
"""Unanswered proposals that one player can have: enough to ask a whole club, too few to pester
everybody."""

MOST_BETWEEN = 3
"""Unanswered proposals between two players: enough for a few evenings, too few to bury somebody."""

MOST_TIMES = 20
"""Times that the two can propose in one arrangement. After that, they have to start a new one."""

REPORT_BEFORE = timedelta(minutes=15)
"""The time before the agreed one from which its result can be reported: matches sometimes begin
early."""

REPORT_WITHIN = timedelta(days=7)
"""The time after the agreed one until which its result can be reported. Then the date lapses."""

NO_SHOW_AFTER = timedelta(minutes=15)
"""The time that a captain waits for the other side before they can claim a no-show."""

CALL_OFF_BEFORE = timedelta(hours=6)
"""The time before the agreed one until which one captain alone can call it off. Later, and after
the start, the other side has to agree, so that nobody can dodge a no-show: they keep the evening
free."""

MOST_REQUESTS = 10
"""Requests of one captain to change the same date: enough to find a time, too few to pester."""

MOST_A_DAY = 10
"""Proposals of one player to another in 24 hours, withdrawn ones included: each is a notice."""

MOST_A_DAY_IN_ALL = 50
"""Proposals of one player in 24 hours, withdrawn ones included."""

MOST_MESSAGES = 30
"""Messages about dates by one author in ``MESSAGES_WITHIN``: enough for a few agreements a day."""
MESSAGES_WITHIN = timedelta(days=1)


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
    return agreed and claims_from(one) <= now < reports_until(one)


def calls_off_until(one: Arrangement) -> datetime:
    return one.play_at - CALL_OFF_BEFORE


def calls_off_alone(one: Arrangement, now: datetime) -> bool:
    """Return whether one captain can call an agreed date off without the other."""
    return now < calls_off_until(one)


def takes_request(one: Arrangement, now: datetime) -> bool:
    """Return whether a captain can ask to change an agreed date now."""
    agreed = one.state == one.State.ACCEPTED and one.claimed_by_id is None
    return agreed and now < reports_until(one)


def has_request(one: Arrangement, now: datetime) -> bool:
    """Return whether a request to change the date waits for its answer."""
    return one.request_until is not None and now < one.request_until


def answers_until(one: Arrangement, now: datetime) -> datetime:
    """Return until when a request made now can be answered.

    The start ends earlier requests. Otherwise an absent captain could accept what the other one
    asked for before they came, and so dodge the no-show.
    """
    return one.play_at if now < one.play_at else reports_until(one)
