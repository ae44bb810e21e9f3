"""Open or plan an arena's next season."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone

from league.admin.core.audit import plain, record
from league.admin.seasons.ending import about_end, record_step
from league.admin.seasons.pages import may_run_seasons
from league.admin.seasons.seasons import OpenSeasonForm
from league.models import Arena, StaffAction
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.seasons.opening import open_season
from league.services.seasons.planning import next_season, obstacle_to, plan_season, remark_on
from league.services.seasons.starting_ratings import preview
from ratings.registry import KNOWN_SYSTEMS

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import Season


def may_open_season(request: HttpRequest, arena: Arena | None) -> bool:
    """Return whether the reader may open a season. Publishing a draft opens its first."""
    return may_run_seasons(request, arena) and not (arena and arena.is_draft)


@transaction.atomic
def open_next(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Show the form for the next season, and open or plan it on POST."""
    arena = get_object_or_404(Arena.objects.select_for_update(no_key=True), pk=arena_id)
    if not may_open_season(request, arena):
        raise PermissionDenied
    now = database_now()
    running = arena.current_season(now)
    with timezone.override(arena.zone):
        form = OpenSeasonForm(request.POST or None, running=running, now=now)
        if form.is_valid() and (season := opened_or_planned(arena, form, now)):
            return say_it_is_open(request, season, running)
    season = next_season(arena, now)
    context = {
        **admin.site.each_context(request),
        "title": _("Open a new season"),
        "subtitle": str(arena),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": arena,
        "running": running,
        **(about_end(running, now) if running else {}),
        "system": _(KNOWN_SYSTEMS[arena.rating_system].label),
        "form": form,
        "preview": preview(season),
        "obstacle": obstacle_to(season, season.season_rules()),
        "shows": season.shows,
    }
    return TemplateResponse(request, "admin/league/arena/open_season.html", context)


def opened_or_planned(arena: Arena, form: OpenSeasonForm, now: datetime) -> Season | None:
    """Open or plan a season, or return ``None`` after adding the error to the form."""
    given = form.cleaned_data
    begins = open_season if given["starts_at"] is None else plan_season
    try:
        return begins(
            arena,
            starts_at=given["starts_at"] or now,
            name=given["name"],
            ends_at=given["ends_at"],
        )
    except ValidationError as error:
        form.refuse(error)
        return None


def say_it_is_open(request: HttpRequest, season: Season, running: Season | None) -> HttpResponse:
    """Record that a season is open or planned, and that the one which was running has ended."""
    if running and season.opened_at:
        record_step(request, running, "end")
    added = [{"added": {"name": _("season"), "object": season.name}}]
    admin.site.get_model_admin(Arena).log_change(request, season.arena, added)
    after = {"Season": season.name, "Starts": plain(season.starts_at)}
    record(request, StaffAction.Kind.SEASON, season, after=after)
    text = _("“%(season)s” has begun.") if season.opened_at else _("“%(season)s” is planned.")
    messages.success(request, text % {"season": season.name})
    if remark := remark_on(season, season.season_rules()):
        messages.warning(request, remark)
    return HttpResponseRedirect(reverse("admin:league_arena_change", args=[season.arena_id]))
