"""Write the final standings and the awards of a season."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection
from django.db.models import Exists, OuterRef, Q

from league.models import (
    Award,
    DishonorAward,
    FinalStanding,
    Participant,
    Rating,
    Standing,
    Status,
)
from league.services.core import binary
from league.services.points import archiving
from league.services.standings import connections
from league.services.standings.leaderboard_rows import LeaderboardReader
from league.services.standings.percentiles import PERCENTILE, PLACED
from league.services.standings.updating import LOCK, update_all

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Season

# The outcome of each player's matches in rating order: won, tied for first, or lost. A winning
# streak is a run of matches between two that were not won.
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
                OVER (PARTITION BY p.player_id ORDER BY sides.rated_order) AS streak_group
        FROM sides JOIN league_participant AS p ON p.side_id = sides.side
    ), streaks AS (
        SELECT player_id, count(*) FILTER (WHERE outcome = 1) AS wins,
            count(*) FILTER (WHERE outcome = 0) AS draws,
            count(*) FILTER (WHERE outcome = -1) AS losses
        FROM parts GROUP BY player_id, streak_group
    ), records AS (
        SELECT player_id, sum(wins) AS wins, sum(draws) AS draws, sum(losses) AS losses,
            max(wins) AS streak
        FROM streaks GROUP BY player_id
    )
"""

# Gains count from the rating with which a player was first ranked: the rating after the placement
# matches or, for players who need none, the carried-over rating.
GAINED = """
    settled AS (
        SELECT r.player_id, CASE WHEN needed.matches = 0 THEN r.opening[1] ELSE e.rating_after END
            AS rating
        FROM league_rating AS r
        CROSS JOIN LATERAL (
            SELECT CASE WHEN %(is_ladder)s AND r.opening IS NOT NULL THEN 0
                WHEN r.played_before IS NULL THEN greatest(%(matches)s, 1)
                ELSE %(returning)s END AS matches
        ) AS needed
        LEFT JOIN league_ratingevent AS e ON e.season_id = %(season)s
            AND e.player_id = r.player_id AND e.games = needed.matches
            AND e.superseded_by_id IS NULL AND NOT e.ignored AND e.match_id NOT IN (
                SELECT id FROM league_match WHERE season_id = %(season)s AND kind <> 'game'
            )
        WHERE r.season_id = %(season)s AND r.games > 0
    )
"""

GROWN = "league_grown_deviation"
STAGE = f"""
    CREATE TEMP TABLE {GROWN} (player_id bigint PRIMARY KEY, deviation float8) ON COMMIT DROP
"""
BATCH = 20_000
"""Players whose deviations are computed at once."""

FREEZE = f"""
    INSERT INTO league_finalstanding (season_id, position, player_id, name, rank, percentile,
        division, rating, deviation, games, wins, draws, losses, streak, gain)
    WITH {RECORDS}, {GAINED}, placed AS ({PLACED}), ranked AS (
        SELECT player_id, division, rank, {PERCENTILE} AS percentile FROM placed
    ), shown AS (
        SELECT r.player_id, {{deviation}} AS deviation, r.games, s.key,
            coalesce(-%(sign)s * s.key, r.rating) AS rating
        FROM league_rating AS r
        {{grown}}
        LEFT JOIN league_standing AS s ON s.season_id = %(season)s AND s.player_id = r.player_id
        WHERE r.season_id = %(season)s AND (r.games > 0 OR s.active)
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
"""  # noqa: S608 - literals of this file and of standings
COMPLETE = FREEZE.format(
    deviation="nullif(grown.deviation, 'NaN')",
    grown=f"JOIN {GROWN} AS grown ON grown.player_id = r.player_id",
)
WITHOUT_DEVIATIONS = FREEZE.format(deviation="NULL::float8", grown="")

SHARED = 50
"""At most this many players share an award, the first in the order of the archive."""


def write(season: Season, now: datetime) -> None:
    """Write standings and awards. The caller holds an exclusive lock on the season."""
    update(season, now)
    with connection.cursor() as cursor:
        cursor.execute(STAGE)
        stage_deviations(season, now)
        write_rows(season, COMPLETE)
        cursor.execute(f"DROP TABLE {GROWN}")
    Award.objects.bulk_create(awards_of(season))
    archiving.freeze(season)


def update(season: Season, now: datetime) -> None:
    """Bring the standings up to date, and lock them."""
    connections.lock(season.pk)
    if connections.opponents_needed(season):
        update_all(season, now)
        connections.refresh(season, now)
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [season.pk])
    update_all(season, now)


def write_rows(season: Season, statement: str) -> None:
    """Write standings, complete or, for a preview, without deviations, which take longest."""
    rules = season.season_rules()
    with connection.cursor() as cursor:
        cursor.execute(
            statement,
            {
                "season": season.pk,
                "sign": -1 if season.lowest_first else 1,
                "matches": rules.ranked.matches_needed(returning=False),
                "is_ladder": season.lowest_first,
                "returning": rules.ranked.matches_needed(returning=True),
                "names": [division.name for division in rules.divisions.divisions],
            },
        )


def listed_in(season: Season) -> QuerySet[Rating]:
    """Return the ratings that the archive lists: of all who played, and of all who are ranked."""
    ranked = Standing.objects.filter(
        season_id=season.pk, player_id=OuterRef("player_id"), active=True
    )
    return Rating.objects.filter(Q(games__gt=0) | Q(Exists(ranked)), season=season)


def stage_deviations(season: Season, now: datetime) -> None:
    """Write everybody's deviation as the leaderboard shows it at the end of the season."""
    board = LeaderboardReader(season, now)
    rows = (
        listed_in(season)
        .order_by("player_id")
        .values_list(
            "player_id", "rating", "deviation", "volatility", "games", "last_played_at", "memory"
        )
        .iterator(chunk_size=BATCH)
    )
    while batch := list(islice(rows, BATCH)):
        grown = {
            "player_id": np.array([row[0] for row in batch], dtype=np.int64),
            "deviation": board.deviations_of(batch),
        }
        binary.write(GROWN, {"player_id": "bigint", "deviation": "float8"}, [grown])


def awards_of(season: Season) -> list[Award]:
    """Return the awards from the standings just written. Only ranked players who played get one.

    Of equal players the higher ranked one gets it; players who share a rank share the award.
    """
    ranked = FinalStanding.objects.filter(season=season, rank__isnull=False, games__gt=0)
    honoured = season.season_rules().calendar.honoured
    won = [
        (Award.Kind.TOP, one.player_id, one.name, float(one.rank or 0))
        for one in ranked.filter(rank__lte=honoured)[: honoured + SHARED]
    ]
    won += foremost(Award.Kind.IMPROVED, ranked.filter(gain__gt=0), "gain")
    won += foremost(Award.Kind.STREAK, ranked.filter(streak__gt=1), "streak")
    won += foremost(Award.Kind.FAIREST, of_fair_players(ranked, season), "games")
    return [
        Award(season=season, kind=kind, player_id=player, name=name, value=value)
        for kind, player, name, value in won
    ]


def foremost(
    kind: Award.Kind, rows: QuerySet[FinalStanding], field: str
) -> list[tuple[Award.Kind, int, str, float]]:
    """Return the players with the highest value of ``field``.

    Of equal players the higher ranked one counts, with all who share that rank.
    """
    best = rows.order_by(f"-{field}", "rank").first()
    if best is None:
        return []
    most = getattr(best, field)
    level = rows.filter(**{field: most}, rank=best.rank).order_by("position")[:SHARED]
    return [(kind, one.player_id, one.name, float(most)) for one in level]


def of_fair_players(rows: QuerySet[FinalStanding], season: Season) -> QuerySet[FinalStanding]:
    """Return the rows of players who left no rated match early and earned no dishonor."""
    quit_early = Participant.objects.filter(
        player=OuterRef("player"), match__season=season, match__status=Status.RATED, quit=True
    )
    penalties = DishonorAward.objects.standing().filter(
        player=OuterRef("player"), arena=season.arena_id, at__gte=season.starts_at
    )
    if season.ends_at is not None:
        penalties = penalties.filter(at__lt=season.ends_at)
    return rows.exclude(Exists(quit_early)).exclude(Exists(penalties))
