"""Yesterday's queue under other settings: the button of the queue form, and what came out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.audit import LONGEST_REASON, reason_in
from league.admin.core.reasons import ReasonField
from league.admin.core.trying import BUTTON, TriesForm
from league.admin.jobs.jobs import RESULTS, lead_to
from league.admin.queue.forms import QUEUE_RULES, rule_value
from league.clients import AUTHOR, TOKEN
from league.models import ArenaQueue, Job
from league.services.core import durations
from league.services.core.clock import database_now
from league.services.core.declared import declarations
from league.services.core.errors import Conflict, Refused
from league.services.core.numbers import percent
from league.services.queue import rerunning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

FIGURES = (
    ("matches", gettext_lazy("Matches made"), "count"),
    ("median", gettext_lazy("Median wait of a matched party"), "seconds"),
    ("p95", gettext_lazy("95 % waited at most"), "seconds"),
    ("longest", gettext_lazy("Longest wait"), "seconds"),
    ("waiting", gettext_lazy("Still waiting at the end"), "count"),
    ("gap", gettext_lazy("Mean gap between the teams’ ratings"), "points"),
    ("gap_p95", gettext_lazy("95 %: the gap is at most"), "points"),
    (
        "fair",
        gettext_lazy("Fair matches (forecast from 40 % to 60 %)"),
        "share",
    ),
    ("repeats", gettext_lazy("Opponents who had just met"), "share"),
)
"""The values that the page compares, each with its name, label and kind."""

RESULTS[rerunning.KIND] = "admin:league_arenaqueue_rerun"

RERUN = "_rerun"
"""The field of the queue form that names the re-run whose settings it applies."""
NOT_TYPED = {TOKEN, AUTHOR, BUTTON, RERUN, "_reason", "_theirs"}


class DiscardForm(forms.Form):
    """The reason not to use the settings of a re-run."""

    reason = ReasonField(
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=gettext_lazy("For the staff log."),
    )


class RerunsQueue(TriesForm):
    """Run the ticks of the last day again with the settings in the form of a queue."""

    def try_typed(self, request: HttpRequest, typed: ArenaQueue) -> HttpResponse:
        settings = rerunning.Settings(typed.matcher, typed.matching())
        by, now = cast("User", request.user), database_now()
        sent = {name: sent for name, sent in request.POST.lists() if name not in NOT_TYPED}
        return lead_to(rerunning.ask(typed.arena, settings, by=by, now=now, typed=sent))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        if request.method == "POST" and RERUN in request.POST and BUTTON not in request.POST:
            job = applied_job(request, object_id)
            if job is None:
                self.refuse(request, _("The re-run of these settings no longer exists."))
            elif why := rerunning.describe_decision(job):
                self.refuse(request, why)
            elif not reason_in(request):
                self.refuse(request, _("Give a reason for the staff log."))
        return super().changeform_view(request, object_id, form_url, extra_context)

    def response_change(self, request: HttpRequest, obj: ArenaQueue) -> HttpResponse:
        if job := applied_job(request, str(obj.pk)):
            try:
                rerunning.settle(job, "applied")
            except Conflict as refusal:  # somebody decided the same at the same moment
                self.message_user(request, refusal.message, messages.WARNING)
        return super().response_change(request, obj)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        """Show the form. One that applies a re-run keeps its number, and the reason."""
        queue = context.get("original")
        job = applied_job(request, str(queue.pk)) if queue else None
        if job and not rerunning.describe_decision(job):
            context |= {"rerun": job.pk, "reason": reason_in(request)}
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        view = path(
            "reruns/<int:job_id>/",
            self.admin_site.admin_view(self.rerun_view),
            name="league_arenaqueue_rerun",
        )
        return [view, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def rerun_view(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """Show what came out of a re-run, old beside new; on POST, discard its settings.

        To apply them, its form is sent to the page of the queue.
        """
        if not self.has_change_permission(request):
            raise PermissionDenied
        done = Job.objects.filter(kind=rerunning.KIND, state=Job.State.DONE)
        job = get_object_or_404(done.select_related("arena__queue", "by"), pk=job_id)
        if not request.user.has_perm("league.change_arenaqueue", job.arena):
            raise PermissionDenied
        result = cast("dict[str, Any]", job.result)
        form = DiscardForm(request.POST if request.method == "POST" else None)
        if form.is_valid() and (answer := self.discard_settings(request, job, form)):
            return answer
        queue, typed = getattr(job.arena, "queue", None), job.given.get("typed", {})
        context = {
            **admin.site.each_context(request),
            "title": _("Yesterday’s queue with other settings"),
            "subtitle": str(job.arena),
            "opts": self.opts,
            "job": job,
            "queue": queue,
            "form": form,
            "decided": rerunning.describe_decision(job),
            "typed": [(name, value) for name, sent in typed.items() for value in sent],
            "may_apply": bool(typed) and queue is not None,
            "result": result,
            "since": datetime.fromisoformat(result["since"]),
            "until": datetime.fromisoformat(result["until"]),
            "rows": [
                (
                    label,
                    figure_text(result["old"].get(name), kind),
                    figure_text(result["new"].get(name), kind),
                )
                for name, label, kind in FIGURES
            ],
            "changes": list(describe_differences(result["differences"])),
        }
        return TemplateResponse(request, "admin/league/queue/rerun.html", context)

    def discard_settings(
        self, request: HttpRequest, job: Job, form: DiscardForm
    ) -> HttpResponse | None:
        """Discard the settings of a re-run, or note why not at the form."""
        by, now = cast("User", request.user), database_now()
        try:
            rerunning.discard(job, by=by, reason=form.cleaned_data["reason"], now=now)
        except Refused as refusal:
            form.add_error(None, refusal.message)
            return None
        self.message_user(request, _("The settings were discarded."), messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:league_arenaqueue_changelist"))


def applied_job(request: HttpRequest, queue_id: Any) -> Job | None:
    """Return the re-run whose settings the sent form of a queue applies."""
    number = request.POST.get(RERUN, "")
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        return None
    done = Job.objects.filter(kind=rerunning.KIND, state=Job.State.DONE)
    return done.filter(pk=int(number), arena__queue=queue_id).first()


def figure_text(value: float | None, kind: str) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "–"
    if kind == "seconds":
        return durations.describe_duration(timedelta(seconds=round(value)))
    if kind == "share":
        return percent(value)
    return number_format(value, 1 if kind == "points" else 0)


def describe_differences(differences: list[list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the settings that differ, with the labels of the form."""
    known = {
        f"{group}.{one.name}": one
        for group, model in QUEUE_RULES.items()
        for one in declarations(model)
    }
    for name, old, new in differences:
        declared = known.get(name)
        values = [rule_value(declared, each) if declared else each for each in (old, new)]
        label = declared.label if declared else name
        yield {"field": label, "old": str(values[0]), "new": str(values[1])}
