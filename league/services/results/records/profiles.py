"""A player's history, record, opponents and matches in a season."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection
from django.db.models import Count, F, IntegerField, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import Coalesce

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Participant,
    Player,
    Rating,
    RatingEvent,
    Season,
    Side,
)
from league.services.core.columns import binary_cursor, to_array_literal
from league.services.core.keyset import Edge, Part, Place, part_of
from league.services.core.pages import Page
from league.services.core.statements import columns, compact, relate, split
from league.services.results.records.lines import SIDES_ON_A_LINE, read_matches
from league.services.standings.board import IS_SHOWN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models.match import MatchQuerySet

SIDES_ON_A_PAGE = 50
SIDES_THAT_MEET = 100
RECORD = ("games", "ignored", "wins", "draws")
"""The fields of a rating from which its record is computed."""
BEST_FIRST = (F("place").asc(nulls_last=True), F("index"))

# The matches are looked up one by one: a plan that reads all of them grows with the league.
HISTORIES = """
    SELECT e.player_id,
        m.played_at, e.rating_after, e.deviation_after, e.match_id, m.kind = 'game', m.mode
    FROM league_ratingevent AS e
    CROSS JOIN LATERAL (
        SELECT played_at, rated_order, kind, mode FROM league_match WHERE id = e.match_id OFFSET 0
    ) AS m
    WHERE e.season_id = %s AND e.player_id = ANY(%s::bigint[]) AND e.superseded_by_id IS NULL
    ORDER BY e.games, m.rated_order
"""

SEASONS_PLAYED = compact(f"""
    SELECT {columns(Season, "s")}, {columns(Arena, "a")}, {columns(ArenaQueue, "q")},
        {columns(Player, "p")}, {", ".join(f"r.{name}" for name in RECORD)}
    FROM league_rating AS r
    JOIN league_season AS s ON s.id = r.season_id
    JOIN league_arena AS a ON a.id = s.arena_id
    LEFT JOIN league_arenaqueue AS q ON q.arena_id = a.id
    JOIN league_player AS p ON p.id = r.player_id
    WHERE (p.id = %s OR p.merged_into_id = %s) AND {IS_SHOWN}
    ORDER BY r.last_played_at DESC NULLS LAST, r.id DESC
""")  # noqa: S608 - names of ours

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

# As above, and the places of a match are read once for both sides.
MEETINGS = """
    WITH rated AS MATERIALIZED (
        SELECT match_id, games FROM league_ratingevent
        WHERE season_id = %(season)s AND player_id = %(player)s AND superseded_by_id IS NULL
            AND match_id NOT IN (
                SELECT id FROM league_match WHERE season_id = %(season)s AND kind <> 'game'
            )
    ), seat AS MATERIALIZED (
        SELECT rated.*, one.* FROM rated
        CROSS JOIN LATERAL (
            SELECT p.player_id, p.side_id, s.place
            FROM league_participant AS p
            JOIN league_side AS s ON s.match_id = p.match_id AND s.id = p.side_id
            WHERE p.match_id = rated.match_id AND NOT EXISTS (
                SELECT FROM league_side AS crowd
                WHERE crowd.match_id = rated.match_id AND crowd.index >= %(most)s
            )
            OFFSET 0
        ) AS one
    )
    SELECT theirs.player_id, count(*),
        count(*) FILTER (WHERE mine.place < theirs.place),
        count(*) FILTER (WHERE mine.place = theirs.place),
        count(*) FILTER (WHERE mine.place > theirs.place)
    FROM seat AS mine
    JOIN seat AS theirs ON theirs.match_id = mine.match_id AND theirs.side_id <> mine.side_id
    WHERE mine.player_id = %(player)s
    GROUP BY theirs.player_id
    ORDER BY count(*) DESC, max(mine.games) DESC
    LIMIT %(limit)s
"""


NO_MATCH = 0
"""The match id of a history's first point, the start."""


class Point(NamedTuple):
    """A player's rating after one match."""

    played_at: datetime
    rating: float
    deviation: float | None
    match_id: int
    is_game: bool = True
    """Whether it was played, and is not a forfeit or a decay step."""
    mode: str = ""
    """The match's game mode."""


@dataclass(frozen=True)
class Record:
    """Rated matches by outcome: first alone, first with others, or neither."""

    wins: int
    draws: int
    losses: int

    @property
    def total(self) -> int:
        return self.wins + self.draws + self.losses


class Meeting(NamedTuple):
    """A player's record against the player with an id, by whose side placed better."""

    player_id: int
    record: Record


@dataclass(frozen=True)
class Opponent:
    """A player's record against another."""

    player: Player
    record: Record

    @property
    def version(self) -> tuple[object, ...]:
        """Return everything that a line about them says."""
        return self.player.pk, self.player.name, self.record


def rating_history(season: Season, player: Player) -> list[Point]:
    """Return the rating after each rated match, in the order in which they were rated."""
    return rating_histories(season, [player.pk])[player.pk]


def started_at(player: Player, first: Point) -> Point | None:
    """Return a player's rating before the first match of a history. One query."""
    events = RatingEvent.objects.filter(player=player, match=first.match_id)
    before = events.values_list("rating_before", "deviation_before").first()
    return before and Point(first.played_at, *before, NO_MATCH, is_game=False)


def rating_histories(season: Season, players: Collection[int]) -> dict[int, list[Point]]:
    """Return the rating histories of several players, by player id. One query."""
    found: dict[int, list[Point]] = {player: [] for player in players}
    with binary_cursor() as cursor:
        cursor.execute(HISTORIES, [season.pk, to_array_literal(players)])
        for player, *point in cursor.fetchall():
            found[player].append(Point(*point))
    return found


def meetings(season: Season, player: Player, limit: int = 10) -> list[Meeting]:
    """Return a player's record against their most frequent opponents in rated matches.

    Matches of more than ``SIDES_THAT_MEET`` sides are left out.
    """
    asked = {"season": season.pk, "player": player.pk, "most": SIDES_THAT_MEET, "limit": limit}
    with binary_cursor() as cursor:
        cursor.execute(MEETINGS, asked)
        return [Meeting(row[0], Record(*row[2:])) for row in cursor.fetchall()]


def with_sides(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with all sides and participants, with four queries."""
    return matches.select_related("arena", "season").prefetch_related(
        Prefetch("sides", with_players(Side.objects.order_by("index")))
    )


def with_players(sides: QuerySet[Side]) -> QuerySet[Side]:
    """Load sides with their roster, its team, their captain and participants."""
    return sides.select_related("roster__team", "captain").prefetch_related(parts())


def parts() -> Prefetch[str]:
    """Load participants with their players, in order."""
    return Prefetch(
        "participants", Participant.objects.select_related("player").order_by("position")
    )


def in_lines(matches: MatchQuerySet, viewer: Player | None = None) -> MatchQuerySet:
    """Load what a list of matches shows, with five queries for any number of matches.

    Each match has its ``arena``, ``season``, ``side_count`` and ``best_sides`` (at most
    ``SIDES_ON_A_LINE``) with their participants. With a ``viewer`` it also has their ``own_sides``
    and ``own_events``. Lists of many matches are read faster by
    :func:`~league.services.results.records.lines.lines_of`.
    """
    best = (
        Side.objects.order_by(*BEST_FIRST).select_related("roster__team").prefetch_related(parts())
    )
    listed = with_counts(matches).prefetch_related(
        Prefetch("sides", best[:SIDES_ON_A_LINE], to_attr="best_sides")
    )
    if viewer is None:
        return listed
    own_sides = Side.objects.filter(participants__player=viewer)
    own_events = RatingEvent.objects.filter(player=viewer)
    return listed.prefetch_related(
        Prefetch("sides", own_sides, to_attr="own_sides"),
        Prefetch("events", own_events, to_attr="own_events"),
    )


def with_counts(matches: MatchQuerySet) -> MatchQuerySet:
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
    sides = with_players(Side.objects.filter(match=match).order_by(*order))
    return Page.cut(number, total, SIDES_ON_A_PAGE, lambda part: list(sides[part]))


def side_of(match: Match, player: Player) -> Side | None:
    """Return a player's side in a match."""
    return with_players(Side.objects.filter(match=match, participants__player=player)).first()


def winner_of(match: Match) -> Side | None:
    """Return the first side with place 0."""
    return with_players(Side.objects.filter(match=match, place=0).order_by("index")).first()


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


def recent_matches(season: Season, *, mode: str = "", limit: int = 15) -> list[Match]:
    """Return rated matches of a season as lists show them, latest first. Two statements.

    With a ``mode``, those in this game mode only.
    """
    matches = Match.objects.rated().games().filter(arena=season.arena_id, season=season)
    if mode:
        matches = matches.filter(mode=mode)
    latest = matches.order_by("-played_at", "-id").values_list("pk", flat=True)[:limit]
    return read_matches(None, dict.fromkeys(latest, season))


def games_in(history: Iterable[Point], mode: str = "") -> list[Place]:
    """Return the places of the games in a history, or of those in a game mode, oldest first."""
    return sorted(
        Place(point.played_at, point.match_id)
        for point in history
        if point.is_game and mode in {"", point.mode}
    )


def edge_of_page(games: Sequence[Place], number: int, per_page: int) -> Edge:
    """Return the edge at which page ``number`` of a list of games begins, at most the last."""
    pages_before = min(number - 1, max(len(games) - 1, 0) // per_page)
    return Edge(games[-pages_before * per_page]) if pages_before else Edge()


def part_of_games(games: Sequence[Place], edge: Edge, count: int) -> Part[Place]:
    """Return a part of games that are given oldest first, latest first."""

    def read(edge: Edge, limit: int) -> Sequence[Place]:
        if edge.place and edge.newer:
            start = bisect_right(games, edge.place)
            return games[start : start + limit]
        end = bisect_left(games, edge.place) if edge.place else len(games)
        return games[max(end - limit, 0) : end][::-1]

    return part_of(edge, count, read, lambda place: place)


def latest_rated(seasons: Iterable[Season], limit: int = 10) -> list[Match]:
    """Return the matches of :func:`latest_ids`, by the time played, latest first."""
    matches = Match.objects.filter(pk__in=latest_ids(seasons, limit))
    return list(in_lines(matches.order_by("-played_at", "-rated_order")))


def latest_ids(seasons: Iterable[Season], limit: int = 10) -> list[int]:
    """Return the ids of the latest rated matches of several seasons.

    The seasons take turns, so that a busy one does not push out the others.
    """
    with connection.cursor() as cursor:
        cursor.execute(LATEST_IN_TURN, [[season.pk for season in seasons], limit, limit])
        return [row[0] for row in cursor.fetchall()]


@dataclass(frozen=True)
class SeasonPlayed:
    """A season of a person. In archived ones they may have been a player merged since."""

    season: Season
    player: Player
    record: Record


def seasons_played(player: Player) -> list[SeasonPlayed]:
    """Return the seasons in which a person has a rating, most recently played first."""
    with connection.cursor() as cursor:
        cursor.execute(SEASONS_PLAYED, [player.pk, player.pk])
        return [season_played(row) for row in cursor.fetchall()]


def season_played(row: Sequence[Any]) -> SeasonPlayed:
    """Return a row of ``SEASONS_PLAYED`` as an object."""
    season, arena, queue, who = split(row, Season, Arena, ArenaQueue, Player)
    relate(season, "arena", arena)
    relate(arena, "queue", queue)
    rating = Rating(**dict(zip(RECORD, row[-len(RECORD) :], strict=True)))
    return SeasonPlayed(season, who, record_in(rating))


def ratings_of(player: Player) -> QuerySet[Rating]:
    """Return a person's ratings in the seasons that :func:`seasons_played` returns, in order."""
    ratings = Rating.objects.filter(Q(player=player) | Q(player__merged_into=player))
    ratings = ratings.filter(Q(games__gt=0) | Q(ignored__gt=0) | Q(opening__isnull=False))
    ratings = ratings.select_related("season__arena", "player")
    return ratings.order_by(F("last_played_at").desc(nulls_last=True), "-id")


def record_in(rating: Rating) -> Record:
    """Return the record that a rating row keeps."""
    return Record(rating.wins, rating.draws, rating.losses)
