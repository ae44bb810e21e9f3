"""How long a site takes to work again after a fault, and what its visitors get meanwhile."""

import time
from dataclasses import dataclass, field
from datetime import datetime

from django.db import DatabaseError, connection
from django.db.models import Max

from league.models import Arena, Tick
from league.services.core.clock import database_now
from tests.chaos.clients import NO_ANSWER, Record, Sent

RECOVERED_WITHIN = 15.0
WATCHED = 40.0
"""Seconds to wait for a site to work again before giving up."""
CALM = 3.0
"""Seconds without an error after which it counts as working."""


@dataclass
class Outcome:
    """The effects of a fault."""

    title: str
    recovery: dict[str, float | None]
    """Seconds until pages, results and ticks worked again, ``None`` if they did not."""
    answered: int
    refused: int
    """Requests answered with 503."""
    failed: int
    """Requests that got no answer, or a status above 500 other than 503."""
    errors: int
    """Requests answered with 500."""
    problems: list[str] = field(default_factory=list)

    @property
    def longest(self) -> float | None:
        seconds = self.recovery.values()
        return None if None in seconds else max(one for one in seconds if one is not None)

    @property
    def is_good(self) -> bool:
        in_time = self.longest is not None and self.longest <= RECOVERED_WITHIN
        return in_time and not self.errors and not self.problems


class Watch:
    """Watches a site from the start of a fault."""

    def __init__(self, title: str, record: Record, arena: Arena) -> None:
        self.title, self.record, self.arena = title, record, arena
        self.began = time.monotonic()

    def outcome(self) -> Outcome:
        """Wait until the site works again after the fault, and return what happened."""
        over = time.monotonic()
        ticks = self._ticks_after(over)
        while time.monotonic() < over + WATCHED:
            time.sleep(0.2)
            seen = {
                "pages": self._works_since(over, "page"),
                "results": self._works_since(over, "result"),
            }
            if None not in seen.values() and time.monotonic() > over + max(
                [CALM, *(one + CALM for one in seen.values() if one is not None)]
            ):
                break
        seen["work"] = ticks
        sent = self.record.since(self.began)
        return Outcome(
            self.title,
            seen,
            answered=sum(0 < one.status < 500 for one in sent),
            refused=sum(one.status == 503 for one in sent),
            failed=sum(
                one.status == NO_ANSWER or (one.status > 500 and one.status != 503) for one in sent
            ),
            errors=sum(one.status == 500 for one in sent),
        )

    def _works_since(self, over: float, kind: str) -> float | None:
        """Return the seconds until requests of a kind worked and kept working."""
        sent = self.record.since(over, kind=kind)
        bad = [one.ended for one in sent if is_error(one)]
        good = [one for one in sent if not is_error(one) and one.began >= max([over, *bad])]
        return min(one.ended for one in good) - over if good else None

    def _ticks_after(self, over: float) -> float | None:
        """Return the seconds until a worker has made a tick that the clock started."""
        now = ask_until(over + WATCHED)
        if now is None:
            return None
        asked = time.monotonic() - over
        while time.monotonic() < over + WATCHED:
            try:
                at = Tick.objects.filter(arena=self.arena, at__gt=now).aggregate(at=Max("at"))["at"]
            except DatabaseError:
                connection.close()
                at = None
            if at is not None:
                return asked + float((at - now).total_seconds())
            time.sleep(0.1)
        return None


def ask_until(deadline: float) -> datetime | None:
    """Return the database's time, once the database answers."""
    while time.monotonic() < deadline:
        try:
            return database_now()
        except DatabaseError:
            connection.close()
            time.sleep(0.05)
    return None


def is_error(one: Sent) -> bool:
    return one.status == NO_ANSWER or one.status >= 500
