"""Long work that staff started: how far it is, how it ended, and buttons to cancel or retry it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.middleware import HtmxDetails

from league import waking
from league.admin.core.base import ReadOnly
from league.admin.core.exports import Exports
from league.admin.frontpage.kinds import Attention
from league.admin.jobs.kinds import OfKind
from league.models import Job
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.jobs import jobs

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

RESULTS: dict[str, str] = {}
"""The page of the admin that shows a finished job of a kind. It takes the job's id, or the one that
the job has been ``given`` by a name in ``ROWS``."""
ROWS: dict[str, str] = {}
PAGE = "admin:league_job_change"


def page_of(job: Job) -> str:
    """Return the address that shows a job's progress, and its result once there is one."""
    return reverse(PAGE, args=[job.pk])


@admin.register(Job)
class JobAdmin(Exports, ReadOnly):
    """Whoever started a job may follow it; the list is for staff who may view all."""

    export_columns = (
        "id",
        "kind",
        "title",
        "arena__slug",
        "by__username",
        "at",
        "state",
        "attempts",
        "finished_at",
        "refusal",
    )
    list_display = ("title", "by", "at", "state", "finished_at")
    list_filter = (Attention, "state", OfKind, "at")
    list_select_related = ("by",)
    ordering = ("-id",)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<path:object_id>/change/", view(self.job_view), name="league_job_change"),
            *(each for each in super().get_urls() if each.name != "league_job_change"),
        ]

    def job_for(self, request: HttpRequest, number: str) -> Job:
        jobs_of_all = Job.objects.select_related("by", "arena", "season")
        job = get_object_or_404(jobs_of_all, pk=number if number.isdecimal() else None)
        if job.by_id != request.user.pk and not self.has_view_permission(request, job):
            raise PermissionDenied
        return job

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def job_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show how far a job is, until it is done, and cancel it or start it again."""
        job = self.job_for(request, object_id)
        if request.method == "POST":
            if job.by_id != request.user.pk and not request.user.has_perm("league.change_job"):
                raise PermissionDenied
            return self.again(request, job) if "again" in request.POST else self.cancel(job)
        step, done, total = jobs.progress_of(job) or ("", 0, 0)
        context = {
            **self.admin_site.each_context(request),
            "title": job.title,
            "opts": self.opts,
            "job": job,
            "is_waiting": job.state == Job.State.WAITING,
            "step": step,
            "done": done,
            "total": total,
            "percent": 100 * done // total if total else None,
            "result": reverse(RESULTS[job.kind], args=[job.given.get(ROWS.get(job.kind), job.pk)])
            if job.state == Job.State.DONE and job.kind in RESULTS
            else "",
        }
        name = "_progress" if HtmxDetails(request) else "progress"
        return TemplateResponse(request, f"admin/league/job/{name}.html", context)

    def cancel(self, job: Job) -> HttpResponse:
        jobs.cancel(job, database_now())
        return HttpResponseRedirect(page_of(job))

    def again(self, request: HttpRequest, job: Job) -> HttpResponse:
        try:
            new = jobs.retry(job, by=cast("User", request.user), now=database_now())
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
            return HttpResponseRedirect(page_of(job))
        self.message_user(request, _("The job was started again."), messages.SUCCESS)
        return lead_to(new)


def preview_result(request: HttpRequest, kind: str, **given: int) -> dict[str, Any] | None:
    """Return the result of the done job that ``?preview=`` names, if it is about ``given``."""
    number = request.GET.get("preview", "")
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        return None
    found = Job.objects.filter(pk=int(number), kind=kind, state=Job.State.DONE, given=given)
    result: dict[str, Any] | None = found.values_list("result", flat=True).first()
    return result


def lead_to(job: Job) -> HttpResponse:
    """Wake a worker for a new job, and lead to the page that shows how far it is."""
    return HttpResponseRedirect(page_of(waking.begin_job(job)))
