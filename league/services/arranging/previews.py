"""What an arranged match is expected to be: the odds, and what each outcome would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models import Rating
from league.services.core.clock import microseconds
from league.services.rating.rate import states_of
from ratings import history
from ratings.replay import replay
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Arrangement, Player, Season
    from ratings.system import RatingSystem, Shows
    from ratings.types import States

COLUMNS = ("rating", "deviation", "volatility", "games", "last_played_at", "memory")
WIN, DRAW, LOSS = (0, 1), (0, 0), (1, 0)
"""The places of the first and the second player."""


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

    winner: Player | None
    chance: float | None
    """From 0 to 1, ``None`` if the rating system gives none."""
    effects: Sequence[Effect]


@dataclass(frozen=True)
class Preview:
    """The possible results of a match between two players."""

    season: Season
    outcomes: Sequence[Outcome]

    @property
    def shows(self) -> Shows:
        return self.season.system().shows


def preview(one: Arrangement, now: datetime) -> Preview | None:
    """Return what each outcome would change by the ratings of now.

    Returns ``None`` for matches of rosters, whose players are not known yet, without a running
    season, and for rating systems that cannot rate such a match.
    """
    season = one.arena.current_season(now)
    if season is None or one.proposer_roster or one.opponent_roster:
        return None
    if one.arena.team_size_min > 1:
        return None
    players = [one.proposer, one.opponent]
    system = season.system()
    states = states_now(season, system, players)
    at = max(one.play_at, now)
    try:
        chances = chances_of(system, states, at)
        outcomes = [
            Outcome(winner, chances.get(places), effects(system, states, players, places, at))
            for winner, places in possible(one.arena, players)
        ]
    except UnsupportedMatch:
        return None
    return Preview(season, outcomes)


def possible(
    arena: Arena, players: Sequence[Player]
) -> list[tuple[Player | None, tuple[int, int]]]:
    """Return the winner and the places of each possible result."""
    first, second = players
    draw: list[tuple[Player | None, tuple[int, int]]] = [(None, DRAW)]
    return [(first, WIN), *(draw if arena.draws_allowed else []), (second, LOSS)]


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


def chances_of(system: RatingSystem, states: States, at: datetime) -> dict[tuple[int, int], float]:
    """Return the chance of each result that the system predicts, by its places."""
    shaped = type(states)(
        *(values.reshape(1, 2, *values.shape[1:]) for values in vars(states).values())
    )
    try:
        forecast = system.predict(shaped, (1, 1), np.array([microseconds(at)]))
    except UnsupportedMatch:
        return {}
    (first, second), draw = forecast.win[0].tolist(), float(forecast.draw[0])
    return {WIN: first, LOSS: second} | ({DRAW: draw} if draw else {})


def effects(
    system: RatingSystem,
    states: States,
    players: Sequence[Player],
    places: Sequence[int],
    at: datetime,
) -> list[Effect]:
    """Return what a result with these places would do to the two players."""
    match = history.Match(
        match_id="preview",
        played_at_us=microseconds(at),
        sides=[
            history.Side(place, [history.Participant(str(player.pk))])
            for player, place in zip(players, places, strict=True)
        ],
    )
    rated = replay(system, history.History.build([match]), states)
    return [
        Effect(player, before, after)
        for player, before, after in zip(
            players, rated.before.rating.tolist(), rated.after.rating.tolist(), strict=True
        )
    ]
