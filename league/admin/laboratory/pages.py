"""The pages of the rating laboratory: start a comparison, follow it, and use what it found."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods
from django_htmx.middleware import HtmxDetails

from league import waking
from league.admin.core.reasons import ReasonField
from league.admin.jobs.jobs import RESULTS, lead_to
from league.admin.laboratory.forms import CompareForm
from league.admin.laboratory.report import report
from league.admin.seasons.pages import may_run_seasons
from league.models import Arena, Job
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.laboratory import asking, comparisons, entries, histories, outcomes

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import Season, User
    from league.services.laboratory.comparisons import Comparison

RESULTS[asking.KIND] = "admin:league_arena_comparison"

either = require_http_methods(["GET", "HEAD", "POST"])


class UseForm(forms.Form):
    """Which system to use or to try, and why."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    entry = forms.ChoiceField(
        label=gettext_lazy("System"),
        error_messages={"required": gettext_lazy("Choose one of the systems that are done.")},
    )
    reason = ReasonField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=gettext_lazy(
            "Needed to use it in the next season. Everyone can read it with the season’s rules."
        ),
    )

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entry"].choices = choices  # type: ignore[attr-defined]


def urls() -> list[URLPattern]:
    """Return the addresses of the pages, below those of arenas."""
    view = admin.site.admin_view
    return [
        path(
            "<int:arena_id>/laboratory/",
            view(either(laboratory)),
            name="league_arena_laboratory",
        ),
        path(
            "laboratory/<int:job_id>/",
            view(either(comparison)),
            name="league_arena_comparison",
        ),
    ]


def laboratory(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Show what can be compared in an arena; on POST, start a comparison."""
    arena = Arena.objects.filter(pk=arena_id).first()
    if arena is None or not may_run_seasons(request, arena):
        raise PermissionDenied
    season = histories.season_of(arena)
    matches, _last = histories.counted(season) if season else (0, 0)
    obstacle = asking.too_few(season, matches)
    with timezone.override(arena.zone):
        initial = {} if obstacle or not season else initial_of(season, matches)
        form = CompareForm(request.POST or None, arena=arena, initial=initial)
        if not obstacle and form.is_valid() and (answer := started(request, arena, form)):
            return answer
        context = {
            **about(arena),
            **admin.site.each_context(request),
            "title": _("Compare rating systems"),
            "season": season,
            "matches": matches,
            "obstacle": obstacle,
            "form": form,
            "latest": comparisons.latest(arena),
            "most_fitted": entries.MOST_FITTED,
            "most_systems": entries.MOST_SYSTEMS,
            "minutes": int(asking.LONGEST.total_seconds() // 60),
        }
        name = "admin/league/laboratory/form.html"
        return TemplateResponse(request, name, context).render()


def initial_of(season: Season, matches: int) -> dict[str, Any]:
    return {"split": typeable(histories.middle_of(season, matches))}


def typeable(moment: datetime) -> datetime:
    """Return a time in the active zone that its clocks show once only, at most hours before."""
    local = timezone.localtime(moment)
    while local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
        local = timezone.localtime(local - timedelta(hours=1))
    return local


def about(arena: Arena) -> dict[str, Any]:
    return {
        "subtitle": str(arena),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": arena,
    }


def started(request: HttpRequest, arena: Arena, form: CompareForm) -> HttpResponse | None:
    """Start a comparison and lead to it, or note why not at the form."""
    by, now = cast("User", request.user), database_now()
    try:
        found = entries.entries(arena, form.chosen())
        made = asking.ask(arena, found, form.cleaned_data["split"], by=by, now=now)
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None
    for job in made:
        waking.begin_job(job)
    return HttpResponseRedirect(page_of(made[0]))


def page_of(job: Job) -> str:
    return reverse("admin:league_arena_comparison", args=[job.pk])


def comparison(request: HttpRequest, job_id: int) -> HttpResponse:
    """Show how far a comparison is and what it found; on POST, cancel it or take a way on."""
    jobs = Job.objects.select_related("arena", "season__arena").filter(kind=asking.KIND)
    job = get_object_or_404(jobs, pk=job_id) if may_run_some(request) else None
    found = comparisons.of_job(job) if job else None
    if found is None or not may_run_seasons(request, found.arena):
        raise PermissionDenied
    shown = report(found)
    choices = [(row.key, row.label) for row in shown.rows]
    form = UseForm(
        request.POST or None, choices=choices, initial={"seen": outcomes.seen(found.arena)}
    )
    if request.method == "POST" and (answer := acted(request, found, form)):
        return answer
    with timezone.override(found.arena.zone):
        context = {
            **about(found.arena),
            **admin.site.each_context(request),
            "title": _("Comparison of rating systems"),
            "comparison": found,
            "season": found.season,
            "report": shown,
            "form": form,
            "address": page_of(found.first),
        }
        part = "_progress" if HtmxDetails(request) else "comparison"
        name = f"admin/league/laboratory/{part}.html"
        return TemplateResponse(request, name, context).render()


def may_run_some(request: HttpRequest) -> bool:
    """Return whether the reader may run the seasons of any arena."""
    user = cast("User", request.user)
    return all(
        arenas is None or bool(arenas)
        for arenas in (
            user.arenas_with("league.change_arena"),
            user.arenas_with("league.add_season"),
        )
    )


def acted(request: HttpRequest, found: Comparison, form: UseForm) -> HttpResponse | None:
    """Do what a button says, or note why not at the form."""
    way = request.POST.get("way", "")
    if way in {"cancel", "again"}:
        go_on(request, found, way)
        return HttpResponseRedirect(request.path)
    if not form.is_valid():
        return None
    try:
        if way == "try":
            by, now = cast("User", request.user), database_now()
            return lead_to(outcomes.try_out(found, form.cleaned_data["entry"], by=by, now=now))
        if way == "use":
            return used(request, found, form)
        form.add_error(None, _("Choose what to do next."))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
    return None


def go_on(request: HttpRequest, found: Comparison, way: str) -> None:
    """Cancel what waits, or start again what failed or was cancelled."""
    by, now = cast("User", request.user), database_now()
    if way == "cancel":
        comparisons.cancel(found, now)
        return
    try:
        for job in comparisons.again(found, by=by, now=now):
            waking.begin_job(job)
    except Refused as refusal:
        messages.error(request, refusal.message)


def used(request: HttpRequest, found: Comparison, form: UseForm) -> HttpResponse:
    """Plan a system for the next season. Raises ``Refused``."""
    given = form.cleaned_data
    arena = outcomes.plan(
        found,
        given["entry"],
        digest=given["seen"],
        by=cast("User", request.user),
        reason=given["reason"],
        now=database_now(),
    )
    text = _("The next season of %(arena)s will have these rules.") % {"arena": arena}
    messages.success(request, text)
    return HttpResponseRedirect(request.path)
