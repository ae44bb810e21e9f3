"""The outcomes of fixtures, read from their games whenever they are needed.

So a voided or corrected match changes the table at once. A decision of staff, a bye, a withdrawal
or a deadline is stored in the fixture and goes before its games.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q, Subquery

from league.models import Arrangement, Fixture, FixtureGame, Side, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

Result = Fixture.Result
WINS = {Result.HOME: (1, 0), Result.AWAY: (0, 1)}


@dataclass(frozen=True)
class Game:
    """A game of a fixture as it stands now."""

    number: int
    date_id: int
    date_state: str
    play_at: datetime
    home_claimed: bool | None
    """Whether the home side claimed a no-show, ``None`` if nobody did."""
    match_id: int | None
    status: str | None
    home_place: int | None
    away_place: int | None
    home_score: float | None
    away_score: float | None
    played_at: datetime | None = None
    """The time of its match, by its report."""

    @property
    def counts(self) -> bool:
        """Return whether it was played, is to be played or was forfeited; not void or lapsed."""
        if self.match_id is not None:
            return self.status != Status.VOID
        return self.date_state == Arrangement.State.ACCEPTED or self.is_forfeit

    @property
    def is_forfeit(self) -> bool:
        """Return whether a side agreed that it did not come."""
        called_off = self.date_state == Arrangement.State.CALLED_OFF
        return self.match_id is None and called_off and self.home_claimed is not None

    @property
    def is_open(self) -> bool:
        """Return whether it has no result yet."""
        if self.match_id is not None:
            return self.status in {Status.LIVE, Status.REPORTED, Status.DISPUTED}
        return self.date_state == Arrangement.State.ACCEPTED

    @property
    def is_to_come(self) -> bool:
        """Return whether it has a date and no report yet."""
        return self.match_id is None and self.date_state == Arrangement.State.ACCEPTED

    @property
    def result(self) -> str:
        """Return its result, empty if it has none that counts."""
        if self.is_forfeit:
            return Result.HOME if self.home_claimed else Result.AWAY
        if self.status != Status.RATED or self.home_place is None or self.away_place is None:
            return Result.OPEN
        if self.home_place == self.away_place:
            return Result.DRAW
        return Result.HOME if self.home_place < self.away_place else Result.AWAY


@dataclass(frozen=True)
class Outcome:
    """The result of a fixture so far."""

    result: str
    home: float | None = None
    away: float | None = None
    """The scores of one game, or the games won of several; ``None`` without any."""
    by: str = Fixture.DecidedBy.GAMES
    games: Sequence[Game] = ()

    @property
    def is_decided(self) -> bool:
        return self.result != Result.OPEN

    @property
    def was_played(self) -> bool:
        """Return whether a game was played or reported."""
        return any(game.match_id is not None and game.counts for game in self.games)

    @property
    def waits(self) -> bool:
        """Return whether a report waits for its confirmation or a decision."""
        return any(game.match_id is not None and game.is_open for game in self.games)


def games_of(competitions: Iterable[int]) -> dict[int, list[Game]]:
    """Return the games of competitions by fixture id, in order."""
    return read_games(Q(fixture__competition__in=list(competitions)))


def games_of_fixtures(fixtures: Iterable[Fixture]) -> dict[int, list[Game]]:
    """Return the games of some fixtures by fixture id, in order."""
    return read_games(Q(fixture__in=list(fixtures)))


def has_result() -> Q:
    """Return the condition for a fixture to be decided, or to have a game with a result."""
    games = FixtureGame.objects.filter(fixture=OuterRef("pk"))
    rated = Q(arrangement__match__status=Status.RATED)
    forfeited = Q(
        arrangement__match=None,
        arrangement__state=Arrangement.State.CALLED_OFF,
        arrangement__claimed_by__isnull=False,
    )
    return ~Q(result=Result.OPEN) | Q(Exists(games.filter(rated | forfeited)))


def read_games(wanted: Q) -> dict[int, list[Game]]:
    found: dict[int, list[Game]] = defaultdict(list)
    sides = Side.objects.filter(match=OuterRef("arrangement__match"))
    home = sides.filter(captain=OuterRef("arrangement__proposer"))
    away = sides.filter(captain=OuterRef("arrangement__opponent"))
    rows = FixtureGame.objects.filter(wanted).values_list(
        "fixture_id",
        "number",
        "arrangement_id",
        "arrangement__state",
        "arrangement__play_at",
        "arrangement__proposer_id",
        "arrangement__claimed_by_id",
        "arrangement__match_id",
        "arrangement__match__status",
        Subquery(home.values("place")),
        Subquery(away.values("place")),
        Subquery(home.values("score")),
        Subquery(away.values("score")),
        "arrangement__match__played_at",
    )
    for fixture, number, date, state, play_at, home_id, claimed_by, *played in rows.order_by(
        "fixture", "number"
    ):
        home_claimed = None if claimed_by is None else claimed_by == home_id
        found[fixture].append(Game(number, date, state, play_at, home_claimed, *played))
    return found


def outcomes(
    fixtures: Iterable[Fixture], games: Mapping[int, Sequence[Game]]
) -> dict[int, Outcome]:
    """Return the outcomes by fixture id."""
    return {one.pk: outcome(one, games.get(one.pk, ())) for one in fixtures}


def outcome(fixture: Fixture, games: Sequence[Game]) -> Outcome:
    """Return the stored result of a fixture, else the one that follows from its games."""
    if fixture.result != Result.OPEN:
        return Outcome(fixture.result, by=fixture.decided_by, games=games)
    counted = [game for game in games if game.counts]
    if forfeited := next((game for game in counted if game.is_forfeit), None):
        return Outcome(forfeited.result, by=Fixture.DecidedBy.FORFEIT, games=games)
    if fixture.best_of == 1:
        return single(counted, games)
    return series(fixture.best_of, counted, games)


def single(counted: Sequence[Game], games: Sequence[Game]) -> Outcome:
    ended = next((game for game in counted if game.result != Result.OPEN), None)
    if ended is None:
        return Outcome(Result.OPEN, games=games)
    return Outcome(ended.result, ended.home_score, ended.away_score, games=games)


def series(best_of: int, counted: Sequence[Game], games: Sequence[Game]) -> Outcome:
    """Return the outcome of a series.

    Its winner has won more than half of the games, or more games than the other side at the end.
    """
    results = [game.result for game in counted if game.result != Result.OPEN]
    home, away = results.count(Result.HOME), results.count(Result.AWAY)
    result = Result.OPEN
    if 2 * max(home, away) > best_of or (len(results) >= best_of and home != away):
        result = Result.HOME if home > away else Result.AWAY
    elif len(results) >= best_of:
        result = Result.DRAW
    return Outcome(result, home, away, games=games) if results else Outcome(result, games=games)


def games_missing(fixture: Fixture, games: Sequence[Game]) -> bool:
    """Return whether another game has to get a date: none waits, and it is not decided.

    A reported game counts for its side already, so that a series can go on in one evening.
    """
    if outcome(fixture, games).is_decided:
        return False
    counted = [game for game in games if game.counts]
    if any(game.match_id is None for game in counted):
        return False
    placed = [
        (game.home_place < game.away_place, game.home_place > game.away_place)
        for game in counted
        if game.home_place is not None and game.away_place is not None
    ]
    home, away = sum(won for won, _lost in placed), sum(lost for _won, lost in placed)
    return len(counted) < fixture.best_of and 2 * max(home, away) <= fixture.best_of
