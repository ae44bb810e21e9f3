"""The page of other rules of a season, and the button of the arena form that tries them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.admin.core.trying import TriesForm
from league.admin.jobs.jobs import lead_to
from league.admin.other_rules import saved
from league.admin.other_rules.forms import TryForm
from league.admin.other_rules.report import points_of
from league.admin.seasons.pages import about, may_run_seasons
from league.models import Arena, Season, SeasonAccuracy
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.other_rules import asking, candidates, working
from league.services.seasons.hindsight import rank_error_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User

MOST_LISTED = 10


def urls() -> list[URLPattern]:
    """Return the address of the page, below those of arenas."""
    either = require_http_methods(["GET", "HEAD", "POST"])
    return [
        path(
            "<int:arena_id>/other-rules/<int:season_id>/",
            admin.site.admin_view(either(other_rules)),
            name="league_arena_other_rules",
        ),
        path(
            "<int:arena_id>/saved-rules/",
            admin.site.admin_view(saved.apply_saved),
            name="league_arena_saved_rules",
        ),
    ]


def other_rules(request: HttpRequest, arena_id: int, season_id: int) -> HttpResponse:
    """Show how good a season's forecasts were, and the form that tries others; on POST, try."""
    if not may_run_seasons(request, Arena.objects.filter(pk=arena_id).first()):
        raise PermissionDenied
    opened = Season.objects.select_related("arena").filter(opened_at__isnull=False)
    season = get_object_or_404(opened, arena=arena_id, pk=season_id)
    matches = asking.rated_games(season).count()
    with timezone.override(season.arena.zone):
        form = None
        if matches:
            split = typeable(asking.middle_of(season, matches))
            fits = matches >= 2 * asking.LEAST_JUDGED
            given = request.POST or None
            form = TryForm(given, season=season, fits=fits, initial={"split": split})
            if form.is_valid() and (answer := start(request, season, form)):
                return answer
        accuracy = SeasonAccuracy.objects.filter(season=season, matches__gt=0).first()
        context = {
            **about(request, season),
            "title": _("Other rules"),
            "accuracy": accuracy,
            "plots": plots(accuracy),
            "rank_error": rank_error_of(season),
            "matches": matches,
            "form": form,
            "latest": season.trials.select_related("by").order_by("-pk")[:MOST_LISTED],
            "most_fitted": candidates.MOST_FITTED,
            "most": candidates.MOST,
            "minutes": int(working.LONGEST.total_seconds() // 60),
        }
        # Rendered here, where the arena's time zone is active. Django would do it after this view.
        return TemplateResponse(request, "admin/league/other_rules/season.html", context).render()


def typeable(moment: datetime) -> datetime:
    """Return a time in the active zone that its clocks show once only, at most hours before."""
    local = timezone.localtime(moment)
    while local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset():
        local = timezone.localtime(local - timedelta(hours=1))
    return local


def start(request: HttpRequest, season: Season, form: TryForm) -> HttpResponse | None:
    """Start a trial and lead to its job, or note why not at the form."""
    by, now = cast("User", request.user), database_now()
    try:
        split = form.cleaned_data["split"]
        return lead_to(asking.ask(season, form.choose(), split, by=by, now=now))
    except Refused as refusal:
        form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        return None


def plots(accuracy: SeasonAccuracy | None) -> list[dict[str, Any]]:
    """Return the reliability of the forecasts, as they were and corrected."""
    if accuracy is None or not accuracy.calibration:
        return []
    labels = {"forecast": _("As forecast"), "corrected": _("Corrected")}
    return [
        {
            "key": name,
            "label": label,
            "loss": accuracy.losses[name],
            "points": points_of(accuracy.calibration["bins"][name]),
        }
        for name, label in labels.items()
    ]


class TriesRules(TriesForm):
    """The button “Try these rules” of the arena form, which saves nothing."""

    def try_typed(self, request: HttpRequest, typed: Arena) -> HttpResponse:
        season = typed.seasons.opened().order_by("-starts_at").first()
        if season is None:
            raise Refused("no_season", _("No season has begun here: there is nothing to replay."))
        by = cast("User", request.user)
        return lead_to(asking.ask_typed(season, typed, by=by, now=database_now()))
