"""The tabs of an arena's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from league.models import Arena, Season

register = template.Library()


@register.simple_tag(takes_context=True)
def tabs_of(context: Mapping[str, Any], arena: Arena) -> frozenset[str]:
    """Return which tabs an arena has besides those that all have, by the names of their routes.

    Accounts without a player have none that need one.
    """
    season: Season | None = context.get("season")
    rules = [arena.season_rules, *([season.rules] if season else [])]
    of_two = arena.sides_min <= 2
    plays = context.get("me") or not getattr(context.get("user"), "is_authenticated", False)
    has = {
        "team_board": any(one.get("teams", {}).get("rate") for one in rules),
        "points": any(one.get("points", {}).get("counts") for one in rules),
        "competitions": of_two,
        "queue": hasattr(arena, "queue"),
        "challenges": arena.is_ladder,
        "dates": of_two,
        "report": plays and arena.is_open and arena.result_settings().reporters == "captains",
        "rosters": plays and arena.team_size_max > 1,
    }
    return frozenset(name for name, is_there in has.items() if is_there)
