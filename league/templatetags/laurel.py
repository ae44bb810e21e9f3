"""Template filters and tags for times, durations, ratings and numbers."""

from __future__ import annotations

import math
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext, override
from django.utils.translation import gettext as _

from league.models import lists
from league.models.moments import describe_moment
from league.services.core import durations
from league.services.core.numbers import (
    MINUS,
    fine_percents,
    number,
    ordinal,
    percent,
    percents,
    rounds_to_zero,
    write_score,
)
from league.services.results.forecasts.words import (
    limits_in_words,
    odds_in_words,
    own_limits,
    own_odds,
)
from league.services.results.rules import formats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from django.db.models import Model
    from django.utils.safestring import SafeString

    from league.models import RatingEvent, Season
    from league.services.queue.statistics import Band
    from league.services.results.forecasts.outcomes import Change
    from league.services.results.records.player_records import Part
    from league.web.results.scoresheets import Reason, Sheet
    from ratings.system import Shows

    class HasDeviation(Protocol):
        """A row with a rating and its deviation."""

        rating: float
        deviation: float | None


Item = TypeVar("Item")

register = template.Library()
register.filter(percent)
register.filter(percents)
register.filter(ordinal)
register.filter("score", write_score)
register.filter(lists.list_of)
register.filter(lists.list_with_and)
register.simple_tag(lists.comma)
register.filter(odds_in_words)
register.filter(own_odds)
register.filter(own_limits)
register.filter(limits_in_words)
register.filter("in_words", durations.describe_duration)
register.filter(durations.seconds_in_words)
register.filter(durations.span_in_words)
register.filter("format_in_words", formats.describe_format)


@register.simple_tag
def moment(value: datetime) -> SafeString:
    """Return a time element with day, time and zone, in the reader's time zone."""
    return time_element(value, "moment", describe_moment(value))


@register.simple_tag
def hour(value: datetime) -> SafeString:
    """Return a time element with the time of day, under a heading that says the day."""
    return time_element(value, "hour", date_format(localtime(value), "TIME_FORMAT"))


@register.simple_tag
def day(value: datetime) -> SafeString:
    """Return a time element with the day in the reader's time zone.

    Matches imported with a date only keep that date in every zone.
    """
    if is_midnight(value):
        return date_element(value.year, value.month, value.day, get_language())
    return time_element(value, "day", day_text(localtime(value)))


@register.filter
def local_day(value: datetime) -> date:
    """Return the day of a time in the reader's time zone."""
    return localtime(value).date()


@register.simple_tag
def played(value: datetime) -> SafeString:
    """Return when a match was played: day and time, or the day if only that is known."""
    return day(value) if is_midnight(value) else moment(value)


def is_midnight(value: datetime) -> bool:
    """Return whether a time is exactly midnight UTC, which is how imports store plain dates."""
    return not (value.hour or value.minute or value.second or value.microsecond)


@lru_cache(maxsize=4096)
def date_element(year: int, month: int, day: int, language: str | None) -> SafeString:
    """Return a time element with a date that is the same in every zone."""
    text = day_in_language(year, month, day, language)
    return format_html('<time datetime="{}">{}</time>', f"{date(year, month, day)}", text)


def day_text(value: date) -> str:
    return day_in_language(value.year, value.month, value.day, get_language())


@lru_cache(maxsize=4096)
def day_in_language(year: int, month: int, day: int, language: str | None) -> str:
    """Return a date in a language. Cached, since formatting one takes 60 µs."""
    with override(language):
        return date_format(date(year, month, day), "DATE_FORMAT")


def time_element(value: datetime, kind: str, text: str) -> SafeString:
    """Return a time element. A script shows it in the browser's zone if that is another one."""
    return format_html(
        '<time datetime="{}" data-show="{}" data-zone="{}">{}</time>',
        value.isoformat(),
        kind,
        timezone.get_current_timezone_name(),
        text,
    )


@register.filter
def rated(value: float | None, shows: Shows) -> str:
    """Return a rating as its arena shows it."""
    return "" if value is None else number(shows.show(value), shows.decimals)


@register.filter
def rated_before(event: RatingEvent | Change, shows: Shows) -> str:
    """Return the rating before a match, as finely as its change is shown."""
    return number(shows.show(event.rating_before), decimals_of_change(shows))


@register.filter
def rated_after(event: RatingEvent | Change, shows: Shows) -> str:
    """Return the rating after a match, as finely as its change is shown."""
    return number(shows.show(event.rating_after), decimals_of_change(shows))


@register.filter
def spread(row: HasDeviation, shows: Shows) -> str:
    """Return the deviation of a row's rating as its arena shows it."""
    if row.deviation is None:
        return ""
    return number(shows.spread(row.rating, row.deviation), shows.decimals)


@register.filter
def spread_before(event: RatingEvent, shows: Shows) -> str:
    """Return the deviation before a match as its arena shows it."""
    known = event.deviation_before
    return "" if known is None else number(shows.spread(event.rating_before, known), shows.decimals)


@register.filter
def spread_after(event: RatingEvent, shows: Shows) -> str:
    """Return the deviation after a match as its arena shows it."""
    known = event.deviation_after
    return "" if known is None else number(shows.spread(event.rating_after, known), shows.decimals)


@register.filter
def in_points(points: float, shows: Shows) -> str:
    """Return a number of rating points as an arena shows them."""
    return number(shows.points(points), shows.decimals)


@register.filter
def whole(number_of: float) -> int:
    """Return the nearest whole number, for texts that count."""
    return round(number_of)


@register.filter
def shown_points(points: float, shows: Shows) -> str:
    """Return a change of shown ratings with its sign."""
    return signed(points, decimals_of_change(shows))


@register.filter
def total_change(part: Part, shows: Shows) -> str:
    """Return what the matches of a part changed, as their arena shows it."""
    moved = sum(shows.movement(one.rating_before, one.rating_after) for one in part.played)
    return shown_points(moved, shows)


@register.filter
def edge(rating: float, shows: Shows) -> str:
    """Return a round rating, such as the end of a bar, as its arena shows it."""
    return plain(shows.edge(rating))


@register.simple_tag
def provisional_mark() -> SafeString:
    """Return the question mark after a rating that has not settled yet."""
    return format_html(
        '<span class="provisional" title="{}">'
        '<span aria-hidden="true">?</span><span class="hidden-text"> {}</span></span>',
        _("Provisional: placement matches are still to be played"),
        _("provisional"),
    )


@register.filter
def is_settled(event: RatingEvent, shows: Shows) -> bool:
    """Return whether a newcomer's rating had settled with this match."""
    placement = event.season.season_rules().ranked.placement_matches
    return shows.lowest_first or event.games >= placement


@register.simple_tag
def change(event: RatingEvent | Change, shows: Shows) -> SafeString:
    """Return what a match did to a rating, in full: ``+12.3``, or ``▲ 3 ranks``."""
    if shows.lowest_first:
        ranks = abs(round(event.change))
        if not ranks:
            return in_colour(0, shows, _("same rank"))
        text = ngettext("%(count)d rank", "%(count)d ranks", ranks) % {"count": ranks}
        return in_colour(event.change, shows, steps(event.change, text))
    decimals = decimals_of_change(shows)
    moved = moved_by(event, shows, decimals)
    return in_colour(moved, shows, signed(moved, decimals))


@register.simple_tag
def brief_change(event: RatingEvent | Change, shows: Shows) -> SafeString:
    """Return what a match did to a rating in little space: ``+12``, or ``▲ 3``."""
    if shows.lowest_first:
        ranks = str(abs(round(event.change)))
        return in_colour(event.change, shows, steps(event.change, ranks) if event.change else "=")
    moved = moved_by(event, shows, shows.decimals)
    return in_colour(moved, shows, signed(moved, shows.decimals))


@register.simple_tag
def at_stake(stake: Change, shows: Shows) -> SafeString:
    """Return what a match would do to a rating, in a sentence: ``+12``, or ``▲ 3 ranks``."""
    return change(stake, shows) if shows.lowest_first else brief_change(stake, shows)


def decimals_of_change(shows: Shows) -> int:
    """Return the decimals of a change shown in full, and of the ratings beside it."""
    return shows.decimals if shows.lowest_first else max(1, shows.decimals)


def moved_by(event: RatingEvent | Change, shows: Shows, decimals: int) -> float:
    """Return how far the shown rating moves: the difference of the numbers that people see."""
    before, after = shows.show(event.rating_before), shows.show(event.rating_after)
    return round(after, decimals) - round(before, decimals)


def in_colour(change: float, shows: Shows, text: str) -> SafeString:
    """Return a change, green if it is an improvement and red if not."""
    better = -change if shows.lowest_first else change
    direction = "up" if better > 0 else "down" if better < 0 else "same"
    return format_html('<strong class="change {}">{}</strong>', direction, text)


def steps(change: float, text: str) -> SafeString:
    """Return ``text`` after an arrow: up where the rank number falls, else down."""
    arrow, word = ("▲", _("up")) if change < 0 else ("▼", _("down"))
    return format_html(
        '<span aria-hidden="true">{}</span> <span class="hidden-text">{}</span> {}',
        arrow,
        word,
        text,
    )


@register.filter
def signed(value: float, decimals: int) -> str:
    """Return a number with its sign."""
    text = number(abs(value), decimals)
    if rounds_to_zero(value, decimals):
        return f"±{text}"
    return f"+{text}" if value > 0 else f"{MINUS}{text}"


@register.filter
def plain(value: float) -> str:
    """Return a term of an explanation with enough digits to follow it."""
    size = abs(value)
    if size == int(size):
        return number(value, 0)
    return number(value, 1 if size >= 100 else 2 if size >= 10 else 3)


@register.filter
def exact(value: float) -> str:
    """Return a term of an explanation with five digits, so that the others follow from it."""
    if not value or math.isinf(value):
        return number(value, 0)
    decimals = max(0, 4 - math.floor(math.log10(abs(value))))
    text = number(value, decimals)
    return text.rstrip("0").rstrip(".,") if decimals else text


@register.filter
def weighed(reason: Reason) -> str:
    """Return the value of one of the main reasons: a result as a fraction of a win."""
    if reason.name in {"expected", "actual"} and 0 <= reason.value <= 1:
        if reason.value == 0.5:
            return "½"
        return number(reason.value, 0 if round(reason.value, 2) in {0.0, 1.0} else 2)
    return plain(reason.value)


@register.filter
def magnitude(value: float) -> float:
    """Return a number without its sign, by which languages choose the plural."""
    return abs(value)


@register.filter
def points(value: int) -> str:
    """Return ladder points with their sign: ``+2``, ``0``."""
    return signed(value, 0) if value else "0"


@register.filter
def whole_percent(value: float) -> str:
    """Return a share in percent, rounded down: a value short of a step must not look like it."""
    return percent(math.floor(100 * value + 1e-9) / 100)


@register.filter
def points_odds(chance: float) -> str:
    """Return the chance that ladder points depend on, as the page of the match shows it."""
    return fine_percents(both_sides(chance))[0]


@register.filter
def chance_of(chances: Mapping[int, float], row: Model) -> str:
    """Return the chance of a row in whole percent, empty if it is not known."""
    return whole_percent(chances[row.pk]) if row.pk in chances else ""


@register.filter
def share(part: float, whole: float) -> str:
    """Return a part of a whole in percent."""
    return percent(part / whole if whole else 0)


@register.filter
def both_sides(chance: float) -> tuple[float, float]:
    """Return the chances of both sides, from that of the first."""
    return chance, 1 - chance


@register.filter
def other_percent(percent: int | str) -> int:
    """Return the other side's chance, in whole percent as the first side's is."""
    return 100 - int(percent)


@register.filter
def time_left(until: datetime, now: datetime) -> str:
    """Return how long it is from ``now`` to a time, as :func:`describe_duration`."""
    return durations.describe_duration(until - now)


@register.filter
def left_until(now: datetime | None, until: datetime) -> str:
    """Return how long it is from ``now`` to a time, empty once it is over, or without ``now``."""
    return durations.describe_duration(until - now) if now and until > now else ""


@register.filter
def band_in_words(band: Band, season: Season) -> str:
    """Return the ratings of a band: ``1200 to 1400``, or ranks ``1 to 10``."""
    shows = season.shows
    low, high = shows.edge(band.low), shows.edge(band.high)
    decimals = 0 if season.lowest_first or high - low >= 1 else 2
    high -= 1 if season.lowest_first else 0
    ends = {"low": number(low, decimals), "high": number(high, decimals)}
    return _("%(low)s to %(high)s") % ends


@register.filter
def at(items: Sequence[Item], index: int) -> Item:
    """Return the item at an index, from 0."""
    return items[index]


@register.simple_tag
def sheet_list(sheet: Sheet) -> list[Sheet]:
    """Return one match as a list, for templates that show lists."""
    return [sheet]
