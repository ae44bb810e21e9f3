"""How times, ratings and numbers read on a page."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.timezone import localtime

from league.models import Format
from league.services.results.formats import between

if TYPE_CHECKING:
    from datetime import date, datetime

    from django.utils.safestring import SafeString

    from league.models import Arena, RatingEvent, Season
    from league.services.queue.figures import Band
    from league.web.rating.charts import Dot
    from league.web.results.scoresheets import Reason, Sheet
    from ratings.system import Shows

register = template.Library()

MINUS = "\N{MINUS SIGN}"


@register.simple_tag
def moment(value: datetime) -> SafeString:
    """Day and time in the reader's zone, which is named."""
    local = localtime(value)
    text = f"{day_text(local)}, {local:%H:%M} {local.tzname()}"
    return time_element(value, "moment", text)


@register.simple_tag
def day(value: datetime) -> SafeString:
    """The day in the reader's zone. Of a match whose hour nobody noted, its day as it stands."""
    if is_midnight(value):
        return format_html('<time datetime="{}">{}</time>', f"{value:%Y-%m-%d}", day_text(value))
    return time_element(value, "day", day_text(localtime(value)))


@register.simple_tag
def played(value: datetime) -> SafeString:
    """When a match was played: day and time, or the day alone where only that is known."""
    return day(value) if is_midnight(value) else moment(value)


def is_midnight(value: datetime) -> bool:
    """Midnight UTC to the microsecond is how a history that notes days only is imported."""
    return not (value.hour or value.minute or value.second or value.microsecond)


def day_text(value: date) -> str:
    return f"{value.day} {value:%b} {value.year}"


def time_element(value: datetime, kind: str, text: str) -> SafeString:
    return format_html(
        '<time datetime="{}" data-show="{}" data-zone="{}">{}</time>',
        value.isoformat(),
        kind,
        timezone.get_current_timezone_name(),
        text,
    )


@register.filter
def rated(value: float | None, shows: Shows) -> str:
    """A rating with the decimals that its system shows."""
    return "" if value is None else number(value, shows.decimals)


@register.simple_tag
def provisional_mark() -> SafeString:
    """The question mark behind a rating that has yet to settle."""
    return format_html(
        '<span class="provisional" title="{}">'
        '<span aria-hidden="true">?</span><span class="hidden-text"> provisional</span></span>',
        "Provisional: placement matches are still to be played",
    )


@register.filter
def is_settled(event: RatingEvent, shows: Shows) -> bool:
    """Whether a newcomer's rating had settled with this match."""
    placement = event.season.season_rules().ranked.placement_matches
    return shows.lowest_first or event.games >= placement


@register.simple_tag
def change(event: RatingEvent, shows: Shows) -> SafeString:
    """What a match did to a rating, in full: ``+12.3``, or ``▲ 3 ranks``."""
    if shows.lowest_first:
        ranks = abs(round(event.change))
        if not ranks:
            return in_colour(0, shows, "same rank")
        unit = "rank" if ranks == 1 else "ranks"
        return in_colour(event.change, shows, format_html("{} {}", steps(event.change), unit))
    return in_colour(event.change, shows, signed(event.change, max(1, shows.decimals)))


@register.simple_tag
def brief_change(event: RatingEvent, shows: Shows) -> SafeString:
    """The same where there is little room: ``+12``, or ``▲ 3``."""
    if shows.lowest_first:
        return in_colour(event.change, shows, steps(event.change) if event.change else "=")
    return in_colour(event.change, shows, signed(event.change, shows.decimals))


def in_colour(change: float, shows: Shows, text: str) -> SafeString:
    """A change, green for the better and red for the worse."""
    better = -change if shows.lowest_first else change
    direction = "up" if better > 0 else "down" if better < 0 else "same"
    return format_html('<strong class="change {}">{}</strong>', direction, text)


def steps(change: float) -> SafeString:
    """Ranks up (where the number falls) or down."""
    arrow, word = ("▲", "up") if change < 0 else ("▼", "down")
    return format_html(
        '<span aria-hidden="true">{}</span><span class="hidden-text">{}</span> {}',
        arrow,
        word,
        abs(round(change)),
    )


def signed(value: float, decimals: int) -> str:
    """A change with its sign."""
    text = number(abs(value), decimals)
    if not text.strip("0."):
        return f"±{text}"
    return f"+{text}" if value > 0 else f"{MINUS}{text}"


@register.filter
def plain(value: float) -> str:
    """A term of an explanation: enough digits to follow it, no more."""
    size = abs(value)
    if size == int(size):
        return number(value, 0)
    return number(value, 1 if size >= 100 else 2 if size >= 10 else 3)


@register.filter
def weighed(reason: Reason) -> str:
    """The value of one of the reasons to read first: a result as parts of a win."""
    if reason.name in {"expected", "actual"} and 0 <= reason.value <= 1:
        return "½" if reason.value == 0.5 else number(reason.value, 2).removesuffix(".00")
    return plain(reason.value)


@register.filter
def score(value: float) -> str:
    """A score without needless decimals."""
    return number(value, 0) if value == int(value) else f"{value:g}"


@register.filter
def points(value: int) -> str:
    """Ladder points with their sign: ``+2``, ``0``."""
    return signed(value, 0) if value else "0"


@register.filter
def percent(value: float) -> str:
    return f"{100 * value:.0f}%"


@register.filter
def whole_percent(value: float) -> str:
    """The whole percents that were reached: what is short of a step does not read like it."""
    return f"{math.floor(100 * value + 1e-9)}%"


@register.filter
def share(part: float, whole: float) -> str:
    """What part of a whole is, in percent."""
    return percent(part / whole) if whole else "0%"


def number(value: float, decimals: int) -> str:
    """A number with a real minus sign."""
    text = f"{abs(value):.{decimals}f}"
    return f"{MINUS}{text}" if value < 0 and text.strip("0.") else text


@register.filter
def tooltip(dot: Dot, shows: Shows) -> str:
    """What a point of the chart says."""
    point = dot.point
    what = "rank " if shows.lowest_first else ""
    text = f"{day_text(point.played_at)}: {what}{rated(point.rating, shows)}"
    return text if point.deviation is None else f"{text} ± {rated(point.deviation, shows)}"


@register.filter
def format_in_words(arena: Arena) -> str:
    """What is played in an arena: ``Duel``, ``3 against 3``, ``Free for all, 2 to 8``."""
    sides = between(arena.sides_min, arena.sides_max)
    if arena.is_duel:
        return "One against one"
    if arena.format == Format.FREE_FOR_ALL:
        return f"Free for all, {sides} players"
    size = between(arena.team_size_min, arena.team_size_max)
    if arena.sides_max == 2:
        return f"Teams of {size}"
    return f"{sides} teams of {size}"


@register.filter
def in_words(window: timedelta) -> str:
    """A duration in its largest whole units: ``2 days``, ``1 hour 30 minutes``."""
    seconds = int(window.total_seconds())
    words = []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, seconds = divmod(seconds, length)
        if count:
            words.append(f"{count} {unit}{'s' if count > 1 else ''}")
    return " ".join(words[:2]) or "no time"


@register.filter
def seconds_in_words(seconds: float) -> str:
    """A number of seconds as :func:`in_words`."""
    return in_words(timedelta(seconds=seconds))


@register.filter
def band_in_words(band: Band, season: Season) -> str:
    """Which ratings a band holds: ``1200 to 1400``, or ranks ``1 to 10``."""
    if season.lowest_first:
        return f"{number(band.low, 0)} to {number(band.high - 1, 0)}"
    decimals = 0 if band.high - band.low >= 1 else 2
    return f"{number(band.low, decimals)} to {number(band.high, decimals)}"


@register.simple_tag
def sheet_list(sheet: Sheet) -> list[Sheet]:
    """One match where a list of them is shown."""
    return [sheet]
