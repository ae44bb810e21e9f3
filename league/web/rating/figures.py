"""The rating chart on a player's page, kept until their history changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.services.results.histories import KEPT
from league.web.rating.charts import rating_chart

if TYPE_CHECKING:
    from datetime import tzinfo

    from league.models import Player
    from league.services.results.histories import History
    from league.services.results.profiles import Point
    from ratings.system import Shows


def chart_of(history: History, player: Player, shows: Shows) -> SafeString:
    """Return the chart of a history in the reader's language and time zone, empty without one."""
    return rendered(history, player.name, shows, timezone.get_current_timezone(), get_language())


@lru_cache(maxsize=KEPT)
def rendered(
    history: History, player: str, shows: Shows, zone: tzinfo, _language: str | None
) -> SafeString:
    """Return the chart. It depends on the language, in which the caller reads."""
    points, best = history.points, history.best
    if shows.numbers is not shows:
        points = [as_shown(point, shows) for point in points]
        best = best and as_shown(best, shows)
    chart = rating_chart(points, zone, lowest_first=shows.lowest_first)
    if chart is None:
        return SafeString()
    context = {"chart": chart, "player": player, "shows": shows.numbers, "best": best}
    return render_to_string("rating/_chart.html", context)


def as_shown(point: Point, shows: Shows) -> Point:
    """Return a point with the numbers that people see."""
    deviation = None if point.deviation is None else shows.spread(point.rating, point.deviation)
    return point._replace(rating=shows.shown(point.rating), deviation=deviation)
