"""The odds between entrants, by the present ratings of the players who are expected to play."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from league.models import RosterMember
from league.services.core.clock import microseconds
from league.services.core.shown_ratings import as_shown, decayed_ratings
from league.services.rating.rate import states_of
from league.services.results.forecasts.stakes import ratings_of
from ratings.contests.first_side import counts_first_side
from ratings.contests.forecasting import forecast
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    import numpy.typing as npt

    from league.models import Entrant, Season

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]

MOST_AT_ONCE = 50_000
"""The most matches that are predicted together, for the memory that they take."""


@dataclass(frozen=True)
class Odds:
    """The chances of every match between two entrants."""

    win: Floats
    """(entrants, entrants) the chance that the first beats the second, with the first at home."""
    draw: Floats
    """(entrants, entrants) the chance of a draw, 0 where the arena or its system has none."""

    @cached_property
    def share(self) -> Floats:
        """Return (entrants, entrants) what the side at home is expected to win of a game."""
        return self.win + self.draw / 2

    @cached_property
    def even_share(self) -> Floats:
        """Return (entrants, entrants) what the first is expected to win, wherever it is played."""
        return (self.share + 1 - self.share.T) / 2

    @cached_property
    def even_ground(self) -> Floats:
        """Return (entrants, entrants, 3) the chances of a win, a draw and a loss, with either side
        at home equally often."""
        loss = np.clip(1 - self.win - self.draw, 0, 1)
        halves = [self.win + loss.T, self.draw + self.draw.T, loss + self.win.T]
        return np.stack(halves, axis=-1) / 2

    def at_home(self, home: Integers, away: Integers) -> Floats:
        """Return (…, 3) the chances of a win at home, a draw and a win away."""
        win, draw = self.win[home, away], self.draw[home, away]
        return np.stack([win, draw, np.clip(1 - win - draw, 0, 1)], axis=-1)


def odds_between(season: Season, entrants: Sequence[Entrant], now: datetime) -> Odds | None:
    """Return the odds of all matches between entrants by the forecasts of the rating system.

    Rosters are expected to play with their captain and their most active members, as many on both
    sides, as before an agreed match. ``None`` if the rating system makes no forecasts.
    """
    system, players = season.system(), line_ups(season, entrants)
    everybody = sorted({player for side in players for player in side})
    held, _flags, newcomers = ratings_of(season, [[[player] for player in everybody]])
    for rows in newcomers:
        held |= rows
    held = as_shown(held, decayed_ratings(season, everybody))
    _ids, states = states_of(held[player] for player in everybody)
    at = {player: number for number, player in enumerate(everybody)}
    numbers = [[at[player] for player in side] for side in players]
    both_ways = counts_first_side(system)
    count = len(entrants)
    one, other = np.nonzero(~np.eye(count, dtype=bool)) if both_ways else np.triu_indices(count, 1)
    win, draw = np.full((count, count), 0.5), np.zeros((count, count))
    try:
        for size, chosen in by_size(season.arena.team_size_max, players, one, other).items():
            team = np.array([side[:size] if len(side) >= size else [0] * size for side in numbers])
            for part in np.array_split(chosen, 1 + len(chosen) // MOST_AT_ONCE):
                home, away = one[part], other[part]
                found = forecast(
                    system,
                    states.take(np.concatenate([team[home], team[away]], axis=1)),
                    (size, size),
                    np.full(len(part), microseconds(now)),
                    np.zeros(len(part), dtype=np.int64) if both_ways else None,
                )
                win[home, away], draw[home, away] = found.win[:, 0], found.draw
                if not both_ways:
                    win[away, home], draw[away, home] = found.win[:, 1], found.draw
    except UnsupportedMatch:
        return None
    if not season.arena.draws_allowed:
        win, draw = win + draw / 2, np.zeros_like(draw)
    return Odds(win, draw)


def line_ups(season: Season, entrants: Sequence[Entrant]) -> list[list[int]]:
    """Return the ids of each entrant's players: its captain, then its most active members."""
    rosters = [one.roster_id for one in entrants if one.roster_id]
    members: dict[int, list[int]] = defaultdict(list)
    rows = RosterMember.objects.filter(roster__in=rosters).order_by("id") if rosters else ()
    for row in rows:
        members[row.roster_id].append(row.player_id)
    games = games_of(season, members)
    found = []
    for entrant in entrants:
        captain = entrant.captain.pk
        others = [each for each in members[entrant.roster_id or 0] if each != captain]
        found.append([captain, *sorted(others, key=lambda each: -games.get(each, 0))])
    return found


def games_of(season: Season, members: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Return how many rated matches the members of rosters have played."""
    everybody = {player for side in members.values() for player in side}
    rated = season.ratings.filter(player__in=everybody).values_list("player", "games")
    return dict(rated) if everybody else {}


def by_size(
    most: int, players: Sequence[Sequence[int]], one: Integers, other: Integers
) -> dict[int, Integers]:
    """Return the numbers of pairs by how many play on each side: as many as both have."""
    lengths = np.minimum([len(side) for side in players], most)
    sizes = np.minimum(lengths[one], lengths[other])
    return {int(size): np.flatnonzero(sizes == size) for size in np.unique(sizes)}


def odds_of_series(odds: Odds, best_of: int) -> Floats:
    """Return (entrants, entrants) the chances to win a series with the first at home.

    It goes to the side with more wins. A series that stays level is for staff to decide, and here
    for both alike.
    """
    win, draw = odds.win, odds.draw
    loss = np.clip(1 - win - draw, 0, 1)
    series = np.zeros_like(win)
    for won in range(best_of + 1):
        for lost in range(best_of + 1 - won):
            worth = 1.0 if won > lost else 0.5 if won == lost else 0.0
            level = best_of - won - lost
            ways = comb(best_of, won) * comb(best_of - won, lost)
            series += worth * ways * win**won * loss**lost * draw**level
    return series
