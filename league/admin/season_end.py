"""The end of a season: looked at beforehand, then brought about, then frozen."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Arena, Season
from league.services import absence, archives, season_end
from league.services.clock import database_now

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

DAY = timedelta(days=1)
STEPS = {"end": season_end.end, "freeze": season_end.freeze_early}


class StepForm(forms.Form):
    """The step that was looked at, so that an answer given twice does it once."""

    step = forms.ChoiceField(choices=[(step, step) for step in STEPS])


def end_season(request: HttpRequest, arena_id: int, season_id: int) -> HttpResponse:
    """Show what the next step of a season's end would do, and take it when asked to."""
    if not may_end(request):
        raise PermissionDenied
    seasons = Season.objects.select_related("arena").filter(arena=arena_id)
    season = get_object_or_404(seasons.opened(), pk=season_id)
    now = database_now()
    if request.method == "POST":
        form = StepForm(request.POST)
        if form.is_valid():
            take(request, season, form.cleaned_data["step"], now)
        return HttpResponseRedirect(
            reverse("admin:league_arena_end_season", args=[arena_id, season_id])
        )
    told = season_end.preview(season, now)
    if told is None:
        return redirect(season)
    running = season.ends_at is None or season.ends_at > now
    context = {
        **admin.site.each_context(request),
        "title": _("End a season") if running else _("Archive a season"),
        "subtitle": str(season),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": season.arena,
        "season": season,
        "running": running,
        "state": archives.state_of(season, now),
        "rules": season.season_rules(),
        "shows": season.system().shows,
        "preview": told,
        "absence": absence.preview(season, now + DAY) if running else None,
        "next": season.arena.seasons.filter(starts_at__gt=season.starts_at).last(),
    }
    with timezone.override(season.arena.zone):
        return TemplateResponse(request, "admin/league/arena/end_season.html", context).render()


def may_end(request: HttpRequest) -> bool:
    """Whether the reader may: who may change arenas and open seasons."""
    return request.user.has_perms(["league.change_arena", "league.add_season"])


def take(request: HttpRequest, season: Season, step: str, now: datetime) -> None:
    if not STEPS[step](season.pk, now=now):
        messages.warning(request, _("Nothing was done: somebody was there before you. Look again."))
        return
    if step == "freeze":
        season_end.settle_late(now)
    said = {"end": _("“%(season)s” has ended."), "freeze": _("“%(season)s” is archived.")}[step]
    messages.success(request, said % {"season": season.name})
