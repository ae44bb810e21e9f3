"""What an arranged match is expected to be: the odds, and what each outcome would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating, RosterMember
from league.services.core.clock import microseconds
from league.services.rating.rate import states_of
from ratings import history
from ratings.replay import replay
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arrangement, Player, Roster, Season
    from ratings.system import RatingSystem, Shows
    from ratings.types import States

COLUMNS = ("rating", "deviation", "volatility", "games", "last_played_at", "memory")
WIN, DRAW, LOSS = (0, 1), (0, 0), (1, 0)
"""The places of the first and the second side."""


@dataclass(frozen=True)
class Effect:
    """What one outcome would do to a player's rating."""

    player: Player
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Outcome:
    """A possible result: the winner, ``None`` for a draw, with its effect on each player."""

    winner: Player | Roster | None
    chance: float | None
    """From 0 to 1, ``None`` if the rating system gives none."""
    effects: Sequence[Effect]


@dataclass(frozen=True)
class Preview:
    """The possible results of a match between two sides, if these players play it."""

    season: Season
    outcomes: Sequence[Outcome]
    line_ups: Sequence[Sequence[Player]]

    @property
    def assumes_players(self) -> bool:
        """Return whether other players of the rosters could play instead."""
        return any(len(line_up) > 1 for line_up in self.line_ups)

    @property
    def shows(self) -> Shows:
        return self.season.shows


def preview(one: Arrangement, now: datetime) -> Preview | None:
    """Return what each outcome would change by the ratings of now.

    Rosters are expected to play with their captain and their most active members, as many on both
    sides. Returns ``None`` without a running season or enough players, and for rating systems that
    cannot rate such a match.
    """
    season = one.arena.current_season(now)
    line_ups = expected(one, season) if season else None
    if season is None or line_ups is None:
        return None
    system = season.system()
    states = states_now(season, system, [player for side in line_ups for player in side])
    at = max(one.play_at, now)
    try:
        chances = chances_of(system, states, len(line_ups[0]), at)
        outcomes = [
            Outcome(winner, chances.get(places), effects(system, states, line_ups, places, at))
            for winner, places in possible(one)
        ]
    except UnsupportedMatch:
        return None
    return Preview(season, outcomes, line_ups)


def expected(one: Arrangement, season: Season) -> list[list[Player]] | None:
    """Return the players who will probably play for each side, ``None`` if there are too few."""
    rosters = [roster for _captain, roster in one.captains if roster]
    members: dict[int | None, list[Player]] = {}
    rows = RosterMember.objects.filter(roster__in=rosters).select_related("player").order_by("id")
    for row in rows if rosters else ():
        members.setdefault(row.roster_id, []).append(row.player)
    everybody = [player.pk for side in members.values() for player in side]
    captains = {one.proposer_id, one.opponent_id}
    held = Rating.objects.filter(season=season, player__in=everybody)
    games = dict(held.values_list("player", "games")) if everybody else {}
    sides = []
    for captain, roster in one.captains:
        own = members.get(roster.pk, []) if roster else []
        others = [p for p in own if p.pk not in captains and everybody.count(p.pk) == 1]
        sides.append([captain, *sorted(others, key=lambda p: -games.get(p.pk, 0))])
    size = min(one.arena.team_size_max, *map(len, sides))
    if size < one.arena.team_size_min:
        return None
    return [side[:size] for side in sides]


def possible(one: Arrangement) -> list[tuple[Player | Roster | None, tuple[int, int]]]:
    """Return the winner and the places of each possible result."""
    first, second = (roster or captain for captain, roster in one.captains)
    draw: list[tuple[Player | Roster | None, tuple[int, int]]] = [(None, DRAW)]
    return [(first, WIN), *(draw if one.arena.draws_allowed else []), (second, LOSS)]


def states_now(season: Season, system: RatingSystem, players: Sequence[Player]) -> States:
    """Return the players' states in a season, newcomers in order."""
    held = Rating.objects.filter(season=season, player__in=players)
    rows = {player: (0, *state) for player, *state in held.values_list("player", *COLUMNS)}
    new = [player.pk for player in players if player.pk not in rows]
    fresh = system.newcomers(
        len(new), season.ratings.count() if system.ranks_population and new else 0
    )
    for index, player in enumerate(new):
        rows[player] = (
            0,
            fresh.rating[index],
            fresh.deviation[index],
            fresh.volatility[index],
            0,
            None,
            fresh.memory[index].tolist(),
        )
    _ids, states = states_of([rows[player.pk] for player in players])
    return states


def chances_of(
    system: RatingSystem, states: States, size: int, at: datetime
) -> dict[tuple[int, int], float]:
    """Return the chance of each result of two sides of a size that the system predicts."""
    shaped = type(states)(
        *(values.reshape(1, 2 * size, *values.shape[1:]) for values in vars(states).values())
    )
    try:
        forecast = system.predict(shaped, (size, size), np.array([microseconds(at)]))
    except UnsupportedMatch:
        return {}
    (first, second), draw = forecast.win[0].tolist(), float(forecast.draw[0])
    return {WIN: first, LOSS: second} | ({DRAW: draw} if draw else {})


def effects(
    system: RatingSystem,
    states: States,
    line_ups: Sequence[Sequence[Player]],
    places: Sequence[int],
    at: datetime,
) -> list[Effect]:
    """Return what a result with these places would do to the players."""
    match = history.Match(
        match_id="preview",
        played_at_us=microseconds(at),
        sides=[
            history.Side(place, [history.Participant(str(player.pk)) for player in players])
            for players, place in zip(line_ups, places, strict=True)
        ],
    )
    rated = replay(system, history.History.build([match]), states)
    return [
        Effect(player, before, after)
        for player, before, after in zip(
            [player for players in line_ups for player in players],
            rated.before.rating.tolist(),
            rated.after.rating.tolist(),
            strict=True,
        )
    ]
