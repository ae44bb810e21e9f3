"""Comparisons as they are stored: a job for each system."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from league.models import Job
from league.services.core.clock import moment
from league.services.jobs import jobs
from league.services.laboratory.asking import KIND, check_running
from league.services.seasons.planning import lock_planners

if TYPE_CHECKING:
    from league.models import Arena, Season, User

MOST_SHOWN = 5
MOST_JOBS = 12
"""Jobs of a comparison among which its latest is sought, some of them started again."""
State = Job.State


@dataclass(frozen=True)
class Comparison:
    """Systems that were compared together, the latest job of each, in the order of the form."""

    arena: Arena
    season: Season
    jobs: list[Job]

    @property
    def first(self) -> Job:
        return self.jobs[0]

    @property
    def split(self) -> datetime:
        """From when on matches are judged."""
        return moment(self.first.given["split"])

    @property
    def asked_at(self) -> datetime:
        return datetime.fromisoformat(self.first.given["at"])

    @property
    def is_waiting(self) -> bool:
        return any(job.state == State.WAITING for job in self.jobs)

    @property
    def is_cancelled(self) -> bool:
        """Whether somebody has asked every waiting job to stop."""
        return all(job.cancelled_at for job in self.jobs if job.state == State.WAITING)

    @property
    def unfinished(self) -> list[Job]:
        """Jobs that failed or were cancelled."""
        return [job for job in self.jobs if job.state in {State.FAILED, State.CANCELLED}]

    @property
    def done(self) -> dict[str, dict[str, Any]]:
        """What was found, by entry."""
        return {
            job.given["entry"]: job.result
            for job in self.jobs
            if job.state == State.DONE and job.result
        }


def of_job(job: Job) -> Comparison | None:
    """Return the comparison that a job belongs to, ``None`` if it is about nothing any more."""
    if job.arena is None or job.season is None:
        return None
    together = Job.objects.filter(
        kind=KIND, arena=job.arena, given__comparison=job.given.get("comparison")
    )
    latest: dict[str, Job] = {}
    for each in together.select_related("by").order_by("pk"):
        latest[each.given["entry"]] = each
    return Comparison(job.arena, job.season, list(latest.values())) if latest else None


def latest(arena: Arena) -> list[Job]:
    """Return the first job of each of an arena's latest comparisons, the latest first."""
    found: dict[str, Job] = {}
    of_arena = Job.objects.filter(kind=KIND, arena=arena).select_related("by").defer("result")
    for job in of_arena.order_by("-pk")[: MOST_SHOWN * MOST_JOBS]:
        found[job.given["comparison"]] = job
    return list(found.values())[:MOST_SHOWN]


def cancel(comparison: Comparison, now: datetime) -> None:
    """Ask the workers to stop. What is done stays done."""
    for job in comparison.jobs:
        jobs.cancel(job, now)


def again(comparison: Comparison, *, by: User, now: datetime) -> list[Job]:
    """Start the systems again that failed or were cancelled. Raises ``Conflict`` if one runs."""
    with transaction.atomic():
        lock_planners(comparison.arena)
        check_running(comparison.arena, by)
        return [jobs.retry(job, by=by, now=now) for job in comparison.unfinished]
