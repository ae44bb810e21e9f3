"""A player's history, record, opponents and matches in a season."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Exists, F, Max, OuterRef, Prefetch, Q

from league.models import (
    Match,
    Participant,
    Player,
    Rating,
    RatingEvent,
    Season,
    Side,
)
from league.services.core.keyset import Edge, Part, Place, part_of
from league.services.core.pages import Page
from league.services.results.records.lines import BEST_FIRST

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models.match import MatchQuerySet

SIDES_ON_A_PAGE = 50
SIDES_THAT_MEET = 100

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
    before: float | None = None
    """The rating before it, ``None`` if it is not known."""
    deviation_before: float | None = None
    season_id: int = 0


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


def started_at(first: Point) -> Point | None:
    """Return a player's rating before the first match of a history."""
    if first.before is None:
        return None
    return first._replace(
        rating=first.before,
        deviation=first.deviation_before,
        match_id=NO_MATCH,
        is_game=False,
        before=None,
    )


def rating_histories(season: Season, players: Collection[int]) -> dict[int, list[Point]]:
    """Return the rating histories of several players, by player id. One query."""
    found: dict[int, list[Point]] = {player: [] for player in players}
    events = RatingEvent.objects.filter(season=season, player__in=players)
    for player, point in points_of(events):
        found[player].append(point)
    return found


def history_over(player: Player, seasons: Collection[Season]) -> list[Point]:
    """Return the rating after each match of several seasons, in order of time. One query."""
    events = RatingEvent.objects.filter(season__in=seasons, player=player)
    return sorted(
        (point for _player, point in points_of(events)), key=lambda point: point.played_at
    )


def points_of(events: QuerySet[RatingEvent]) -> Iterator[tuple[int, Point]]:
    """Return the points of rating events with their players, in the order of each season."""
    rows = events.order_by("games", "match__rated_order").values_list(
        "player",
        "match__kind",
        "match__played_at",
        "rating_after",
        "deviation_after",
        "match",
        "match__mode",
        "rating_before",
        "deviation_before",
        "season",
    )
    for player, kind, played_at, rating, deviation, match, mode, before, wide, season in rows:
        is_game = kind == Match.Kind.GAME
        yield (
            player,
            Point(played_at, rating, deviation, match, is_game, mode, before, wide, season),
        )


def meetings(season: Season, player: Player, limit: int = 10) -> list[Meeting]:
    """Return a player's record against their most frequent opponents in rated matches.

    Matches of more than ``SIDES_THAT_MEET`` sides are left out.
    """
    crowd = Side.objects.filter(match=OuterRef("match"), index__gte=SIDES_THAT_MEET)
    seats = Participant.objects.filter(
        ~Exists(crowd),
        match__kind=Match.Kind.GAME,
        match__events__season=season,
        match__events__player=player,
        match__events__superseded_by=None,
        match__participants__player=player,
    )
    placed = seats.annotate(
        place=F("side__place"),
        own_side=F("match__participants__side"),
        own_place=F("match__participants__side__place"),
        games=F("match__events__games"),
    )
    met = placed.exclude(side=F("own_side")).order_by().values("player")
    counted = met.annotate(
        count=Count("pk"),
        latest=Max("games"),
        wins=Count("pk", filter=Q(own_place__lt=F("place"))),
        draws=Count("pk", filter=Q(own_place=F("place"))),
        losses=Count("pk", filter=Q(own_place__gt=F("place"))),
    )
    ordered = counted.order_by("-count", "-latest", "player")
    rows = ordered.values_list("player", "wins", "draws", "losses")
    return [Meeting(other, Record(*record)) for other, *record in rows[:limit]]


def with_sides(matches: MatchQuerySet) -> MatchQuerySet:
    """Load matches with all sides and participants, with four queries."""
    return matches.select_related("arena", "season").prefetch_related(
        Prefetch("sides", with_players(Side.objects.order_by("index")))
    )


def with_players(sides: QuerySet[Side]) -> QuerySet[Side]:
    """Load sides with their roster, its team, their captain and participants with pictures."""
    seats = Participant.objects.select_related("player__profile").order_by("position")
    loaded = sides.select_related("roster__team", "captain")
    return loaded.prefetch_related(Prefetch("participants", seats))


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


@dataclass(frozen=True)
class SeasonPlayed:
    """A season of a person. In archived ones they may have been a player merged since."""

    season: Season
    player: Player
    record: Record
    version: tuple[object, ...] = ()
    """Differs whenever the person's results in the season do."""


def seasons_played(player: Player) -> list[SeasonPlayed]:
    """Return the seasons in which a person has a rating, most recently played first."""
    return [
        SeasonPlayed(row.season, row.player, record_in(row), version_of(row))
        for row in ratings_of(player)
    ]


def ratings_of(player: Player) -> QuerySet[Rating]:
    """Return a person's ratings with their seasons and arenas, most recently played first."""
    ratings = Rating.objects.filter(player__in=Player.ever.of_person(player))
    shown = ratings.filter(Q(games__gt=0) | Q(ignored__gt=0) | Q(opening__isnull=False))
    latest = shown.order_by(F("last_played_at").desc(nulls_last=True), "-id")
    return latest.select_related("season__arena__queue", "player")


def version_of(rating: Rating) -> tuple[object, ...]:
    """Return what no change of a player's results leaves as it was."""
    return (
        *(rating.pk, rating.rating, rating.deviation, rating.volatility, rating.last_played_at),
        *(rating.games, rating.ignored, rating.wins, rating.draws, rating.streak),
    )


def record_in(rating: Rating) -> Record:
    """Return the record that a rating row keeps."""
    return Record(rating.wins, rating.draws, rating.losses)
