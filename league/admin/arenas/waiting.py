"""Saved settings that count only from the next season on, with a way to apply them now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.html import format_html

from league.admin.arenas.running import running_season
from league.admin.core.fields import field_name, form_values
from league.admin.core.values import as_sent, describe_sent
from league.admin.seasons.forms import SEASON_FIELDS, initial_values
from league.admin.seasons.pages import may_run_seasons
from league.services.core.isolation import gettext as _
from league.services.other_rules.saved import saved_rules
from league.services.seasons.changing import Rules
from ratings.registry import KNOWN_SYSTEMS

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from league.models import Arena, Season

AT_START = "season_start"
"""Rules of the start of a season never wait: a running season has started."""


def waiting_values(request: HttpRequest, arena: Arena) -> dict[str, SafeString]:
    """Return a note for each field whose saved value the running season does not have."""
    season = running_season(arena)
    if season is None or not may_run_seasons(request, arena):
        return {}
    page = reverse("admin:league_arena_saved_rules", args=[arena.pk])
    return {
        name: format_html(
            '<div class="help waiting-mark"><div>{} <a href="{}">{}</a></div></div>',
            _("From the next season on. This season has %(value)s.") % {"value": value or "–"},
            page,
            _("Apply from the next match"),
        )
        for name, value in values_of_season(season, arena).items()
    }


def values_of_season(season: Season, arena: Arena) -> dict[str, str]:
    """Return the values of a season that differ from those saved in its arena, in words."""
    season.arena = arena
    held, saved = Rules.of(season), saved_rules(season)
    if held.system != saved.system:
        found = {"rating_system": str(_(KNOWN_SYSTEMS[held.system].label))}
    else:
        was, new = form_values(held.parameters), form_values(saved.parameters)
        found = {field_name(held.system, key): str(was[key]) for key in new if was[key] != new[key]}
    before: dict[str, Any] = initial_values(season.season_rules())
    after = initial_values(arena.rules())
    for name, field in SEASON_FIELDS.items():
        if before[name] != after[name] and not name.startswith(AT_START):
            found[name] = str(describe_sent(field, as_sent(field, before[name])))
    return found
