"""Ask for slow work, and wake a worker for it.

Without the broker nobody is woken, and a task that runs every few seconds finds what was asked for.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from league import tasks
from league.services import corrections
from league.services.core.clock import database_now
from league.services.demo import requests as demo
from league.services.merging import requests as merges

if TYPE_CHECKING:
    from celery import Task

    from league.models import CorrectionRequest, DataExport, DemoRequest, Job, MergeRequest, User


def wake(task: Task[..., Any], *given: int) -> None:
    """Ask a worker for a task now. Without the broker, nobody is asked."""
    with suppress(OperationalError, RedisError):
        # Celery would try for a while, and the page that asks would wait.
        task.apply_async(given, retry=False)


def fill_charts() -> None:
    """Wake workers for what charts show. Without the broker, it happens some minutes later."""
    wake(tasks.note_days)
    wake(tasks.compute_hindsight)


def begin_correction(request: CorrectionRequest) -> CorrectionRequest:
    """Make a quick correction at once, or leave it to a worker. Return its current state.

    If the broker cannot be reached, the sweeper finds the correction.
    """
    if corrections.is_quick(request):
        return corrections.carry_out(request.pk, database_now()) or request
    wake(tasks.carry_out_correction, request.pk)
    return request


def begin_merge(request: MergeRequest) -> MergeRequest:
    """Make a quick merge at once, or leave it to a worker. Return its current state.

    If the broker cannot be reached, the sweeper finds the merge.
    """
    if merges.is_quick(request):
        return merges.carry_out(request.pk, database_now()) or request
    wake(tasks.carry_out_merge, request.pk)
    return request


def begin_demo(by: User) -> DemoRequest:
    """Ask for the demo league, and wake a worker. Without the broker, the sweeper finds it."""
    request = demo.ask(by, database_now())
    wake(tasks.create_requested_demo)
    return request


def begin_export(asked: DataExport) -> DataExport:
    """Wake a worker for a data export. Without the broker, the sweeper finds it."""
    wake(tasks.make_exports)
    return asked


def begin_job(job: Job) -> Job:
    """Wake a worker for a job. Without the broker, the sweeper finds it."""
    wake(tasks.carry_out_job, job.pk)
    return job
