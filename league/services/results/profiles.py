"""A player's history, record, opponents and matches in a season."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Count, F, IntegerField, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from league.models import Match, Participant, Player, Rating, RatingEvent, Season, Side, Status
from league.services.core.pages import Page

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Arena
    from league.models.match import MatchQuerySet

SIDES_ON_A_LINE = 4
SIDES_ON_A_PAGE = 50
SIDES_THAT_MEET = 100
BEST_FIRST = (F("place").asc(nulls_last=True), F("index"))

# A win is an unshared first place, a draw a shared one, everything else a loss.
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
    WHERE p.player_id = %s AND m.season_id = %s AND m.status = 'rated' AND m.kind = 'game'
"""

LATEST_IN_TURN = """
    SELECT latest.id
    FROM unnest(%s::bigint[]) AS season(id)
    CROSS JOIN LATERAL (
        SELECT m.id, m.rated_order FROM league_match AS m
        WHERE m.season_id = season.id AND m.rated_order IS NOT NULL AND m.kind = 'game'
        ORDER BY m.rated_order DESC LIMIT %s
    ) AS latest
    ORDER BY row_number() OVER (PARTITION BY season.id ORDER BY latest.rated_order DESC),
        latest.rated_order DESC
    LIMIT %s
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
    WHERE p.player_id = %s AND m.season_id = %s AND m.status = 'rated' AND m.kind = 'game'
        AND NOT EXISTS (
        SELECT FROM league_side AS crowd WHERE crowd.match_id = m.id AND crowd.index >= %s
    )
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
    """Rated matches by outcome: first alone, first with others, or neither."""

    wins: int
    draws: int
    losses: int

    @property
    def total(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Opponent:
    """A player's record against another, by whose side placed better."""

    player: Player
    record: Record


def rating_history(season: Season, player: Player) -> list[Point]:
    """Return the rating after each rated match, in the order in which they were rated."""
    events = RatingEvent.objects.filter(season=season, player=player).order_by(
        "games", "match__rated_order"
    )
    return [
        Point(*row)
        for row in events.values_list(
            "match__played_at", "rating_after", "deviation_after", "match_id"
        )
    ]


def record(season: Season, player: Player) -> Record:
    """Return a player's wins, draws and losses in rated matches."""
    with connection.cursor() as cursor:
        cursor.execute(RECORD, [player.pk, season.pk])
        return Record(*cursor.fetchone())


def opponents(season: Season, player: Player, limit: int = 10) -> list[Opponent]:
    """Return a player's most frequent opponents in rated matches, with two queries.

    Matches of more than ``SIDES_THAT_MEET`` sides are left out.
    """
    with connection.cursor() as cursor:
        cursor.execute(OPPONENTS, [player.pk, season.pk, SIDES_THAT_MEET, limit])
        rows = cursor.fetchall()
    players = Player.ever.in_bulk([row[0] for row in rows])
    return [Opponent(players[row[0]], Record(*row[2:])) for row in rows]


def with_sides(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with all sides and participants, with four queries."""
    return matches.select_related("arena", "season").prefetch_related(
        Prefetch("sides", seated(Side.objects.order_by("index")))
    )


def seated(sides: QuerySet[Side]) -> QuerySet[Side]:
    """Load sides with their roster, captain and participants."""
    return sides.select_related("roster", "captain").prefetch_related(
        Prefetch("participants", Participant.objects.select_related("player").order_by("position"))
    )


def in_lines(matches: MatchQuerySet, viewer: Player | None = None) -> MatchQuerySet:
    """Load what a list of matches shows, with five queries for any number of matches.

    Each match has its ``arena``, ``season``, ``side_count`` and ``best_sides`` (at most
    ``SIDES_ON_A_LINE``) with their participants. With a ``viewer`` it also has their ``own_sides``
    and ``own_events``.
    """
    best = seated(Side.objects.order_by(*BEST_FIRST))[:SIDES_ON_A_LINE]
    listed = counted(matches).prefetch_related(Prefetch("sides", best, to_attr="best_sides"))
    if viewer is None:
        return listed
    own_sides = Side.objects.filter(participants__player=viewer)
    own_events = RatingEvent.objects.filter(player=viewer)
    return listed.prefetch_related(
        Prefetch("sides", own_sides, to_attr="own_sides"),
        Prefetch("events", own_events, to_attr="own_events"),
    )


def counted(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with their arena, season, ``side_count`` and ``winner_count``."""
    sides = Side.objects.filter(match=OuterRef("pk")).order_by().values("match")

    def number_of(which: QuerySet[Side, Any]) -> Coalesce:
        counts = which.annotate(count=Count("*")).values("count")
        return Coalesce(Subquery(counts, output_field=IntegerField()), 0)

    return matches.select_related("arena", "season").annotate(
        side_count=number_of(sides), winner_count=number_of(sides.filter(place=0))
    )


def sides_page(match: Match, number: int, total: int) -> Page[Side]:
    """Return a page of a match's ``total`` sides with their participants, with two queries.

    The best sides come first, but two sides stay in their own order.
    """
    order = ("index",) if total == 2 else BEST_FIRST
    sides = seated(Side.objects.filter(match=match).order_by(*order))
    return Page.cut(number, total, SIDES_ON_A_PAGE, lambda part: list(sides[part]))


def side_of(match: Match, player: Player) -> Side | None:
    """Return a player's side in a match."""
    return seated(Side.objects.filter(match=match, participants__player=player)).first()


def winner_of(match: Match) -> Side | None:
    """Return the first side with place 0."""
    return seated(Side.objects.filter(match=match, place=0).order_by("index")).first()


def events_of(match: Match, sides: Iterable[Side]) -> dict[int, RatingEvent]:
    """Return a match's rating events for the players of these sides, by player id."""
    players = [part.player_id for side in sides for part in side.participants.all()]
    events = RatingEvent.objects.filter(match=match, player__in=players)
    for event in events:
        event.season = match.season
    return {event.player_id: event for event in events}


def superseded_events(match: Match) -> list[RatingEvent]:
    """Return the rating events of a match that corrections replaced, latest first, at most 50."""
    events = RatingEvent.ever.filter(match=match, superseded_by__isnull=False)
    events = events.select_related("player", "superseded_by__match__arena")
    return list(events.order_by("-superseded_by", "id")[:50])


def recent_matches(
    season: Season, player: Player | None = None, *, limit: int = 15, offset: int = 0
) -> list[Match]:
    """Return rated matches of a season or ``player``, latest first, loaded by :func:`in_lines`."""
    matches = Match.objects.rated().games().filter(arena=season.arena_id, season=season)
    if player is not None:
        matches = matches.filter(participants__player=player)
    return list(in_lines(matches.order_by("-played_at", "-id"), player)[offset : offset + limit])


def latest_rated(seasons: Iterable[Season], limit: int = 10) -> list[Match]:
    """Return the latest rated matches of several seasons, loaded by :func:`in_lines`.

    The seasons take turns, so that a busy one does not push out the others. The list is ordered by
    the time played, latest first.
    """
    with connection.cursor() as cursor:
        cursor.execute(LATEST_IN_TURN, [[season.pk for season in seasons], limit, limit])
        ids = [row[0] for row in cursor.fetchall()]
    return list(in_lines(Match.objects.filter(pk__in=ids).order_by("-played_at", "-rated_order")))


def open_matches(player: Player, arena: Arena | None = None) -> list[Match]:
    """Return a player's live, reported and disputed matches."""
    matches = Match.objects.filter(
        participants__player=player,
        status__in=[Status.LIVE, Status.REPORTED, Status.DISPUTED],
    )
    if arena is not None:
        matches = matches.filter(arena=arena)
    return list(in_lines(matches.order_by("-played_at", "-id"), player)[:50])


@dataclass(frozen=True)
class SeasonPlayed:
    """A season of a person. In archived ones they may have been a player merged since."""

    season: Season
    player: Player


def seasons_played(player: Player) -> list[SeasonPlayed]:
    """Return the seasons in which a person has a rated match, most recently played first."""
    ratings = Rating.objects.filter(Q(player=player) | Q(player__merged_into=player), games__gt=0)
    ratings = ratings.select_related("season__arena", "player").order_by("-last_played_at", "-id")
    return [SeasonPlayed(rating.season, rating.player) for rating in ratings]
