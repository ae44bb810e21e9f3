"""Plan the seasons of an arena: their dates, names and rules."""

from __future__ import annotations

import logging
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, cast

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import Arena, Season
from league.models.moments import describe_moment
from league.models.season import check_dates
from league.services.core.clock import microseconds
from ratings.tunables.durations import UNITS
from ratings.tunables.spans import add_months, add_span, months_until

if TYPE_CHECKING:
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from ratings.seasons.rules import SeasonRules
    from ratings.tunables.spans import Span

logger = logging.getLogger(__name__)

DAY = timedelta(days=1)


def plan_season(
    arena: Arena, *, starts_at: datetime, name: str = "", ends_at: datetime | None = None
) -> Season:
    """Plan a season. The current season will end when it starts, if not before.

    The season opens automatically, with the arena's rules at that time. Without ``ends_at`` it ends
    after the arena's season length, if there is one, or when the next planned season starts.

    Raises:
        ValidationError: it would overlap another planned season, or cannot start under the
            arena's rules.
    """
    with transaction.atomic():
        lock_plans(arena)
        return plan_locked(arena, starts_at=starts_at, name=name, ends_at=ends_at)


def plan_locked(
    arena: Arena, *, starts_at: datetime, name: str = "", ends_at: datetime | None = None
) -> Season:
    """Plan a season, as ``plan_season``, in a transaction that has locked the arena's plans."""
    if arena.is_draft:
        raise ValidationError(_("This arena is a draft. Publish it to begin its first season."))
    check_dates(starts_at, ends_at)
    running = Q(opened_at__isnull=False, archived_at=None, ends_at__gt=starts_at)
    before = Season.objects.filter(running | Q(ends_at=None), arena=arena, starts_at__lt=starts_at)
    before.update(ends_at=starts_at)
    season = next_season(arena, starts_at)
    season.name = name or free_name(arena)
    season.ends_at = ends_at or end_before_next(season)
    season.full_clean()
    check_start(season)
    season.save()
    return season


def next_season(arena: Arena, starts_at: datetime) -> Season:
    """Return the season that would open then, without saving it."""
    first = begins_counting(arena, starts_at)
    season = Season(arena=arena, starts_at=starts_at, months_from=first)
    season.ends_at = end_by_length(arena, starts_at, first)
    take_rules(season, arena)
    return season


def end_before_next(season: Season) -> datetime | None:
    """Return the end of a season by its length, but not after the next planned one starts."""
    later = Season.objects.filter(arena=season.arena, starts_at__gt=season.starts_at)
    starts = later.order_by("starts_at").values_list("starts_at", flat=True)[:1]
    return min((end for end in (season.ends_at, *starts) if end), default=None)


def free_name(arena: Arena) -> str:
    """Return “Season 4” after “Season 3”, else with the number of the arena's seasons so far."""
    taken = set(arena.seasons.values_list("name", flat=True))
    numbered = [_("Season %(number)d") % {"number": number} for number in range(1, len(taken) + 2)]
    last = max((at for at, name in enumerate(numbered, start=1) if name in taken), default=0)
    number = last or len(taken)
    while (name := _("Season %(number)d") % {"number": number + 1}) in taken:
        number += 1
    return name


def begins_counting(arena: Arena, starts_at: datetime) -> datetime | None:
    """Return the start from which the months of a season are counted, if it is not its own.

    It is that of the season before, if this one starts whole months after it.
    """
    if not arena.rules().calendar.length.months:
        return None
    before = arena.seasons.filter(ends_at__lte=starts_at).order_by("-ends_at").first()
    return first_start(before, starts_at) if before else None


def first_start(before: Season, starts_at: datetime) -> datetime | None:
    """Return the start that a time is whole months after: that of a season, or of its first."""
    if not before.season_rules().calendar.length.months:
        return None
    zone = before.arena.zone
    starts = [before.months_from, before.starts_at]
    return next(
        (first for first in starts if first and months_until(first, starts_at, zone) is not None),
        None,
    )


def end_by_length(
    arena: Arena, starts_at: datetime, first: datetime | None = None
) -> datetime | None:
    """Return the end of a season that starts then, ``None`` if the arena sets no length."""
    length = arena.rules().calendar.length
    return later(arena, starts_at, length, first) if length else None


def later(arena: Arena, moment: datetime, length: Span, first: datetime | None = None) -> datetime:
    """Add a length to a time. Whole days keep the local hour when the arena's clocks change.

    Months are counted from ``first``, if ``moment`` is whole months after it. So a season from
    31 January ends on 28 February, and the season after it on 31 March.
    """
    if length.months and first:
        counted = months_until(first, moment, arena.zone)
        if counted is not None:
            return add_months(first, counted + length.months, arena.zone)
    return add_span(moment, length, arena.zone)


def take_rules(season: Season, arena: Arena) -> None:
    """Copy the arena's current rules to a season."""
    season.rating_system = arena.rating_system
    season.rating_parameters = arena.system().parameters.model_dump(mode="json")
    season.rules = arena.rules().to_json()


def check_start(season: Season) -> None:
    """Raise ``ValidationError`` if a season cannot start under its rules."""
    if obstacle := obstacle_to(season, season.season_rules()):
        raise ValidationError(obstacle)


def obstacle_to(season: Season, rules: SeasonRules) -> str:
    """Return why a season cannot start under these rules, and what to do; empty if it can."""
    resets = (rules.start.full_reset_at, rules.start.partial_reset_at)
    latest = max((moment for moment in resets if moment), default=None)
    if latest is None or latest <= season.starts_at:
        return ""
    return _(
        "The arena resets everyone who last played before %(reset)s, which is after this season "
        "starts (%(start)s). Choose an earlier time in the arena’s rules."
    ) % {"reset": describe_moment(latest, UTC), "start": describe_moment(season.starts_at, UTC)}


def remark_on(season: Season, rules: SeasonRules) -> str:
    """Return a warning for staff about a season under these rules, or an empty string."""
    if not rules.points.ladder.counts:
        return ""
    ends_at = microseconds(season.ends_at) if season.ends_at else None
    window = rules.points.window(microseconds(season.starts_at), ends_at)
    if window.end - window.start > 1:
        return ""
    return _(
        "Its matches give no ladder points, because these begin or end outside the season. Correct "
        "“Points from” and “Points until” in the arena’s rules, or leave them empty."
    )


def held_up(arena: Arena) -> list[tuple[Season, str]]:
    """Return the arena's planned seasons that cannot start under its current rules, and why."""
    rules = arena.rules()
    planned = arena.seasons.filter(opened_at=None).order_by("starts_at")
    obstacles = [(season, obstacle_to(season, rules)) for season in planned]
    return [(season, obstacle) for season, obstacle in obstacles if obstacle]


def lock_plans(arena: Arena) -> None:
    """Lock the arena's seasons against other planners until the transaction ends.

    Call it before writing seasons. It also locks those that are not archived against results: their
    end may move.
    """
    lock_planners(arena)
    open_ = Season.objects.filter(arena=arena, archived_at=None).order_by("pk")
    # In id order, after the arena: so planners cannot deadlock with each other.
    list(open_.select_for_update().values_list("pk", flat=True))


def lock_planners(arena: Arena) -> None:
    """Lock out other planners of the arena's seasons. Results still come in."""
    # Matches refer to the arena: no_key lets them be written.
    Arena.objects.select_for_update(no_key=True).values_list("pk").get(pk=arena.pk)


def call_off(season_id: int, *, now: datetime) -> bool:  # noqa: ARG001 - as the other steps
    """Delete a planned season. Return whether it was still planned."""
    with transaction.atomic():
        planned = Season.objects.filter(pk=season_id, opened_at=None)
        season = planned.select_for_update(of=["self"]).first()
        if season is None:
            return False
        season.delete()
    logger.info("%s has been called off.", season)
    return True


def plan_following(now: datetime) -> list[Season]:
    """Plan the next season of each arena whose seasons follow each other. Return those planned.

    A season is planned when the last one has ended. Seasons that would already be over are skipped:
    nobody could have played in them, and each would have pulled ratings to the centre once more.
    """
    planned = []
    for arena_id in Season.objects.unfollowed(now).values_list("arena", flat=True):
        with transaction.atomic():
            arena = Arena.objects.select_for_update(no_key=True).get(pk=arena_id)
            last = Season.objects.unfollowed(now).filter(arena=arena).first()
            calendar = arena.rules().calendar
            if last is None or last.ends_at is None or not (calendar.follows and arena.is_open):
                continue
            try:
                planned.append(plan_season(arena, starts_at=next_start(last, now)))
            except ValidationError:
                logger.exception("The season of %s after %s cannot be planned.", arena, last.name)
    return planned


def next_start(last: Season, now: datetime) -> datetime:
    """Return the start of the first season after ``last``, an ended one, that lasts beyond now."""
    arena, ended_at = last.arena, cast("datetime", last.ends_at)
    calendar, first = arena.rules().calendar, first_start(last, ended_at)
    while True:
        starts_at = max(later(arena, ended_at, calendar.pause, first), ended_at)
        if calendar.length >= UNITS["d"]:
            starts_at = at_full_hour(starts_at, arena.zone)
        ended_at = later(arena, starts_at, calendar.length, first)
        if ended_at > now:
            return starts_at


def at_full_hour(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the next full hour of a time that nobody would choose, as of a season ended at once.

    People choose quarters of an hour, which stay.
    """
    local = moment.astimezone(zone)
    hour = local.replace(minute=0, second=0, microsecond=0)
    is_chosen = not (local - hour) % timedelta(minutes=15)
    return moment if is_chosen else hour.astimezone(UTC) + timedelta(hours=1)
