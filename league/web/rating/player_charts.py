"""The rating chart and form on a player's page, kept until their history changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.models import Player
from league.services.results.records.histories import KEPT, histories_of
from league.web.rating.charts import Judged, rating_chart
from league.web.rating.comparisons import comparison

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import tzinfo

    from league.models import Season
    from league.services.results.records.histories import History
    from league.services.results.records.profiles import Point
    from league.web.rating.comparisons import Comparison
    from ratings.system import Shows


def chart_of(history: History, player: Player, shows: Shows) -> SafeString:
    """Return the chart of a history in the reader's language and time zone, empty without one."""
    return render_chart(
        history, player.name, shows, timezone.get_current_timezone(), get_language()
    )


@lru_cache(maxsize=KEPT)
def render_chart(
    history: History, player: str, shows: Shows, zone: tzinfo, _language: str | None
) -> SafeString:
    """Return the chart. It depends on the language, in which the caller reads."""
    points, best, start = points_shown(history, shows), history.best, history.start
    if shows.numbers is not shows:
        best = best and as_shown(best, shows)
        start = start and as_shown(start, shows)
    chart = rating_chart(
        points,
        zone,
        start=start,
        lowest_first=shows.lowest_first,
        hindsight=hindsight_shown(history, shows),
    )
    if chart is None:
        return SafeString()
    context = {
        "chart": chart,
        "player": player,
        "shows": shows.numbers,
        "best": best,
        "hindsight_at": history.version.hindsight_at,
    }
    return render_to_string("rating/_chart.html", context)


def comparison_of(season: Season, players: Sequence[Player]) -> Comparison | None:
    """Return the curves of players in a season in one chart, in the reader's time zone."""
    histories = tuple(histories_of(season, players))
    names = tuple(player.name for player in players)
    zone = timezone.get_current_timezone()
    return compare(histories, names, season.shows, zone, get_language())


@lru_cache(maxsize=KEPT)
def compare(
    histories: tuple[History, ...],
    names: tuple[str, ...],
    shows: Shows,
    zone: tzinfo,
    _language: str | None,
) -> Comparison | None:
    """Return the comparison. Its labels depend on the current language."""
    curves = [
        (Player(pk=history.player.pk, name=name), points_shown(history, shows))
        for history, name in zip(histories, names, strict=True)
    ]
    return comparison(curves, zone, lowest_first=shows.lowest_first)


def points_shown(history: History, shows: Shows) -> Sequence[Point]:
    """Return a history with the numbers that people see."""
    if shows.numbers is shows:
        return history.points
    return [as_shown(point, shows) for point in history.points]


def hindsight_shown(history: History, shows: Shows) -> dict[int, Judged]:
    """Return a player's ratings in hindsight by day, with the numbers that people see."""
    curve = history.hindsight if history.points else None
    if curve is None:
        return {}
    return {
        day: Judged(shows.show(rating), shows.spread(rating, deviation))
        for day, rating, deviation in zip(curve.days, curve.ratings, curve.deviations, strict=True)
    }


def form_of(history: History) -> SafeString:
    """Return a player's form in the reader's language, empty without matches."""
    return rendered_form(history, get_language())


@lru_cache(maxsize=KEPT)
def rendered_form(history: History, _language: str | None) -> SafeString:
    """Return the form. It depends on the current language."""
    if not history.form:
        return SafeString()
    return render_to_string("people/_form.html", {"form": history.form})


def as_shown(point: Point, shows: Shows) -> Point:
    """Return a point with the numbers that people see."""
    deviation = None if point.deviation is None else shows.spread(point.rating, point.deviation)
    return point._replace(rating=shows.show(point.rating), deviation=deviation)
