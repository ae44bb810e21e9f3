"""The rating chart and form on a player's page, kept until their history changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.models import Player
from league.services.results.records.histories import KEPT, histories_of
from league.services.results.records.profiles import history_over, started_at
from league.web.rating.charts import Judged, rating_chart, thin_out
from league.web.rating.comparisons import comparison

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

    from league.models import Season
    from league.services.results.records.histories import History
    from league.services.results.records.player_records import Ended
    from league.services.results.records.profiles import Point
    from league.web.rating.comparisons import Comparison
    from ratings.system import Shows


class Span(StrEnum):
    """The time that a chart shows."""

    MONTH = "month"
    SEASON = "season"
    ALL = "all"


A_MONTH = timedelta(days=30)


@dataclass(frozen=True)
class Drawing:
    """The matches of a player's chart.

    ``seasons`` are those that the chart of all of them has, with a common scale.
    """

    history: History
    span: Span = Span.SEASON
    seasons: tuple[Season, ...] = ()

    @cached_property
    def points(self) -> Sequence[Point]:
        """The rating after each match in its time. One statement for several seasons."""
        if self.span == Span.ALL:
            return history_over(self.history.player, self.seasons)
        if self.span == Span.MONTH and self.history.points:
            begin = max(point.played_at for point in self.history.points) - A_MONTH
            return [point for point in self.history.points if point.played_at >= begin]
        return self.history.points

    @cached_property
    def shown_points(self) -> list[Point]:
        return thin_out(sorted(self.points, key=lambda point: point.played_at))

    @property
    def start(self) -> Point | None:
        """The rating before the first of the matches."""
        if self.span == Span.SEASON:
            return self.history.start
        return started_at(min(self.points, key=lambda point: point.played_at))

    @cached_property
    def best(self) -> Point | None:
        if self.span == Span.SEASON:
            return self.history.best
        best = min if self.history.season.lowest_first else max
        return best(self.points, key=lambda point: point.rating, default=None)

    @cached_property
    def ended(self) -> dict[int, Ended]:
        """The ends of the matches, by match id. One statement, if they were not read before."""
        games = (one.match_id for one in self.shown_points if one.is_game)
        return self.history.endings([*self.history.latest, *games]) if self.points else {}

    @property
    def opponents(self) -> set[int]:
        """The ids of those at the head of the other sides."""
        return {one.other for one in self.ended.values() if one.other is not None}


def spans_of(history: History, seasons: Sequence[Season]) -> list[Span]:
    """Return the times among which a reader can choose; nothing if there is no choice."""
    days = [point.played_at for point in history.points]
    is_long = bool(days) and max(days) - min(days) > A_MONTH
    found = [*([Span.MONTH] if is_long else []), Span.SEASON]
    found += [Span.ALL] if len(seasons) > 1 else []
    return found if len(found) > 1 else []


def chart_of(
    drawing: Drawing,
    player: Player,
    shows: Shows,
    names: Mapping[int, str],
    choices: Sequence[Span] = (),
) -> SafeString:
    """Return a player's chart in the reader's language and time zone, empty without matches.

    ``names`` are those of opponents by their ids, and ``choices`` the times to choose from.
    """
    met = tuple(sorted((player, names.get(player, "")) for player in drawing.opponents))
    render = draw_chart if drawing.span == Span.ALL else render_chart
    zone = timezone.get_current_timezone()
    return render(drawing, player.name, met, shows, tuple(choices), zone, get_language())


def draw_chart(
    drawing: Drawing,
    player: str,
    names: tuple[tuple[int, str], ...],
    shows: Shows,
    choices: tuple[Span, ...],
    zone: tzinfo,
    _language: str | None,
) -> SafeString:
    """Return the chart. It depends on the language, in which the caller reads."""
    if not drawing.points:
        return SafeString()
    history = drawing.history
    points, best, start = drawing.shown_points, drawing.best, drawing.start
    if shows.numbers is not shows:
        points = [as_shown(point, shows) for point in points]
        best = best and as_shown(best, shows)
        start = start and as_shown(start, shows)
    chart = rating_chart(
        points,
        zone,
        start=start,
        lowest_first=shows.lowest_first,
        hindsight=hindsight_shown(history, shows) if drawing.span != Span.ALL else None,
        seasons={season.pk: season.name for season in drawing.seasons},
        count=len(drawing.points),
    )
    context = {
        "chart": chart,
        "player": player,
        "shows": shows.numbers,
        "best": best,
        "hindsight_at": history.version.hindsight_at,
        "ended": drawing.ended,
        "names": dict(names),
        "span": drawing.span,
        "choices": choices,
        "season": history.season,
    }
    return render_to_string("rating/_chart.html", context)


render_chart = lru_cache(maxsize=KEPT)(draw_chart)


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
    before = None if point.before is None else shows.show(point.before)
    return point._replace(rating=shows.show(point.rating), deviation=deviation, before=before)
