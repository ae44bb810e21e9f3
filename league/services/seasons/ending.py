"""The end of a season: end it, archive its standings and settle late results."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.db.models import Count

from league.models import (
    Award,
    FinalPoints,
    FinalStanding,
    Match,
    Objection,
    Participant,
    Season,
    Settlement,
    Status,
)
from league.services.core.kill_points import committing
from league.services.results import objections
from league.services.seasons import final_standings
from league.services.standings.updating import LOCK

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


logger = logging.getLogger(__name__)

SHOWN = 20
POINTS_SHOWN = 10


@dataclass(frozen=True)
class PointsPreview:
    """The ladder points that the archive would contain."""

    first: list[FinalPoints]
    players: int
    listed: int
    """The number of players with enough points and matches for the board."""


@dataclass(frozen=True)
class Preview:
    """What freezing a season would write, and the matches that are not settled."""

    standings: list[FinalStanding]
    """The top of the archive."""
    awards: list[Award]
    players: int
    ranked: int
    unsettled: dict[Status, int]
    """Counts of unsettled matches by status."""
    objections: int
    """The number of objections that wait for staff. The archive ends them."""
    points: PointsPreview | None
    """``None`` if the season gives no ladder points."""

    @property
    def late(self) -> int:
        """The number of unsettled matches."""
        return sum(self.unsettled.values())


def end(season_id: int, *, now: datetime) -> bool:
    """End a running season at once. Return whether it was running.

    It goes on as if the end had been planned: late results first, then the archive.
    """
    with committing("season end"):
        running = Season.objects.running(now).filter(pk=season_id, starts_at__lt=now)
        season = running.select_for_update(of=["self"]).first()
        if season is None:
            return False
        season.ends_at = now
        season.save(update_fields=["ends_at"])
    return True


def freeze_due(now: datetime) -> list[int]:
    """Return the ids of seasons whose standings are due to be frozen."""
    over = Season.objects.unfrozen(now)
    return [season.pk for season in over if season.archive_due_at and season.archive_due_at <= now]


def freeze(season_id: int, *, now: datetime) -> bool:
    """Write a season's archive in one transaction. Return whether this call wrote it.

    A season that is not over, not due or already archived stays as it is, and of two concurrent
    workers one writes. From then on no result of the season is settled or corrected, so it also
    ends the objections that staff have not decided.
    """
    return archive(season_id, now, is_due=lambda due_at: due_at <= now)


def freeze_early(season_id: int, *, now: datetime) -> bool:
    """Write a season's archive before the time for late results is up. Returns as above."""
    return archive(season_id, now, is_due=lambda _due_at: True)


def archive(season_id: int, now: datetime, *, is_due: Callable[[datetime], bool]) -> bool:
    with committing("archive"):
        over = Season.objects.unfrozen(now).filter(pk=season_id).select_related("arena")
        season = over.select_for_update(of=["self"], skip_locked=True).first()
        if season is None or not (season.archive_due_at and is_due(season.archive_due_at)):
            return False
        final_standings.write(season, now)
        objections.lapse(season, now)
        season.archived_at = now
        season.save(update_fields=["archived_at"])
    logger.info("%s has been archived.", season)
    return True


def preview(season: Season, now: datetime) -> Preview | None:
    """Return what :func:`freeze` would do now, ``None`` if the season is already archived.

    It writes everything and rolls back. Results of the season do not have to wait.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LOCK, [season.pk])
        season = Season.objects.select_related("arena").get(pk=season.pk)
        if season.archived_at is not None:
            return None
        final_standings.write(season, now)
        frozen = FinalStanding.objects.filter(season=season)
        result = Preview(
            list(frozen[:SHOWN]),
            list(season.awards.all()),
            frozen.count(),
            frozen.filter(rank__isnull=False).count(),
            unsettled(season),
            Objection.objects.open().filter(match__season=season).count(),
            points_frozen(season),
        )
        transaction.set_rollback(True)
    return result


def points_frozen(season: Season) -> PointsPreview | None:
    """Return the archived ladder points. ``None``, without a query, if the season gives none."""
    if not season.season_rules().points.ladder.counts:
        return None
    frozen = FinalPoints.objects.filter(season=season)
    return PointsPreview(
        list(frozen.order_by("position")[:POINTS_SHOWN]),
        frozen.count(),
        frozen.filter(rank__isnull=False).count(),
    )


def unsettled(season: Season) -> dict[Status, int]:
    """Count a season's live, reported and disputed matches."""
    open_ = season.matches.filter(status__in=[Status.LIVE, Status.REPORTED, Status.DISPUTED])
    counted = open_.order_by().values_list("status").annotate(count=Count("*"))
    return {Status(status): count for status, count in counted}


def settle_late(now: datetime, limit: int = 500) -> int:
    """Settle matches that came after their season's archive, and return how many.

    By the arena's rules they move to the running season or become void. Matches that should move
    wait until a season is running.
    """
    late = Match.objects.late().values_list("pk", flat=True)[:limit]
    return sum(settle_one(match, now) for match in late)


def settle_one(match_id: int, now: datetime) -> bool:
    with committing("late result"):
        late = Match.objects.late().filter(pk=match_id).select_related("season__arena")
        match = late.select_for_update(of=["self"], skip_locked=True).first()
        if match is None:
            return False
        if match.season.season_rules().calendar.late == "running":
            running = match.season.arena.current_season(now)
            if running is None:
                return False
            Match.objects.filter(pk=match_id).update(season=running)
            return True
        Match.objects.filter(pk=match_id).update(
            status=Status.VOID, settled_at=now, settlement=Settlement.SEASON
        )
        Participant.objects.filter(match_id=match_id, live=True).update(live=False)
    return True
