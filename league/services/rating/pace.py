"""Whether a rating system suits how often the players of an arena play."""

from __future__ import annotations

from datetime import timedelta
from statistics import median
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Match, RatingEvent
from league.services.core import durations
from league.services.core.declared import declarations
from league.services.core.numbers import number
from ratings.lab.pace import GENEROUS, PERIOD
from ratings.registry import KNOWN_SYSTEMS
from ratings.tunables.durations import UNITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models import Arena
    from ratings.system import RatingSystem

LATEST = 100
"""The most of the season's latest matches that are read."""
FEWEST = 20
"""Fewer gaps say nothing yet."""
MOST = 1_000


def typical_gap(arena: Arena) -> float | None:
    """Return the median time between two matches of a player lately, in seconds.

    ``None`` if the latest matches of the arena's latest season give fewer than ``FEWEST`` gaps.
    """
    season = arena.seasons.order_by("-starts_at").values("pk")[:1]
    latest = Match.objects.filter(season=season, kind=Match.Kind.GAME, rated_order__isnull=False)
    events = RatingEvent.objects.filter(
        season=season,
        match__in=latest.order_by("-rated_order").values("pk")[:LATEST],
        last_played_before__isnull=False,
    )
    played = events.values_list("match__played_at", "last_played_before")[:MOST]
    gaps = [(now - before) / timedelta(seconds=1) for now, before in played if before]
    return median(gaps) if len(gaps) >= FEWEST else None


def pace_of(system: RatingSystem, gap: float | None) -> dict[str, float] | None:
    """Return the seconds between players' matches and the system's period, if that is shorter."""
    period = system.idle_period
    if gap is None or period is None or not system.unsettles(gap):
        return None
    return {"gap": gap, "period": period}


def warn_of_pace(system: str, pace: Mapping[str, float]) -> str:
    """Return a warning that ratings in a system grow uncertain between usual matches."""
    return _(
        "Players’ matches are typically %(gap)s apart, but ratings in %(system)s grow uncertain "
        "after %(period)s without one. So no rating becomes certain, and each match moves it far. "
        "Set “%(label)s” in the arena to about %(days)s days."
    ) % {
        "label": {each.name: each.label for each in declarations(KNOWN_SYSTEMS[system].Parameters)}[
            PERIOD
        ],
        "days": number(max(round(GENEROUS * pace["gap"] / UNITS["d"]), 1), 0),
        "gap": durations.describe_duration(timedelta(seconds=round(pace["gap"]))),
        "system": _(KNOWN_SYSTEMS[system].label),
        "period": durations.describe_duration(timedelta(seconds=round(pace["period"]))),
    }
