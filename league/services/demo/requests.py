"""The demo league at an admin's request, created by a worker. Killed work is begun again."""

from __future__ import annotations

import base64
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db import transaction
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from league.models import DemoRequest
from league.services.demo import seeding

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User

PROGRESS = "demo-progress"
"""The key in the cache: percent of the results that are rated, of the arena that takes long."""
PROGRESS_KEPT = 600
State = DemoRequest.State
logger = logging.getLogger(__name__)


@dataclass
class Shown:
    """Progress that pages can read while the transaction is open. Without a cache there is none."""

    percent: int = -1

    def __call__(self, _step: str, done: int, total: int) -> None:
        percent = 100 * done // max(total, 1)
        if percent <= self.percent:
            return  # smaller arenas follow
        self.percent = percent
        try:
            cache.set(PROGRESS, percent, PROGRESS_KEPT)
        except RedisError:
            logger.warning("The cache does not respond: the demo's progress is not shown.")


def percent_done() -> int:
    """Return the percentage of the results that are rated, 0 to 100."""
    try:
        return int(cache.get(PROGRESS, 0))
    except RedisError:
        return 0


def ask(by: User, now: datetime) -> DemoRequest:
    """Store a request for the demo league, and return it. ``carry_out`` creates the league."""
    return DemoRequest.objects.create(by=by, at=now)


def waiting() -> list[int]:
    """Return the ids of the requests that are not done."""
    return list(DemoRequest.objects.filter(state=State.WAITING).values_list("pk", flat=True))


def carry_out(request_id: int, now: datetime) -> None:
    """Create the requested demo league, unless it is done or another worker is at it."""
    with transaction.atomic():
        requests = DemoRequest.objects.select_for_update(skip_locked=True, of=["self"])
        request = requests.filter(pk=request_id, state=State.WAITING).first()
        if request is None:
            return
        try:
            seeding.seed(now, Shown(), seeding.Credentials(None, captains_password(request)))
            request.state = State.DONE
        except Exception:
            logger.exception("The demo league could not be created.")
            request.state = State.FAILED
        request.finished_at = now
        request.save()


def captains_password(request: DemoRequest) -> str:
    """Return the password with which the captains of a requested demo league begin.

    It follows from the site's secret key, so that staff can read it and the database cannot.
    """
    digest = salted_hmac("league.demo.captains", str(request.pk), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest)[:12].decode()
