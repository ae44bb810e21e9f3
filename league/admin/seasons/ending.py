"""End, archive or call off a season, each with a preview."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from league.admin.core.audit import record
from league.admin.seasons.pages import about, may_run_seasons
from league.models import Arena, Season, StaffAction
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.seasons import archives, end_previews, ending, planning
from league.services.standings import absence

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

DAY = timedelta(days=1)
STEPS = {
    "end": ending.end,
    "freeze": ending.freeze_early,
    "call-off": planning.call_off,
}
MESSAGES = {
    "end": gettext_lazy("“%(season)s” has ended."),
    "freeze": gettext_lazy("“%(season)s” is archived."),
    "call-off": gettext_lazy("“%(season)s” is called off."),
}


WAS = {"end": "running", "freeze": "ended", "call-off": "planned"}
IS = {"end": "ended", "freeze": "archived", "call-off": "called off"}


class StepForm(forms.Form):
    """The step that the page previewed, so that sending it twice takes one step only."""

    step = forms.ChoiceField(choices=[(step, step) for step in STEPS])


def end_season(request: HttpRequest, arena_id: int, season_id: int) -> HttpResponse:
    """Preview the next step of a season's end, and take it on POST."""
    if not may_run_seasons(request, Arena.objects.filter(pk=arena_id).first()):
        raise PermissionDenied
    of_arena = Season.objects.select_related("arena").filter(arena=arena_id)
    season = get_object_or_404(of_arena, pk=season_id)
    now = database_now()
    if request.method == "POST":
        form = StepForm(request.POST)
        if form.is_valid():
            take(request, season, form.cleaned_data["step"], now)
        if not of_arena.filter(pk=season_id).exists():
            return redirect("admin:league_arena_change", arena_id)
        return HttpResponseRedirect(
            reverse("admin:league_arena_end_season", args=[arena_id, season_id])
        )
    if season.opened_at is None:
        return show_planned(request, season)
    its_end = about_end(season, now)
    if its_end["archive"] is None:
        return redirect(season)
    running = season.ends_at is None or season.ends_at > now
    context = {
        **about(request, season),
        **its_end,
        "title": _("End a season") if running else _("Archive a season"),
        "running": running,
        "state": archives.state_of(season, now),
        "shows": season.shows,
        "absence": absence.preview(season, now + DAY) if running else None,
        "next": season.arena.seasons.filter(starts_at__gt=season.starts_at).last(),
    }
    with timezone.override(season.arena.zone):
        return TemplateResponse(request, "admin/league/arena/end_season.html", context).render()


def about_end(season: Season, now: datetime) -> dict[str, Any]:
    """Return the template context that previews the end of a season."""
    return {
        "ending": season,
        "archive": end_previews.preview(season, now),
        "competitions": list(season.competitions.unfinished()),
    }


def show_planned(request: HttpRequest, season: Season) -> HttpResponse:
    """Show a season that has not begun, and what calling it off would do."""
    rules = season.arena.rules()
    context = {
        **about(request, season),
        "title": _("Call off a season"),
        "rules": rules,
        "obstacle": planning.obstacle_to(season, rules),
        "remark": planning.remark_on(season, rules),
        "before": season.arena.seasons.filter(ends_at=season.starts_at).first(),
    }
    with timezone.override(season.arena.zone):
        return TemplateResponse(
            request, "admin/league/arena/call_off_season.html", context
        ).render()


def take(request: HttpRequest, season: Season, step: str, now: datetime) -> None:
    if not STEPS[step](season.pk, now=now):
        messages.warning(request, _("Nothing was done: the season changed in the meantime."))
        return
    if step == "freeze":
        ending.settle_late(now)
    record_step(request, season, step)


def record_step(request: HttpRequest, season: Season, step: str) -> None:
    """Record that a step was taken, and tell the reader."""
    record(
        request,
        StaffAction.Kind.SEASON,
        season,
        before={"State": WAS[step]},
        after={"State": IS[step]},
    )
    message = MESSAGES[step] % {"season": season.name}
    admin.site.get_model_admin(Arena).log_change(request, season.arena, message)
    messages.success(request, message)
