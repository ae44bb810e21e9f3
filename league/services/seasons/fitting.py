"""Fit the season rules of an arena to its rating system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.errors import Refused
from ratings.registry import SYSTEMS
from ratings.seasons.rules import SeasonRules, read_rules

if TYPE_CHECKING:
    from league.models import Arena

MOST_CLASHES = 8


def fit_rules(arena: Arena) -> list[str]:
    """Change what in an arena's rules does not suit its rating system. Return why, for each.

    Starting ratings are kept from season to season, decay and scatter are turned off, and divisions
    are the usual ones by percentile.
    """
    system = SYSTEMS[arena.rating_system]
    reasons: list[str] = []
    for _attempt in range(MOST_CLASHES):
        clash = arena.rules().clash_with(system)
        if clash is None:
            return reasons
        place, why = clash
        group, _dot, name = place.partition(".")
        written = arena.rules().to_json()
        if place == "start.placement":
            written["start"] = {"placement": "carry-over"}
        elif group == "cuts":
            usual = SeasonRules().to_json()
            written |= {"cuts": usual["cuts"], "divisions": usual["divisions"]}
        else:
            written[group] = {**written[group], name: 0}
        arena.season_rules = read_rules(written).to_json()
        reasons.append(why)
    raise Refused("clash", _("The season rules of this arena do not suit its rating system."))
