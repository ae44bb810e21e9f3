"""Long work that staff started. Each piece is done once, even if a worker is killed.

The work of a job runs in one transaction, so it takes effect as a whole or not at all.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F
from django.utils import translation
from django.utils.translation import gettext as _
from psycopg.errors import DeadlockDetected
from redis.exceptions import RedisError

from league.models import Job
from league.outages import outage_behind
from league.services.core.errors import Refused
from league.services.core.kill_points import committing
from league.services.site.languages import of_account

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Season, User

State = Job.State
logger = logging.getLogger(__name__)

# A job that kills its workers, for want of memory for example, must not do so forever.
MOST_ATTEMPTS = 3
LOCKS = 0x6A6F62
"""The class of the advisory locks of jobs."""
KEPT = 600
EVERY = 0.3
"""Seconds between two looks at whether the job was cancelled."""


class Cancelled(Exception):
    """Somebody cancelled the job."""


class Progress:
    """Tells pages how far a job is, while its transaction is open.

    Work calls it with the step in words and the number of parts done, of all. It raises
    ``Cancelled`` if somebody cancelled the job; work lets that pass, so that nothing is changed.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.looked = 0.0

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.looked < EVERY and done < total:
            return
        self.looked = now
        if Job.objects.filter(pk=self.job.pk, cancelled_at__isnull=False).exists():
            raise Cancelled
        try:
            cache.set(key(self.job), (step, done, total), KEPT)
        except RedisError:
            logger.warning("The cache does not respond: the progress of jobs is not shown.")


Work = Callable[[Job, Progress, "datetime"], Any]
"""Does the work of a job, and returns its result, which JSON can express.

Raises ``Refused`` with a message for the person who started it. Then nothing is changed.
"""


def key(job: Job) -> str:
    """Return where the progress of a job is kept. A restored database may give its number again."""
    return f"job-{job.pk}-{job.at.timestamp()}"


def progress_of(job: Job) -> tuple[str, int, int] | None:
    """Return the step in words and the parts done, of all. None before it begins."""
    try:
        found: tuple[str, int, int] | None = cache.get(key(job))
    except RedisError:
        return None
    return found


def ask(
    kind: str,
    title: str,
    *,
    by: User,
    now: datetime,
    arena: Arena | None = None,
    season: Season | None = None,
    **given: Any,
) -> Job:
    """Store a job, and return it. ``carry_out`` does its work."""
    return Job.objects.create(
        kind=kind, title=title[:200], arena=arena, season=season, given=given, by=by, at=now
    )


def reason_of(job: Job) -> str:
    """Return the reason for a job. Jobs of earlier releases have only a title."""
    given: dict[str, str] = job.given
    return given.get("reason", job.title)


def waiting() -> list[int]:
    """Return the ids of waiting jobs, oldest first."""
    return list(Job.objects.filter(state=State.WAITING).order_by("pk").values_list("pk", flat=True))


def cancel(job: Job, now: datetime) -> None:
    """Ask the worker to stop. What is done already stays done."""
    Job.objects.filter(pk=job.pk, state=State.WAITING, cancelled_at=None).update(cancelled_at=now)


def retry(job: Job, *, by: User, now: datetime) -> Job:
    """Start a failed or cancelled job again, as a new one."""
    if job.state not in {State.FAILED, State.CANCELLED}:
        raise Refused("not_failed", _("Only jobs that failed or were cancelled can be retried."))
    given: dict[str, Any] = job.given
    return ask(job.kind, job.title, by=by, now=now, arena=job.arena, season=job.season, **given)


def carry_out(job_id: int, work: dict[str, Work], now: datetime) -> None:
    """Do the work of a job, unless it is done or another worker is doing it."""
    Job.objects.filter(pk=job_id, state=State.WAITING).update(attempts=F("attempts") + 1)
    with committing("job"):
        if not try_lock(job_id):
            Job.objects.filter(pk=job_id).update(attempts=F("attempts") - 1)
            return
        job = Job.objects.select_related("arena", "season", "by").get(pk=job_id)
        if job.state != State.WAITING:
            return
        with translation.override(of_account(job.by)):  # who will read how it went
            if job.attempts > MOST_ATTEMPTS:
                job.state = State.FAILED
                job.refusal = _("Workers began it %(count)d times and were killed each time.") % {
                    "count": MOST_ATTEMPTS
                }
            else:
                attempt(job, work, now)
        job.finished_at = now
        job.save(update_fields=["state", "refusal", "result", "finished_at"])


def try_lock(job_id: int) -> bool:
    """Try to keep other workers from a job until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [LOCKS, job_id % 2**31])
        return bool(cursor.fetchone()[0])


def attempt(job: Job, work: dict[str, Work], now: datetime) -> None:
    """Do the work of a job and note how it ended. What failed has changed nothing."""
    progress = Progress(job)
    try:
        with transaction.atomic():
            job.result = work[job.kind](job, progress, now)
    except Cancelled:
        job.state = State.CANCELLED
    except Refused as refusal:
        job.state, job.refusal = State.FAILED, refusal.message
    except Exception as error:
        if outage_behind(error):
            raise  # it waits until the site works again
        if isinstance(error.__cause__, DeadlockDetected):
            job.state = State.FAILED
            job.refusal = _("Somebody else was changing the same results. Try again.")
            return
        logger.exception("Job %d (%s) failed.", job.pk, job.kind)
        job.state = State.FAILED
        job.refusal = _("Something went wrong and nothing was changed. See the log for details.")
    else:
        job.state = State.DONE
