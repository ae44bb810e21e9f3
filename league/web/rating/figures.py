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


def chart_of(history: History, player: Player) -> SafeString:
    """Return the chart of a history in the reader's language and time zone, empty without one."""
    return rendered(history, player.name, timezone.get_current_timezone(), get_language())


@lru_cache(maxsize=KEPT)
def rendered(history: History, player: str, zone: tzinfo, _language: str | None) -> SafeString:
    """Return the chart. It depends on the language, in which the caller reads."""
    season = history.season
    chart = rating_chart(history.points, zone, lowest_first=season.lowest_first)
    if chart is None:
        return SafeString()
    context = {
        "chart": chart,
        "player": player,
        "shows": season.system().shows,
        "best": history.best,
    }
    return render_to_string("rating/_chart.html", context)
