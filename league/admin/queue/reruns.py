"""Yesterday's queue under other settings: the button of the queue form, and what came out."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.admin.core.trying import TriesForm
from league.admin.jobs.jobs import RESULTS, lead_to
from league.admin.queue.forms import EVERY_RULE, rule_value
from league.models import ArenaQueue, Job
from league.services.core import durations
from league.services.core.clock import database_now
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
    ("p95", gettext_lazy("95% waited at most"), "seconds"),
    ("longest", gettext_lazy("Longest wait"), "seconds"),
    ("waiting", gettext_lazy("Still waiting at the end"), "count"),
    ("gap", gettext_lazy("Mean gap between the teams’ ratings"), "points"),
    ("gap_p95", gettext_lazy("95% of gaps are at most"), "points"),
    ("fair", gettext_lazy("Fair matches (forecast from 40% to 60%)"), "share"),
    ("repeats", gettext_lazy("Opponents who had just met"), "share"),
)
"""What the page compares: the name of each figure, its label, and what it is."""

RESULTS[rerunning.KIND] = "admin:league_arenaqueue_rerun"


class RerunsQueue(TriesForm):
    """Run the ticks of the last day again with the settings in the form of a queue."""

    def try_typed(self, request: HttpRequest, typed: ArenaQueue) -> HttpResponse:
        settings = rerunning.Settings(typed.matcher, typed.matching())
        by = cast("User", request.user)
        return lead_to(rerunning.ask(typed.arena, settings, by=by, now=database_now()))

    def get_urls(self) -> list[URLPattern]:
        view = path(
            "reruns/<int:job_id>/",
            self.admin_site.admin_view(self.rerun_view),
            name="league_arenaqueue_rerun",
        )
        return [view, *super().get_urls()]

    @method_decorator(require_safe)
    def rerun_view(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """Show what came out of a re-run, old beside new."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        done = Job.objects.filter(kind=rerunning.KIND, state=Job.State.DONE)
        job = get_object_or_404(done.select_related("arena__queue", "by"), pk=job_id)
        if not request.user.has_perm("league.change_arenaqueue", job.arena):
            raise PermissionDenied
        result = cast("dict[str, Any]", job.result)
        context = {
            **admin.site.each_context(request),
            "title": _("Yesterday’s queue with other settings"),
            "subtitle": str(job.arena),
            "opts": self.opts,
            "job": job,
            "queue": getattr(job.arena, "queue", None),
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
            "changes": list(in_words(result["differences"])),
        }
        return TemplateResponse(request, "admin/league/queue/rerun.html", context)


def figure_text(value: float | None, kind: str) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "–"
    if kind == "seconds":
        return durations.in_words(timedelta(seconds=round(value)))
    if kind == "share":
        return percent(value)
    return number_format(value, 1 if kind == "points" else 0)


def in_words(differences: list[list[Any]]) -> Iterator[dict[str, Any]]:
    """Yield the settings that differ, with the labels of the form."""
    known = {f"{rule.group}.{rule.declaration.name}": rule.declaration for rule in EVERY_RULE}
    for name, old, new in differences:
        declared = known.get(name)
        values = [rule_value(declared, each) if declared else each for each in (old, new)]
        label = _(declared.label) if declared else name
        yield {"field": label, "old": str(values[0]), "new": str(values[1])}
