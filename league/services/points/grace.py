"""The grace period before ladder points end, in which no new match may start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.formats import date_format

from league.services.core.clock import microseconds, moment
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season


def no_start_until(season: Season, now: datetime) -> datetime | None:
    """Return when the points end, if no new match may start before then."""
    points = season.season_rules().points
    if not points.ladder.counts:
        return None
    ends = microseconds(season.ends_at) if season.ends_at else None
    until = points.grace(microseconds(now), microseconds(season.starts_at), ends)
    return None if until is None else moment(until)


def sentence(season: Season, until: datetime) -> str:
    """Return why no match can start, and until when."""
    zone = season.arena.zone
    when = date_format(until.astimezone(zone), "DATETIME_FORMAT")
    return _(
        "The ladder points of %(season)s end on %(when)s (%(zone)s). No new match can start before "
        "then. Matches already being played still count."
    ) % {"season": season, "when": when, "zone": season.arena.time_zone}
