"""The stakes of a match that may be played: the odds, and the changes of each result.

Everything is computed as it would be when the result is settled, with what earlier matches of the
same opponents take of its weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import RosterMember
from league.services.core.clock import microseconds
from league.services.core.shown_ratings import as_shown, decayed_ratings
from league.services.rating.forecasts import (
    COLUMNS,
    first_sides,
    forecasts,
    states_together,
)
from league.services.results.forecasts.handicaps import Race, fair_race, is_even
from league.services.results.forecasts.outcomes import cases_of, changes_in
from ratings.contests import forecasting
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Player, Roster, Season
    from league.services.rating.forecasts import LineUps, Row
    from league.services.results.forecasts.outcomes import Change, Flags
    from ratings.system import Shows

    Places = tuple[int, int]

WIN, DRAW, LOSS = (0, 1), (0, 0), (1, 0)
"""The places of the first and the second side."""
FLAGS = ("connected", "joined", "proven")


@dataclass(frozen=True)
class Stakes:
    """The odds of a match of two sides, and what each result would change."""

    chance: float | None
    """The first side's forecast, with a draw as half a win, ``None`` if there is none."""
    draw: float | None
    """The chance of a draw, ``None`` where draws are possible but not predicted."""
    results: Mapping[Places, Mapping[int, Change]]
    """By places of both sides and player id. Without a draw where none is allowed."""

    @property
    def chances(self) -> dict[Places, float]:
        """Return the chance of each result, empty if they are not all known. They add up to 1."""
        if self.chance is None or self.draw is None:
            return {}
        drawn = {DRAW: self.draw} if self.draw else {}
        return {WIN: self.chance - self.draw / 2, **drawn, LOSS: 1 - self.chance - self.draw / 2}

    @property
    def decided(self) -> float | None:
        """Return the first side's chance to win a match that is not drawn."""
        if not self.chances:
            return self.chance
        win, loss = self.chances[WIN], self.chances[LOSS]
        return win / (win + loss) if win + loss else None

    @property
    def race(self) -> Race | None:
        """Return the race that would be even; ``None`` if a match is even, or if no race is."""
        decided = self.decided
        return None if decided is None or is_even(decided) else fair_race(decided)


@dataclass(frozen=True)
class OwnStakes:
    """The stakes of a match for one of its players."""

    chance: float | None
    win: Change
    draw: Change | None
    loss: Change
    shows: Shows
    decided: float | None
    """The chance to win a match that is not drawn."""
    chances: Sequence[float] = ()
    """Of a win, a draw if it is possible, and a loss; empty if they are not all known."""
    line_ups: Sequence[Sequence[Player]] = ()
    """The players of both sides, if others of their rosters could play instead."""
    calculator: str = ""
    """The address of the match calculator with both sides, where a page leads there."""

    @property
    def is_even(self) -> bool:
        return self.decided is None or is_even(self.decided)

    @property
    def race(self) -> Race | None:
        """Return a race that would be even, ``None`` if there is none of a usual length."""
        return None if self.decided is None else fair_race(self.decided)


def stakes(
    season: Season,
    matches: Sequence[LineUps],
    at: datetime,
    firsts: Sequence[int | None] = (),
) -> list[Stakes | None]:
    """Return what is at stake in each match of two sides, if it is played at a time.

    ``firsts`` are the matches' first sides; by default none has one.

    ``None`` for matches that the season's system does not rate. The number of statements does not
    grow with the number of matches, except where earlier ones of the same opponents count.
    """
    held, flags, newcomers = ratings_of(season, matches)
    return stakes_of(season, matches, [{**held, **own} for own in newcomers], flags, at, firsts)


def stakes_of(
    season: Season,
    matches: Sequence[LineUps],
    rows: Sequence[Mapping[int, Row]],
    flags: Flags,
    at: datetime,
    firsts: Sequence[int | None] = (),
) -> list[Stakes | None]:
    """Return the stakes as :func:`stakes` does, from the ratings of each match's players."""
    draws = season.arena.draws_allowed
    queue = getattr(season.arena, "queue", None)
    prediction = queue.prediction_rules() if queue else None
    everybody = {player: row for own in rows for player, row in own.items()}
    firsts = firsts or [None] * len(matches)
    places = ends(draws=draws)
    predicted, unknown = draws and not prediction, None if draws else 0.0
    try:
        shown = decayed_ratings(season, everybody)
        chances = forecasts(season, matches, everybody, at, prediction, firsts, shown)
        cases = [
            case
            for line_ups, own, first in zip(matches, rows, firsts, strict=True)
            for case in cases_of(season, line_ups, own, flags, at, places, first)
        ]
        changes = iter(changes_in(cases))
        return [
            Stakes(
                chance=chance[0] if chance else None,
                draw=draw_of(season, line_ups, as_shown(own, shown), at, first)
                if predicted
                else unknown,
                results={result: next(changes) for result in places},
            )
            for line_ups, chance, own, first in zip(matches, chances, rows, firsts, strict=True)
        ]
    except UnsupportedMatch:
        return [None] * len(matches)


def ratings_of(
    season: Season, matches: Sequence[LineUps]
) -> tuple[dict[int, Row], dict[int, tuple[bool, ...]], list[dict[int, Row]]]:
    """Return the rows and flags of rated players, and the rows of each match's newcomers.

    Where newcomers' ratings depend on their order, a match adds its own in the order of its sides.
    """
    system = season.system()
    everybody = {player for sides in matches for side in sides for player in side}
    held: dict[int, Row] = {}
    flags: dict[int, tuple[bool, ...]] = {}
    rated = season.ratings.filter(player__in=everybody)
    for player, *values in rated.values_list("player", *COLUMNS, *FLAGS):
        held[player] = (0, *values[: len(COLUMNS)])
        flags[player] = tuple(values[len(COLUMNS) :])
    new = [[one for side in sides for one in side if one not in held] for sides in matches]
    most = max(map(len, new), default=0)
    population = season.ratings.count() if system.ranks_population and most else 0
    fresh = system.newcomers(most, population)
    rows: list[Row] = [
        (
            0,
            fresh.rating[at],
            fresh.deviation[at],
            fresh.volatility[at],
            0,
            None,
            fresh.memory[at].tolist(),
        )
        for at in range(most)
    ]
    return held, flags, [dict(zip(players, rows, strict=False)) for players in new]


def ends(*, draws: bool) -> list[Places]:
    """Return the possible results of a match of two sides, best for the first side first."""
    return [WIN, *([DRAW] if draws else []), LOSS]


def draw_of(
    season: Season,
    line_ups: LineUps,
    rows: Mapping[int, Row],
    at: datetime,
    first: int | None = None,
) -> float | None:
    """Return the chance of a draw by the rating system, ``None`` if it forecasts none."""
    states = states_together([[rows[player] for side in line_ups for player in side]])
    sizes, times = tuple(map(len, line_ups)), np.array([microseconds(at)])
    found = forecasting.forecast(season.system(), states, sizes, times, first_sides([first]))
    return float(found.draw[0]) or None


def own_stakes(
    season: Season, me: Player, opponents: Sequence[Player], now: datetime
) -> list[OwnStakes | None]:
    """Return what a duel against each of these players would mean for ``me``, if played now."""
    matches = [[[me.pk], [opponent.pk]] for opponent in opponents]
    found = stakes(season, matches, now) if matches else []
    return [own(one, me.pk, season.shows) if one else None for one in found]


def duel_now(season: Season, one: Player, other: Player, now: datetime) -> OwnStakes | None:
    """Return the odds and stakes of a duel between two people, if they could play now."""
    arena = season.arena
    duels = arena.is_open and arena.team_size_max == 1 and arena.sides_min == 2
    if not duels or not season.is_running(now):
        return None
    return own_stakes(season, one, [other], now)[0]


def own(
    found: Stakes, me: int, shows: Shows, line_ups: Sequence[Sequence[Player]] = ()
) -> OwnStakes:
    """Return the stakes for a player of the first side, by their id."""
    drawn = found.results.get(DRAW)
    return OwnStakes(
        found.chance,
        found.results[WIN][me],
        drawn[me] if drawn else None,
        found.results[LOSS][me],
        shows,
        found.decided,
        list(found.chances.values()),
        line_ups,
    )


def stakes_between(
    arena: Arena, me: Player, sides: Sequence[tuple[Player, Roster | None]], now: datetime
) -> OwnStakes | None:
    """Return what a match between two sides, mine first, would mean for ``me``, if played now.

    Rosters are expected to play as :func:`expected` says. ``None`` without a running season or
    enough players.
    """
    season = arena.current_season(now)
    line_ups = expected_sides(arena, season, sides) if season else None
    if season is None or line_ups is None or me not in line_ups[0]:
        return None
    ids = [[player.pk for player in side] for side in line_ups]
    [found] = stakes(season, [ids], now)
    others = line_ups if any(len(side) > 1 for side in line_ups) else ()
    return own(found, me.pk, season.shows, others) if found else None


def expected_sides(
    arena: Arena, season: Season, sides: Sequence[tuple[Player, Roster | None]]
) -> list[list[Player]] | None:
    """Return the players who will probably play for each side, ``None`` if there are too few.

    Of a roster these are its captain and its most active members, as many on both sides.
    """
    rosters = [roster.pk for _captain, roster in sides if roster]
    members: dict[Any, list[Player]] = {}
    games: dict[int, int] = {}
    if rosters:
        seats = RosterMember.objects.filter(roster__in=rosters).select_related("player")
        for seat in seats.order_by("pk"):
            members.setdefault(seat.roster_id, []).append(seat.player)
        everybody = [player.pk for side in members.values() for player in side]
        games.update(games_of(season, everybody))
    return line_ups_of(arena, sides, members, games)


def games_of(season: Season, players: Collection[int]) -> dict[int, int]:
    """Return how many rated games players have in a season, by player id."""
    return dict(season.ratings.filter(player__in=players).values_list("player", "games"))


def line_ups_of(
    arena: Arena,
    sides: Sequence[tuple[Player, Roster | None]],
    members: Mapping[Any, Sequence[Player]],
    games: Mapping[int, int],
) -> list[list[Player]] | None:
    """Return the line-ups of :func:`expected` from the members of rosters and everybody's games."""
    mine = [members.get(roster.pk, ()) for _captain, roster in sides if roster]
    everybody = [player.pk for side in mine for player in side]
    captains = {captain.pk for captain, _roster in sides}
    line_ups = []
    for captain, roster in sides:
        ours = members.get(roster.pk, ()) if roster else ()
        others = [p for p in ours if p.pk not in captains and everybody.count(p.pk) == 1]
        line_ups.append([captain, *sorted(others, key=lambda p: -games.get(p.pk, 0))])
    size = min(arena.team_size_max, *map(len, line_ups))
    if size < arena.team_size_min:
        return None
    return [line_up[:size] for line_up in line_ups]
