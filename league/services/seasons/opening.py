"""Open seasons: at once, on their planned day, in the past, with a draft, or with new rules."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Max

from league.models import Arena, Season, StaffAction
from league.models.own_words import own_words
from league.services.arenas.settings import settings_in_english
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.staff_log import of_arena
from league.services.seasons import anchors
from league.services.seasons.planning import (
    check_start,
    free_name,
    lock_planners,
    lock_plans,
    next_season,
    obstacle_to,
    plan_locked,
    plan_season,
    take_rules,
)
from league.services.seasons.starting_lists import start_again
from league.services.seasons.starting_ratings import fill
from league.services.standings.ranking import ranking_rules
from league.services.standings.rebuilding import rebuild

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Season, User

logger = logging.getLogger(__name__)

RUN_SEASONS = ("league.change_arena", "league.add_season")
"""The permissions to open and end seasons of an arena."""

KEPT_OPEN = timedelta(days=7)
"""The time in which a season created after its end takes imports before it is archived."""


def open_season(
    arena: Arena,
    *,
    starts_at: datetime,
    name: str = "",
    ends_at: datetime | None = None,
    now: datetime | None = None,
) -> Season:
    """Open a season with the arena's current rules. The current season ends when it starts.

    It is opened when it starts, or at ``now``.

    Raises:
        ValidationError: it would overlap a planned season, or cannot start under the arena's rules.
    """
    with transaction.atomic():
        lock_plans(arena)
        keep_others_from_writing()
        season = plan_locked(arena, starts_at=starts_at, name=name, ends_at=ends_at)
        begin(season, now=now or starts_at)
    return season


def open_today(arena: Arena, *, now: datetime, name: str = "") -> Season:
    """Open a season that takes what is played from the start of today, in the arena's time zone.

    So results of this evening count, though the season is opened after them. It starts later if
    another season of the arena ended today.
    """
    day = now.astimezone(arena.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    ended = arena.seasons.filter(ends_at__gt=day, ends_at__lte=now).aggregate(last=Max("ends_at"))
    running = arena.seasons.running(now).exists()
    start = now if running else ended["last"] or day
    return open_season(arena, starts_at=start, name=name, now=now)


def begin(season: Season, *, now: datetime) -> None:
    """Open a planned season that the caller has locked or created."""
    take_rules(season, season.arena)
    check_start(season)
    fill(season)
    season.opened_at = now
    season.save()
    anchors.place(season)
    rank_carried_over(season, now)


def rank_carried_over(season: Season, now: datetime) -> None:
    """Write the standings of players who are ranked without a match in the season."""
    if ranking_rules(season).returning_matches == 0:
        rebuild(season, now)


def keep_others_from_writing() -> None:
    """Keep other transactions from writing seasons until this one ends.

    Attaching the partition of ratings needs that lock. Taking it first prevents a deadlock of two
    transactions that have both written seasons.
    """
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE league_season IN SHARE ROW EXCLUSIVE MODE")


def open_planned(season_id: int, *, now: datetime) -> bool:
    """Open a planned season that is due, in one transaction. Return whether this call opened it.

    Open seasons and seasons that are not due stay as they are, and of two concurrent workers one
    opens the season. A season that cannot start under the arena's rules waits until these change;
    the arena's admin page shows why.
    """
    with committing("season opening"):
        due = Season.objects.due(now).filter(pk=season_id).select_related("arena")
        # Another worker that has it locked is opening it.
        season = due.select_for_update(of=["self"], skip_locked=True).first()
        if season is None:
            return False
        try:
            begin(season, now=now)
        except ValidationError as error:
            logger.warning("%s is due but cannot be opened. %s", season, *error.messages)
            return False
    logger.info("%s has been opened.", season)
    return True


def adopt_rules(season: Season, arena: Arena) -> bool:
    """Give a season without rated results the arena's current rules. Return whether it changed.

    It keeps its rules if it could not have started under the new ones.
    """
    with transaction.atomic():
        lock_plans(arena)
        season = Season.objects.select_for_update(of=["self"]).get(pk=season.pk)
        if season.opened_at is None or season.events.exists():
            return False
        held = (season.rating_system, season.rating_parameters, season.rules)
        if held == (arena.rating_system, arena.rating_parameters, arena.rules().to_json()):
            return False
        season.arena = arena
        take_rules(season, arena)
        if obstacle_to(season, season.season_rules()):
            return False
        season.save()
        start_again(season)
        rank_carried_over(season, season.opened_at)
    return True


def create_past(
    arena: Arena, *, name: str, starts_at: datetime, ends_at: datetime, now: datetime
) -> Season:
    """Create a season that has ended, with the arena's rules, in the caller's transaction.

    Ratings are carried over from the season before it, as for any season. Those of later seasons
    stay as they are, and take results meanwhile.

    Raises:
        ValidationError: its dates are no past season's, overlap another, or its name is taken.
    """
    if ends_at > now:
        raise ValidationError({"ends_at": _("It must have ended. Open other seasons as usual.")})
    lock_planners(arena)
    keep_others_from_writing()
    season = next_season(arena, starts_at)
    season.name = name or free_name(arena)
    season.ends_at = ends_at
    season.kept_open_until = now + KEPT_OPEN
    season.full_clean()
    season.save()
    begin(season, now=starts_at)
    return season


def publish(
    arena_id: int, *, by: User, now: datetime, name: str = "", starts_at: datetime | None = None
) -> Season:
    """Publish a draft. Its first season opens now, or at ``starts_at`` if that is given.

    Raises:
        Conflict: somebody has published it already.
        ValidationError: the season cannot start under the arena's rules.
    """
    with transaction.atomic():
        arena = Arena.objects.select_for_update(no_key=True).get(pk=arena_id)
        if not arena.is_draft:
            raise Conflict("published", _("“%(arena)s” is published already.") % {"arena": arena})
        arena.is_draft = False
        arena.full_clean()
        arena._history_user, arena._change_reason = by, "published"  # type: ignore[attr-defined] # noqa: SLF001 - simple_history reads these
        arena.save()
        if starts_at is None:
            season = open_today(arena, now=now, name=name)
        else:
            season = plan_season(arena, starts_at=starts_at, name=name)
        why = own_words("published", arena=arena, season=season.name)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.SEASON,
            reason=why.text,
            details={**of_arena(arena), "season": season.pk, "object": str(season), **why.details},
            after={
                **settings_in_english(arena),
                "season": season.name,
                "start": season.starts_at.isoformat(),
                "end": season.ends_at.isoformat() if season.ends_at else "",
            },
            at=now,
        )
    return season
