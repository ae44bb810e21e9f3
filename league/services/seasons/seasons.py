"""The runs of an arena: planned, opened, and following each other."""

from __future__ import annotations

import logging
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.translation import gettext as _

from league.models import Arena, Season
from league.models.season import check_dates
from league.services.core.clock import microseconds
from league.services.seasons.start import fill

if TYPE_CHECKING:
    from datetime import datetime

    from ratings.seasons.rules import SeasonRules

logger = logging.getLogger(__name__)

DAY = timedelta(days=1)


def open_season(
    arena: Arena, *, starts_at: datetime, name: str = "", ends_at: datetime | None = None
) -> Season:
    """Begin a season with the arena's rules as they are; a season without an end ends here.

    Raises:
        ValidationError: it would overlap another season, or cannot start by the arena's rules.
    """
    with transaction.atomic():
        lock_plans(arena)
        keep_others_from_writing()
        season = plan_season(arena, starts_at=starts_at, name=name, ends_at=ends_at)
        begin(season, now=starts_at)
    return season


def plan_season(
    arena: Arena, *, starts_at: datetime, name: str = "", ends_at: datetime | None = None
) -> Season:
    """Set the date of a next season; one without an end will end then.

    It opens by itself, with the arena's rules as they are at that time. Without ``ends_at`` it
    ends after the length that the arena gives its seasons, if any.

    Raises:
        ValidationError: as :func:`open_season`.
    """
    check_dates(starts_at, ends_at)
    with transaction.atomic():
        lock_plans(arena)
        endless = Season.objects.filter(arena=arena, ends_at=None, starts_at__lt=starts_at)
        endless.update(ends_at=starts_at)
        season = next_season(arena, starts_at)
        season.name = name or free_name(arena)
        season.ends_at = ends_at or season.ends_at
        season.full_clean()
        check_start(season)
        season.save()
    return season


def next_season(arena: Arena, starts_at: datetime) -> Season:
    """The season that would open then, to look at; nothing is written."""
    season = Season(arena=arena, starts_at=starts_at, ends_at=end_by_length(arena, starts_at))
    take_rules(season, arena)
    return season


def free_name(arena: Arena) -> str:
    """“Season 4”, with the first number that no season of the arena has yet."""
    taken = set(arena.seasons.values_list("name", flat=True))
    number = len(taken) + 1
    while (name := _("Season %(number)d") % {"number": number}) in taken:
        number += 1
    return name


def end_by_length(arena: Arena, starts_at: datetime) -> datetime | None:
    """When a season that starts then ends by the arena's rules; none without a length."""
    length = arena.rules().calendar.length
    return later(arena, starts_at, timedelta(seconds=length)) if length else None


def later(arena: Arena, moment: datetime, length: timedelta) -> datetime:
    """``moment`` and a length; whole days keep the hour on the arena's clocks when these change."""
    if length % DAY:
        return moment + length
    return (moment.astimezone(arena.zone) + length).astimezone(UTC)


def take_rules(season: Season, arena: Arena) -> None:
    """Give a season the arena's rules as they are."""
    season.rating_system = arena.rating_system
    season.rating_parameters = arena.system().parameters.model_dump(mode="json")
    season.rules = arena.rules().written()


def check_start(season: Season) -> None:
    """Refuse a season that cannot start as its rules say. Raises ``ValidationError``."""
    if obstacle := obstacle_to(season, season.season_rules()):
        raise ValidationError(obstacle)


def obstacle_to(season: Season, rules: SeasonRules) -> str:
    """Why a season cannot start as these rules say, and what to do; empty if it can."""
    reset_at = rules.start.reset_at
    if reset_at is None or reset_at <= season.starts_at:
        return ""
    return _(
        "The arena resets everyone who last played before %(day)s (midnight UTC), which is after "
        "the start of this season (%(start)s). Choose an earlier day in the arena's rules."
    ) % {
        "day": reset_at.date().isoformat(),
        "start": f"{season.starts_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
    }


def remark_on(season: Season, rules: SeasonRules) -> str:
    """What staff may not expect of a season under these rules, and what to do; empty if nothing."""
    if not rules.points.ladder.counts:
        return ""
    ends_at = microseconds(season.ends_at) if season.ends_at else None
    window = rules.points.window(microseconds(season.starts_at), ends_at)
    if window.end - window.start > 1:
        return ""
    return _(
        "No match of it gives ladder points, as these begin or end outside the season. Correct "
        "“Points from” and “Points until” in the arena's rules, or leave them empty."
    )


def held_up(arena: Arena) -> list[tuple[Season, str]]:
    """The arena's planned seasons that cannot start by its rules as they are, and why."""
    rules = arena.rules()
    planned = arena.seasons.filter(opened_at=None).order_by("starts_at")
    told = [(season, obstacle_to(season, rules)) for season in planned]
    return [(season, obstacle) for season, obstacle in told if obstacle]


def begin(season: Season, *, now: datetime) -> None:
    """Open a planned season, which the caller has locked or made."""
    take_rules(season, season.arena)
    check_start(season)
    fill(season)
    season.opened_at = now
    season.save()


def lock_plans(arena: Arena) -> None:
    """Keep others from planning seasons of the arena, or changing one that has no end yet, until
    the transaction ends. To be called before it writes seasons."""
    Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
    endless = Season.objects.filter(arena=arena, ends_at=None)
    endless.select_for_update().values_list("pk", flat=True).first()


def keep_others_from_writing() -> None:
    """Let no other transaction write seasons until this one ends: linking the partition of ratings
    will want that, and two that had both written would wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE league_season IN SHARE ROW EXCLUSIVE MODE")


def open_planned(season_id: int, *, now: datetime) -> bool:
    """Open a planned season whose day has come; whether it did.

    All of it or nothing. Nothing happens to one that is open or not due; of two workers at once
    one opens it and the other goes on. One that cannot start by the arena's rules waits until these
    are changed; staff read of it on the arena's page.
    """
    with transaction.atomic():
        due = Season.objects.due(now).filter(pk=season_id).select_related("arena")
        season = due.select_for_update(of=["self"], skip_locked=True).first()
        if season is None:
            return False
        try:
            begin(season, now=now)
        except ValidationError as error:
            logger.warning("%s is due and cannot be opened. %s", season, *error.messages)
            return False
    logger.info("%s has been opened.", season)
    return True


def call_off(season_id: int, *, now: datetime) -> bool:  # noqa: ARG001 - as the other steps
    """Delete a season that is planned; whether this did. Nothing happens to one that has opened."""
    with transaction.atomic():
        planned = Season.objects.filter(pk=season_id, opened_at=None)
        season = planned.select_for_update(of=["self"]).first()
        if season is None:
            return False
        season.delete()
    logger.info("%s has been called off.", season)
    return True


def plan_following(now: datetime) -> list[Season]:
    """Plan the next season of each arena whose seasons follow each other; what it planned.

    The next is planned when the last has ended. Of those that would be over by now none is: nobody
    could have played in them, and each would have drawn ratings towards the centre once more.
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
                planned.append(plan_season(arena, starts_at=next_start(arena, last.ends_at, now)))
            except ValidationError:
                logger.exception("The season of %s after %s cannot be planned.", arena, last.name)
    return planned


def next_start(arena: Arena, ended_at: datetime, now: datetime) -> datetime:
    """When the first season that follows one's end, and is not over by ``now``, starts."""
    calendar = arena.rules().calendar
    length, pause = timedelta(seconds=calendar.length), timedelta(seconds=calendar.pause)
    while True:
        starts_at = max(later(arena, ended_at, pause), ended_at)
        ended_at = later(arena, starts_at, length)
        if ended_at > now:
            return starts_at


def adopt_rules(season: Season, arena: Arena) -> bool:
    """Let a season without a rated result take the arena's present rules; whether it did.

    Rules by which it could not have started wait for the next one.
    """
    with transaction.atomic():
        lock_plans(arena)
        season = Season.objects.select_for_update(of=["self"]).get(pk=season.pk)
        if season.opened_at is None or season.events.exists():
            return False
        held = (season.rating_system, season.rating_parameters, season.rules)
        if held == (arena.rating_system, arena.rating_parameters, arena.rules().written()):
            return False
        season.arena = arena
        take_rules(season, arena)
        if obstacle_to(season, season.season_rules()):
            return False
        season.save()
        season.ratings.all().delete()
        season.checkpoints.all().delete()
        fill(season)
    return True
