"""The first results of a file in words, so that a reader sees how the file was understood."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from django.utils.formats import date_format

from league.models import Season
from league.models.moments import describe_moment
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.core.numbers import write_score
from ratings.history import NEITHER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from zoneinfo import ZoneInfo

    from league.models import Arena, FileImport
    from ratings.files.results import Result, ResultSide

MOST = 3
MOST_SIDES = 4
"""Sides of a free-for-all that are named."""


def describe_results(file: FileImport, results: Sequence[Result]) -> None:
    """Note the first results of a file in words, and a day for those without a date."""
    file.mapping["examples"] = describe_first(results, file.arena.zone)
    if "day" not in file.mapping and any(result.played_at is None for result in results):
        file.mapping["day"] = first_day(file.arena).isoformat()


def first_day(arena: Arena) -> date:
    """Return the first day of the season that runs, or of the last one; today without one."""
    season = Season.objects.opened().filter(arena=arena).order_by("-starts_at").first()
    return (season.starts_at if season else database_now()).astimezone(arena.zone).date()


def describe_first(results: Sequence[Result], zone: ZoneInfo) -> list[str]:
    """Return a sentence for each of the first results."""
    return [describe(result, zone) for result in results[:MOST]]


def describe(result: Result, zone: ZoneInfo) -> str:
    """Return a result in words, such as “16 August 2014: Arsenal 2–1 Crystal Palace, at home”."""
    text = describe_sides(result)
    if result.first != NEITHER:
        home = ", ".join(result.sides[result.first].names)
        text = _("%(result)s (%(side)s at home, with White or first)") % {
            "result": text,
            "side": home,
        }
    when = describe_time(result, zone)
    return _("%(when)s: %(result)s") % {"when": when, "result": text} if when else text


def describe_time(result: Result, zone: ZoneInfo) -> str:
    at = result.played_at
    if at is None:
        return ""
    at = at if at.tzinfo else at.replace(tzinfo=zone)
    try:
        at.astimezone(UTC)
    except OverflowError:
        return ""
    return describe_moment(at, zone) if result.has_hour else date_format(at, "DATE_FORMAT")


def describe_sides(result: Result) -> str:
    if len(result.sides) != 2:
        ordered = sorted(result.sides, key=lambda side: side.place)
        shown = [f"{side.place + 1}. {name_of(side)}" for side in ordered[:MOST_SIDES]]
        return ", ".join([*shown, "…"] if len(ordered) > MOST_SIDES else shown)
    first, second = result.sides
    names = {"first": name_of(first), "second": name_of(second)}
    if first.score is not None and second.score is not None:
        score = f"{write_score(first.score)}–{write_score(second.score)}"
        return _("%(first)s %(score)s %(second)s") % {**names, "score": score}
    if first.place == second.place:
        return _("%(first)s drew with %(second)s") % names
    if first.place < second.place:
        return _("%(first)s beat %(second)s") % names
    return _("%(first)s lost to %(second)s") % names


def name_of(side: ResultSide) -> str:
    return ", ".join(side.names)
