"""What a player has done: history, record, opponents and matches of a season."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Prefetch

from league.models import Match, Participant, Player, Rating, RatingEvent, Season, Side, Status

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena
    from league.models.match import MatchQuerySet

# A win is a first place of one's own, a draw a shared first place; all else is a loss.
RECORD = """
    SELECT
        count(*) FILTER (WHERE s.place = 0 AND NOT shared.first),
        count(*) FILTER (WHERE s.place = 0 AND shared.first),
        count(*) FILTER (WHERE s.place > 0)
    FROM league_participant AS p
    JOIN league_match AS m ON m.id = p.match_id
    JOIN league_side AS s ON s.id = p.side_id
    CROSS JOIN LATERAL (
        SELECT EXISTS (
            SELECT FROM league_side AS o
            WHERE o.match_id = s.match_id AND o.id <> s.id AND o.place = 0
        )
    ) AS shared(first)
    WHERE p.player_id = %s AND m.season_id = %s AND m.status = 'rated'
"""

OPPONENTS = """
    SELECT theirs.player_id, count(*),
        count(*) FILTER (WHERE mine.place < side.place),
        count(*) FILTER (WHERE mine.place = side.place),
        count(*) FILTER (WHERE mine.place > side.place)
    FROM league_participant AS p
    JOIN league_match AS m ON m.id = p.match_id
    JOIN league_side AS mine ON mine.id = p.side_id
    JOIN league_participant AS theirs ON theirs.match_id = m.id AND theirs.side_id <> p.side_id
    JOIN league_side AS side ON side.id = theirs.side_id
    WHERE p.player_id = %s AND m.season_id = %s AND m.status = 'rated'
    GROUP BY theirs.player_id
    ORDER BY count(*) DESC, max(m.rated_order) DESC
    LIMIT %s
"""


@dataclass(frozen=True)
class Point:
    """A player's rating after one match."""

    played_at: datetime
    rating: float
    deviation: float | None
    match_id: int


@dataclass(frozen=True)
class Record:
    """Rated matches by how they ended: first alone, first with others, or beaten."""

    wins: int
    draws: int
    losses: int

    @property
    def total(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Opponent:
    """How a player fared against another: placed above, beside or below their side."""

    player: Player
    record: Record


def rating_history(season: Season, player: Player) -> list[Point]:
    """The player's rating after each rated match, in the order in which they were rated."""
    events = RatingEvent.objects.filter(season=season, player=player).order_by("id")
    return [
        Point(*row)
        for row in events.values_list(
            "match__played_at", "rating_after", "deviation_after", "match_id"
        )
    ]


def record(season: Season, player: Player) -> Record:
    """Wins, draws and losses of a player's rated matches."""
    with connection.cursor() as cursor:
        cursor.execute(RECORD, [player.pk, season.pk])
        return Record(*cursor.fetchone())


def opponents(season: Season, player: Player, limit: int = 10) -> list[Opponent]:
    """Whom the player met most often in rated matches, and how that went. Two queries."""
    with connection.cursor() as cursor:
        cursor.execute(OPPONENTS, [player.pk, season.pk, limit])
        rows = cursor.fetchall()
    players = Player.objects.in_bulk([row[0] for row in rows])
    return [Opponent(players[row[0]], Record(*row[2:])) for row in rows]


def with_sides(matches: MatchQuerySet) -> MatchQuerySet:
    """Matches with all that a line about each needs, in five queries for any number of them.

    Each match has ``sides`` with ``participants`` with their ``player``, and ``events``.
    """
    return matches.select_related("arena", "season").prefetch_related(
        Prefetch("sides", Side.objects.select_related("roster", "captain").order_by("index")),
        Prefetch(
            "sides__participants",
            Participant.objects.select_related("player").order_by("position"),
        ),
        "events",
    )


def recent_matches(
    season: Season, player: Player | None = None, *, limit: int = 15, offset: int = 0
) -> list[Match]:
    """Rated matches of a season (of ``player``), latest first, as :func:`with_sides` gives them."""
    matches = Match.objects.filter(arena=season.arena_id, season=season, status=Status.RATED)
    if player is not None:
        matches = matches.filter(participants__player=player)
    return list(with_sides(matches.order_by("-played_at", "-id"))[offset : offset + limit])


def latest_rated(limit: int = 10) -> list[Match]:
    """What was rated last, in any arena, as :func:`with_sides` gives it."""
    rated = Match.objects.filter(rated_order__isnull=False).order_by("-rated_order")
    return list(with_sides(rated)[:limit])


def open_matches(player: Player, arena: Arena | None = None) -> list[Match]:
    """Matches of a player that are being played, wait for an answer or are disputed."""
    matches = Match.objects.filter(
        participants__player=player,
        status__in=[Status.LIVE, Status.REPORTED, Status.DISPUTED],
    )
    if arena is not None:
        matches = matches.filter(arena=arena)
    return list(with_sides(matches.order_by("-played_at", "-id"))[:50])


def seasons_played(player: Player) -> list[Season]:
    """Seasons in which a player has a rated match, the last played first."""
    ratings = Rating.objects.filter(player=player, games__gt=0).select_related("season__arena")
    return [rating.season for rating in ratings.order_by("-last_played_at", "-id")]
