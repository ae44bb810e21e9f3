"""Points of a rating chart in the words of a page."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language

from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.core.numbers import decimal_separator, format_with
from league.services.results.records.profiles import NO_MATCH
from league.templatetags.laurel import day, day_text, in_colour, is_midnight, signed, steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from league.services.results.records.player_records import Ended
    from league.services.results.records.profiles import Point
    from league.web.rating.charts import Dot
    from ratings.system import Shows

register = template.Library()


@register.simple_tag
def chart_rows(
    dots: Iterable[Dot],
    shows: Shows,
    ended: Mapping[int, Ended],
    names: Mapping[int, str],
    *,
    hindsight: bool = False,
) -> SafeString:
    """Return the table rows of a chart's points, up to 300 of them.

    ``ended`` says by match how each one ended, and ``names`` whom an id stands for. ``hindsight``
    adds a column of ratings in hindsight. A template takes ten times as long, which was most of a
    player's page.
    """
    before, _zero, after = reverse("match", args=[0]).rpartition("0")
    separator = decimal_separator(get_language())
    rows = []
    for dot in dots:
        point = dot.point
        rating = format_with(point.rating, shows.decimals, separator)
        deviation = None
        if point.deviation is not None:
            deviation = format_with(point.deviation, shows.decimals, separator)
        when = _("Start") if point.match_id == NO_MATCH else day_of(point.played_at)
        says = tooltip(when, rating, deviation, shows)
        column = f'<td class="number">{deviation or ""}</td>' if shows.deviation else ""
        if hindsight:
            seen = show_hindsight(dot, shows, separator)
            column += f'<td class="number">{seen}</td>'
            says += seen and " · " + _("in hindsight %(rating)s") % {"rating": seen}
        met = met_in(ended.get(point.match_id), names)
        rows.append(
            f'<tr data-at="{dot.at}" data-height="{dot.height}" data-says="{escape(says)}">'
            f"<td>{match_cell(point, before, after)}</td>"
            f'<td class="met">{escape(met)}</td>'
            f'<td class="number">{show_move(point, shows)}</td>'
            f'<td class="number">{rating}</td>{column}</tr>'
        )
    return SafeString("\n".join(rows))


def met_in(one: Ended | None, names: Mapping[int, str]) -> str:
    """Return in a few words how a match ended and against whom, empty if nobody was met."""
    if one is None or one.sides < 2:
        return ""
    if one.other is None or one.other not in names:
        return _("Place %(place)d of %(sides)d") % {"place": one.place, "sides": one.sides}
    values = {"name": names[one.other], "count": one.others - 1}
    if one.others == 1:
        return {
            "win": _("Won against %(name)s"),
            "draw": _("Drew with %(name)s"),
            "loss": _("Lost against %(name)s"),
        }[one.outcome] % values
    return {
        "win": ngettext(
            "Won against %(name)s and %(count)d other",
            "Won against %(name)s and %(count)d others",
            one.others - 1,
        ),
        "draw": ngettext(
            "Drew with %(name)s and %(count)d other",
            "Drew with %(name)s and %(count)d others",
            one.others - 1,
        ),
        "loss": ngettext(
            "Lost against %(name)s and %(count)d other",
            "Lost against %(name)s and %(count)d others",
            one.others - 1,
        ),
    }[one.outcome] % values


def show_move(point: Point, shows: Shows) -> SafeString | str:
    """Return by how much a match moved the shown rating, empty at the start."""
    if point.match_id == NO_MATCH or point.before is None:
        return ""
    difference = round(point.rating, shows.decimals) - round(point.before, shows.decimals)
    if shows.lowest_first:
        ranks = str(abs(round(difference)))
        return in_colour(difference, shows, steps(difference, ranks) if difference else "=")
    return in_colour(difference, shows, signed(difference, shows.decimals))


def show_hindsight(dot: Dot, shows: Shows, separator: str) -> str:
    """Return the rating in hindsight at a point with its deviation, empty if it is not known."""
    if dot.judged is None:
        return ""
    rating, deviation = (format_with(value, shows.decimals, separator) for value in dot.judged)
    return f"{rating} ± {deviation}"


def match_cell(point: Point, before: str, after: str) -> str:
    """Return the day of a point, as a link to its match between two parts of an address."""
    if point.match_id == NO_MATCH:
        return escape(_("Start"))
    return f'<a href="{before}{point.match_id}{after}">{day(point.played_at)}</a>'


def day_of(played_at: datetime) -> str:
    """Return the day on which a match was played, for the reader."""
    return day_text(played_at if is_midnight(played_at) else localtime(played_at))


def tooltip(day: str, rating: str, deviation: str | None, shows: Shows) -> str:
    """Return what is shown above the chart for a point."""
    if shows.lowest_first:
        return _("%(day)s: rank %(rank)s") % {"day": day, "rank": rating}
    return f"{day}: {rating}" if deviation is None else f"{day}: {rating} ± {deviation}"
