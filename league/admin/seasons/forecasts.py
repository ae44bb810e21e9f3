"""How well a season was predicted, and which largest gain would have predicted it best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from league import waking
from league.admin.seasons.pages import about, may_run_seasons
from league.admin.seasons.reliability import points_of
from league.models import Arena, Season, SeasonAccuracy
from league.services.seasons.accuracy import has_gain
from league.services.seasons.hindsight import rank_error_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


def forecasts(request: HttpRequest, arena_id: int, season_id: int) -> HttpResponse:
    """Show a season's accuracy; on POST, let a worker try other largest gains."""
    if not may_run_seasons(request, Arena.objects.filter(pk=arena_id).first()):
        raise PermissionDenied
    of_arena = Season.objects.select_related("arena").filter(
        arena=arena_id, opened_at__isnull=False
    )
    season = get_object_or_404(of_arena, pk=season_id)
    if request.method == "POST" and has_gain(season):
        waking.begin_gains(season)
        messages.success(request, _("A worker is computing this. Reload the page in a moment."))
        return HttpResponseRedirect(request.path)
    system = season.system()
    accuracy = SeasonAccuracy.objects.filter(season=season).first()
    context = {
        **about(request, season),
        "title": _("Forecasts of a season"),
        "accuracy": accuracy,
        "plots": plots(accuracy),
        "rank_error": rank_error_of(season),
        "has_gain": has_gain(season),
        "gain": getattr(system.parameters, "max_gain", None),
    }
    return TemplateResponse(request, "admin/league/arena/forecasts.html", context).render()


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
