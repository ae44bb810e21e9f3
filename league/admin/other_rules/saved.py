"""Apply the rules that are saved for the next season from the next match on."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.jobs.jobs import RESULTS, ROWS, lead_to
from league.admin.seasons.pages import may_run_seasons
from league.models import Arena
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.other_rules import outcomes, saved

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User

RESULTS[saved.KIND] = "admin:league_arena_change"
ROWS[saved.KIND] = "page"


class SavedRulesForm(forms.Form):
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=1000,
        help_text=gettext_lazy("Everyone can read it."),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def apply_saved(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Show what the running season does not have yet of the saved rules, and apply it on POST."""
    arena = get_object_or_404(Arena, pk=arena_id)
    if not may_run_seasons(request, arena):
        raise PermissionDenied
    now = database_now()
    season = arena.current_season(now)
    if season is None:
        raise Http404
    season.arena = arena
    form = SavedRulesForm(request.POST or None, initial={"seen": outcomes.digest_rules(season)})
    if form.is_valid():
        given = form.cleaned_data
        try:
            by, reason = cast("User", request.user), given["reason"]
            return lead_to(saved.ask(season, digest=given["seen"], by=by, reason=reason, now=now))
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
    context = {
        **admin.site.each_context(request),
        "title": _("Apply saved rules from the next match"),
        "subtitle": str(season),
        "opts": Arena._meta,  # noqa: SLF001 - Django's name for it
        "arena": arena,
        "season": season,
        "changes": saved.waiting_changes(season),
        "obstacle": saved.obstacle(season),
        "form": form,
    }
    return TemplateResponse(request, "admin/league/other_rules/saved.html", context)
