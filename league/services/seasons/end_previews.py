"""Preview what the archive of a season would contain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, Sum

from league.models import (
    Award,
    FinalPoints,
    FinalStanding,
    Objection,
    PointTotal,
    Season,
    Status,
)
from league.services.points import archiving, points_leaderboard
from league.services.seasons import final_standings
from league.services.standings.leaderboards import leaderboard

if TYPE_CHECKING:
    from datetime import datetime

SHOWN = 20
POINTS_SHOWN = 10
MOST_GAMES = 200_000
"""The matches of all players together in a season whose archive is written for its preview, and
rolled back. Awards need every match, so that the preview of a larger season is without them."""


@dataclass(frozen=True)
class PointsPreview:
    """The ladder points that the archive would contain."""

    first: list[FinalPoints]
    players: int
    listed: int
    """The number of players with enough points and matches for the board."""


@dataclass(frozen=True)
class Archive:
    """The rows that freezing a season would write."""

    standings: list[FinalStanding]
    """The top of the archive."""
    awards: list[Award] | None
    """``None`` if the season is too large to find them."""
    players: int
    ranked: int
    points: PointsPreview | None
    """``None`` if the season gives no ladder points."""


@dataclass(frozen=True)
class Preview(Archive):
    """The rows that freezing a season would write, and the matches that are not settled."""

    unsettled: dict[Status, int]
    """Counts of unsettled matches by status."""
    objections: int
    """The number of objections that wait for staff. The archive ends them."""

    @property
    def late(self) -> int:
        """The number of unsettled matches."""
        return sum(self.unsettled.values())


def preview(season: Season, now: datetime) -> Preview | None:
    """Return what freezing a season would write now, ``None`` if it is already archived."""
    size = final_standings.listed_in(season).aggregate(players=Count("*"), games=Sum("games"))
    if (size["games"] or 0) > MOST_GAMES:
        archive = as_listed(season, now, size["players"])
    else:
        archive = as_written(season, now)
    if archive is None:
        return None
    objections = Objection.objects.open().filter(match__season=season).count()
    return Preview(**vars(archive), unsettled=count_unsettled(season), objections=objections)


def as_written(season: Season, now: datetime) -> Archive | None:
    """Return the archive, written and rolled back. Results of the season do not have to wait."""
    with transaction.atomic():
        final_standings.update(season, now)
        season = Season.objects.select_related("arena").get(pk=season.pk)
        if season.archived_at is not None:
            transaction.set_rollback(True)
            return None
        final_standings.write_rows(season, final_standings.WITHOUT_DEVIATIONS)
        archiving.freeze(season)
        frozen = FinalStanding.objects.filter(season=season)
        counts = frozen.aggregate(players=Count("*"), ranked=Count("rank"))
        archive = Archive(
            standings=list(frozen[:SHOWN]),
            awards=final_standings.awards_of(season),
            points=points_written(season),
            **counts,
        )
        transaction.set_rollback(True)
    return archive


def as_listed(season: Season, now: datetime, players: int) -> Archive | None:
    """Return the archive without awards, from the leaderboards as they are."""
    if season.archived_at is not None:
        return None
    top = leaderboard(season, now=now, per_page=SHOWN)
    return Archive(
        standings=[
            FinalStanding(
                rank=row.rank,
                name=row.name,
                division=row.division.name if row.division else "",
                rating=row.rating,
                games=row.games,
            )
            for row in top.rows
        ],
        awards=None,
        players=players,
        ranked=top.total,
        points=points_listed(season),
    )


def points_written(season: Season) -> PointsPreview | None:
    """Return the archived ladder points. ``None``, without a query, if the season gives none."""
    if not season.season_rules().points.ladder.counts:
        return None
    frozen = FinalPoints.objects.filter(season=season)
    counts = frozen.aggregate(players=Count("*"), listed=Count("rank"))
    return PointsPreview(list(frozen.order_by("position")[:POINTS_SHOWN]), **counts)


def points_listed(season: Season) -> PointsPreview | None:
    """Return the ladder points as their leaderboard has them, as above."""
    if not season.season_rules().points.ladder.counts:
        return None
    top = points_leaderboard.page(season, count=POINTS_SHOWN)
    return PointsPreview(
        [
            FinalPoints(
                rank=row.rank,
                name=row.name,
                points=row.points,
                matches=row.matches,
                wins=row.wins,
            )
            for row in top.rows
        ],
        players=PointTotal.objects.filter(season=season).count(),
        listed=top.total,
    )


def count_unsettled(season: Season) -> dict[Status, int]:
    """Count a season's live, reported and disputed matches."""
    open_ = season.matches.filter(status__in=[Status.LIVE, Status.REPORTED, Status.DISPUTED])
    counted = open_.order_by().values_list("status").annotate(count=Count("*"))
    return {Status(status): count for status, count in counted}
