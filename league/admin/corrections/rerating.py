"""The page on which staff rate a season again under its present rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy

from league.admin.core.reasons import ReasonField
from league.admin.jobs.jobs import RESULTS, lead_to
from league.admin.seasons.pages import about, may_run_seasons
from league.models import Job, Season
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.corrections import rerating
from league.services.jobs import jobs
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User

RESULTS[rerating.JOB] = "admin:league_arena_rerated"


class RerateForm(forms.Form):
    reason = ReasonField(
        help_text=gettext_lazy("It stays in the record."),
    )


def rerate(request: HttpRequest, arena_id: int, season_id: int) -> HttpResponse:
    """Ask for a reason, and let a worker rate the season again."""
    seasons = Season.objects.opened().select_related("arena").filter(archived_at=None)
    season = seasons.filter(pk=season_id, arena=arena_id).first()
    check_staff(request, season)
    if season is None:
        raise Http404
    form = RerateForm(request.POST or None)
    if form.is_valid():
        job = jobs.ask(
            rerating.JOB,
            _("Rate %(season)s again") % {"season": season},
            by=cast("User", request.user),
            now=database_now(),
            arena=season.arena,
            season=season,
            reason=form.cleaned_data["reason"],
        )
        return lead_to(job)
    return page(request, season, form=form)


def show_rerated(request: HttpRequest, job_id: int) -> HttpResponse:
    """Say what a finished job changed."""
    jobs_done = Job.objects.select_related("season__arena")
    job = jobs_done.filter(pk=job_id, state=Job.State.DONE, kind=rerating.JOB).first()
    check_staff(request, job.season if job else None)
    if job is None or job.season is None:
        raise Http404
    return page(request, job.season, done=job.result)


def page(request: HttpRequest, season: Season, **context: object) -> HttpResponse:
    context = {
        **about(request, season),
        "title": _("Rate a season again"),
        "matches": season.matches.rated().count(),
        "shows": season.shows,
        **context,
    }
    return TemplateResponse(request, "admin/league/arena/rerate.html", context).render()


def check_staff(request: HttpRequest, season: Season | None) -> None:
    arena = season.arena if season else None
    if not may_run_seasons(request, arena) or not request.user.has_perm(own_matches.CORRECT, arena):
        raise PermissionDenied
