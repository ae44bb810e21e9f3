"""The end of a season: standings and awards frozen for ever, late results put where they belong."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import Count

from league.models import (
    Award,
    FinalPoints,
    FinalStanding,
    Match,
    Participant,
    Season,
    Settlement,
    Status,
)
from league.services.points import archiving
from league.services.standings.updating import LOCK, update_all

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.db.models import QuerySet

logger = logging.getLogger(__name__)

# How each player's matches ended, in the order of rating: first alone, first with others, beaten.
# A winning streak is a stretch of matches between two that were not won.
RECORDS = """
    sides AS MATERIALIZED (
        SELECT m.id AS match, m.rated_order, s.id AS side,
            CASE WHEN s.place > 0 THEN -1
                WHEN count(*) FILTER (WHERE s.place = 0) OVER (PARTITION BY m.id) > 1 THEN 0
                ELSE 1 END AS outcome
        FROM league_match AS m JOIN league_side AS s ON s.match_id = m.id
        WHERE m.season_id = %(season)s AND m.status = 'rated' AND m.kind = 'game'
    ), parts AS (
        SELECT p.player_id, sides.outcome, p.quit,
            count(*) FILTER (WHERE sides.outcome < 1)
                OVER (PARTITION BY p.player_id ORDER BY sides.rated_order) AS stretch
        FROM sides JOIN league_participant AS p ON p.side_id = sides.side
    ), stretches AS (
        SELECT player_id, count(*) FILTER (WHERE outcome = 1) AS wins,
            count(*) FILTER (WHERE outcome = 0) AS draws,
            count(*) FILTER (WHERE outcome = -1) AS losses
        FROM parts GROUP BY player_id, stretch
    ), records AS (
        SELECT player_id, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,
            max(wins) AS streak
        FROM stretches GROUP BY player_id
    )
"""

# From the rating with which a player was first ranked: that after the placement matches, or what
# the season took over of those who need none.
GAINED = """
    settled AS (
        SELECT r.player_id, CASE WHEN needed.matches = 0 THEN r.opening[1] ELSE e.rating_after END
            AS rating
        FROM league_rating AS r
        CROSS JOIN LATERAL (
            SELECT CASE WHEN r.opening IS NULL THEN greatest(%(matches)s, 1)
                ELSE %(returning)s END AS matches
        ) AS needed
        LEFT JOIN league_ratingevent AS e ON e.season_id = %(season)s
            AND e.player_id = r.player_id AND e.games = needed.matches
            AND e.superseded_by_id IS NULL AND e.match_id NOT IN (
                SELECT id FROM league_match WHERE season_id = %(season)s AND kind <> 'game'
            )
        WHERE r.season_id = %(season)s AND r.games > 0
    )
"""

FREEZE = f"""
    INSERT INTO league_finalstanding (season_id, position, player_id, name, rank, percentile,
        division, rating, deviation, games, wins, draws, losses, streak, gain)
    WITH {RECORDS}, {GAINED}, placed AS (
        SELECT player_id, division, rank() OVER by_key AS rank,
            count(*) OVER () AS total,
            count(*) OVER (by_key RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS upto
        FROM league_standing WHERE season_id = %(season)s AND active
        WINDOW by_key AS (ORDER BY key)
    ), ranked AS (
        SELECT player_id, division, rank,
            CASE WHEN total >= 100 THEN 1 + 100 * (total - upto) / total
                ELSE 1 + 99 * (total - upto) / greatest(total - 1, 1) END AS percentile
        FROM placed
    ), shown AS (
        SELECT r.player_id, r.deviation, r.games, s.key,
            coalesce(-%(sign)s * s.key, r.rating) AS rating
        FROM league_rating AS r
        LEFT JOIN league_standing AS s ON s.season_id = %(season)s AND s.player_id = r.player_id
        WHERE r.season_id = %(season)s AND r.games > 0
    )
    SELECT %(season)s, row_number() OVER (
            ORDER BY ranked.rank, shown.key, -%(sign)s * shown.rating, shown.player_id
        ), shown.player_id, p.name, ranked.rank, ranked.percentile,
        coalesce((%(names)s::text[])[ranked.division + 1], ''),
        shown.rating, shown.deviation, shown.games, coalesce(records.wins, 0),
        coalesce(records.draws, 0), coalesce(records.losses, 0), coalesce(records.streak, 0),
        %(sign)s * (shown.rating - settled.rating)
    FROM shown
    JOIN league_player AS p ON p.id = shown.player_id
    LEFT JOIN ranked ON ranked.player_id = shown.player_id
    LEFT JOIN records ON records.player_id = shown.player_id
    LEFT JOIN settled ON settled.player_id = shown.player_id
"""  # noqa: S608 - literals of this file

# The fairest never left a match early that counts and never earned dishonor: of them, who played
# most, then who stands highest.
FAIREST = """
    SELECT f.player_id, f.name, f.games FROM league_finalstanding AS f
    WHERE f.season_id = %(season)s AND f.rank IS NOT NULL
        AND NOT EXISTS (
            SELECT FROM league_participant AS p JOIN league_match AS m ON m.id = p.match_id
            WHERE p.player_id = f.player_id AND m.season_id = %(season)s AND p.quit
                AND m.status = 'rated'
        )
        AND NOT EXISTS (
            SELECT FROM league_dishonoraward AS d
            WHERE d.player_id = f.player_id AND d.arena_id = %(arena)s
                AND d.at >= %(starts_at)s AND d.at < %(ends_at)s
                AND NOT EXISTS (SELECT FROM league_amnesty AS a WHERE a.award_id = d.id)
        )
    ORDER BY f.games DESC, f.rank FETCH FIRST 1 ROW WITH TIES
"""

SHOWN = 20
POINTS_SHOWN = 10
SHARED = 50
"""How many may share an award; of more the first in the order of the archive."""


@dataclass(frozen=True)
class PointsPreview:
    """The ladder points that the archive would hold."""

    first: list[FinalPoints]
    players: int
    listed: int
    """How many of them have enough points and matches for the board."""


@dataclass(frozen=True)
class Preview:
    """What freezing a season would write, and what would become of what is not settled."""

    standings: list[FinalStanding]
    """The first of the archive."""
    awards: list[Award]
    players: int
    ranked: int
    unsettled: dict[Status, int]
    """Matches that are not settled, by how they stand."""
    points: PointsPreview | None
    """Of the ladder points; none where the season gives none."""

    @property
    def late(self) -> int:
        """How many matches are not settled."""
        return sum(self.unsettled.values())


def end(season_id: int, *, now: datetime) -> bool:
    """End a running season at once; whether this did.

    What follows is as if it had been planned so: late results, then the archive.
    """
    with transaction.atomic():
        running = Season.objects.running(now).filter(pk=season_id, starts_at__lt=now)
        season = running.select_for_update(of=["self"]).first()
        if season is None:
            return False
        season.ends_at = now
        season.save(update_fields=["ends_at"])
    return True


def freeze_due(now: datetime) -> list[int]:
    """The seasons whose standings are to be frozen by now, by id."""
    over = Season.objects.unfrozen(now)
    return [season.pk for season in over if season.archive_due_at and season.archive_due_at <= now]


def freeze(season_id: int, *, now: datetime) -> bool:
    """Write a season's archive, all of it or nothing; whether this did.

    Nothing happens to a season that is not over, not due or frozen already; of two workers at
    once one writes and the other goes on. From then on no result of the season is settled.
    """
    return archive(season_id, now, is_due=lambda due_at: due_at <= now)


def freeze_early(season_id: int, *, now: datetime) -> bool:
    """The same before the time for late results has passed: they come too late from now on."""
    return archive(season_id, now, is_due=lambda _due_at: True)


def archive(season_id: int, now: datetime, *, is_due: Callable[[datetime], bool]) -> bool:
    with transaction.atomic():
        over = Season.objects.unfrozen(now).filter(pk=season_id).select_related("arena")
        season = over.select_for_update(of=["self"], skip_locked=True).first()
        if season is None or not (season.archive_due_at and is_due(season.archive_due_at)):
            return False
        write(season, now)
        season.archived_at = now
        season.save(update_fields=["archived_at"])
    logger.info("%s has been archived.", season)
    return True


def preview(season: Season, now: datetime) -> Preview | None:
    """What :func:`freeze` would do now; none if somebody has done it.

    Everything is done and then undone. Results of the season need not wait meanwhile.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LOCK, [season.pk])
        season = Season.objects.select_related("arena").get(pk=season.pk)
        if season.archived_at is not None:
            return None
        write(season, now)
        frozen = FinalStanding.objects.filter(season=season)
        told = Preview(
            list(frozen[:SHOWN]),
            list(season.awards.all()),
            frozen.count(),
            frozen.filter(rank__isnull=False).count(),
            unsettled(season),
            points_frozen(season),
        )
        transaction.set_rollback(True)
    return told


def points_frozen(season: Season) -> PointsPreview | None:
    """What is written of a season's ladder points; none, without a query, where it gives none."""
    if not season.season_rules().points.ladder.counts:
        return None
    frozen = FinalPoints.objects.filter(season=season)
    return PointsPreview(
        list(frozen.order_by("position")[:POINTS_SHOWN]),
        frozen.count(),
        frozen.filter(rank__isnull=False).count(),
    )


def unsettled(season: Season) -> dict[Status, int]:
    """How many matches of a season are played, reported and disputed."""
    open_ = season.matches.filter(status__in=[Status.LIVE, Status.REPORTED, Status.DISPUTED])
    counted = open_.order_by().values_list("status").annotate(count=Count("*"))
    return {Status(status): count for status, count in counted}


def write(season: Season, now: datetime) -> None:
    """Write standings and awards; the caller holds the season alone."""
    rules = season.season_rules()
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [season.pk])
        update_all(season, now)
        cursor.execute(
            FREEZE,
            {
                "season": season.pk,
                "sign": -1 if season.lowest_first else 1,
                "matches": rules.ranked.needed(returning=False),
                "returning": rules.ranked.needed(returning=True),
                "names": [division.name for division in rules.divisions.divisions],
            },
        )
    Award.objects.bulk_create(awards_of(season))
    archiving.freeze(season)


def awards_of(season: Season) -> list[Award]:
    """Who is honoured, from the standings just frozen: only the ranked.

    Of equals the one who stands higher is; those who share a rank share the award.
    """
    ranked = FinalStanding.objects.filter(season=season, rank__isnull=False)
    honoured = season.season_rules().calendar.honoured
    won = [
        (Award.Kind.TOP, one.player_id, one.name, float(one.rank or 0))
        for one in ranked.filter(rank__lte=honoured)[: honoured + SHARED]
    ]
    won += foremost(Award.Kind.IMPROVED, ranked.filter(gain__gt=0), "gain")
    won += foremost(Award.Kind.STREAK, ranked.filter(streak__gt=1), "streak")
    with connection.cursor() as cursor:
        cursor.execute(FAIREST, fairness(season))
        fairest = sorted(cursor.fetchall())[:SHARED]
    won += [(Award.Kind.FAIREST, player, name, games) for player, name, games in fairest]
    return [
        Award(season=season, kind=kind, player_id=player, name=name, value=value)
        for kind, player, name, value in won
    ]


def foremost(
    kind: Award.Kind, rows: QuerySet[FinalStanding], field: str
) -> list[tuple[Award.Kind, int, str, float]]:
    """Who has most in that field; of equals who stands higher, and all who share that rank."""
    best = rows.order_by(f"-{field}", "rank").first()
    if best is None:
        return []
    most = getattr(best, field)
    level = rows.filter(**{field: most}, rank=best.rank).order_by("position")[:SHARED]
    return [(kind, one.player_id, one.name, float(most)) for one in level]


def fairness(season: Season) -> dict[str, Any]:
    return {
        "season": season.pk,
        "arena": season.arena_id,
        "starts_at": season.starts_at,
        "ends_at": season.ends_at or "infinity",
    }


def settle_late(now: datetime, limit: int = 500) -> int:
    """Put matches that their season's archive came before where the arena's rule says; how many.

    They move to the season that runs now, or do not count. Those that are to move wait until a
    season runs.
    """
    late = Match.objects.late().values_list("pk", flat=True)[:limit]
    return sum(settle_one(match, now) for match in late)


def settle_one(match_id: int, now: datetime) -> bool:
    with transaction.atomic():
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
