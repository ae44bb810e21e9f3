"""The odds of a tick's matches: those that a matcher promises, and that the ready check then shows.

A matcher may ask about thousands of possible matches, so the players' ratings are read once, at the
first question, and matches of one shape are computed together. If it asks nothing, only the ratings
of those who play are read. The verdicts are kept with the tick, which can thus be run again when
the ratings have changed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from league.models import PointTotal
from league.services.core.clock import microseconds
from league.services.core.id_lists import any_of
from league.services.queue.regions import rows_of
from league.services.rating.forecasts import rating_rows
from league.services.rating.rate import states_of
from matchmaking.prediction import TeamFigures, odds_of_victory, predict
from ratings.points.history import side_odds
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import ArenaQueue, Season
    from matchmaking.prediction import PredictionRules
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Match
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers
    from ratings.types import States

FAIR, UNFAIR, UNKNOWN = "f", "u", "?"


class ShownOdds:
    """Each first team's chance to win, counting a draw as half a win.

    Arenas with rules of prediction go by those, and others by the season's rating system.
    """

    def __init__(
        self, queue: ArenaQueue, season: Season, waiting: Queue, rules: Rules, now: datetime
    ) -> None:
        self._queue, self._season, self._waiting, self._now = queue, season, waiting, now
        self._fairness = rules.laurel.fairness
        self._verdicts: list[str] = []
        self._read = np.arange(len(waiting.player_ids))  # the rows whose ratings are read

    @property
    def verdicts(self) -> str:
        """A letter for each match asked about, in order."""
        return "".join(self._verdicts)

    def __call__(self, tickets: Integers, first: Booleans) -> Floats:
        """Return chances, NaN where there is no forecast; see ``matchmaking.tick.Forecast``."""
        chances = self._chances(tickets, first)
        unfair = np.abs(chances - 0.5) > self._fairness
        letters = np.where(np.isnan(chances), UNKNOWN, np.where(unfair, UNFAIR, FAIR))
        self._verdicts.append("".join(letters.tolist()))
        return chances

    def of(self, matches: Sequence[Match]) -> list[float | None]:
        """Return the forecast of each match that the matcher has found, ``None`` without one.

        Ask this once the matcher has asked everything.
        """
        if matches and not self._verdicts:
            playing = [ticket for match in matches for ticket in match.tickets]
            self._read = np.concatenate([rows_of(self._waiting, ticket) for ticket in playing])
        shapes: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for number, match in enumerate(matches):
            sizes = self._waiting.sizes[list(match.tickets)].tolist()
            shapes[len(match.team1), *sizes].append(number)
        found: list[float | None] = [None] * len(matches)
        for (size, *_sizes), numbers in shapes.items():
            tickets = np.array([matches[number].tickets for number in numbers])
            first = np.broadcast_to(np.arange(tickets.shape[1]) < size, tickets.shape)
            for number, chance in zip(numbers, self._chances(tickets, first).tolist(), strict=True):
                found[number] = None if math.isnan(chance) else chance
        return found

    def _chances(self, tickets: Integers, first: Booleans) -> Floats:
        rules = self._prediction
        return self._published(rules, tickets, first) if rules else self._by_ratings(tickets, first)

    def _by_ratings(self, tickets: Integers, first: Booleans) -> Floats:
        rows, sizes = players_of(self._waiting, tickets, first)
        times = np.full(len(rows), microseconds(self._now))
        try:
            odds = side_odds(
                self._season.system(), self._states.take(self._places[rows]), sizes, times
            )
        except UnsupportedMatch:
            return np.full(len(rows), np.nan)
        return odds[:, 0]

    def _published(self, rules: PredictionRules, tickets: Integers, first: Booleans) -> Floats:
        rows, (size, _other) = players_of(self._waiting, tickets, first)
        red, blue = (
            TeamFigures(
                ladder=self._points[team].mean(axis=1),
                rank=self._waiting.rank[team].mean(axis=1),
                rating=self._waiting.effective[team].mean(axis=1),
                roster=self._largest(tickets, theirs),
            )
            for team, theirs in ((rows[:, :size], first), (rows[:, size:], ~first))
        )
        return np.asarray(odds_of_victory(predict(red, blue, rules), "red"))

    def _largest(self, tickets: Integers, theirs: Booleans) -> Floats:
        """Return the size of the largest roster of each team."""
        sizes: Floats = np.where(theirs, self._waiting.sizes[tickets], 0.0).max(axis=1)
        return sizes

    @cached_property
    def _prediction(self) -> PredictionRules | None:
        return self._queue.prediction_rules()

    @cached_property
    def _player_ids(self) -> list[int]:
        return [cast("int", player) for player in self._waiting.player_ids]

    @cached_property
    def _points(self) -> Floats:
        """The season's ladder points of each player of the queue, if the prediction counts them."""
        players = self._player_ids
        counts = self._prediction is not None and self._prediction.ladder_weight
        totals = PointTotal.objects.filter(season=self._season, player__in=any_of(players))
        points = dict(totals.values_list("player", "points")) if counts else {}
        return np.array([points.get(player, 0) for player in players], dtype=np.float64)

    @cached_property
    def _places(self) -> Integers:
        """Where the state of each row of the queue is, if it has been read."""
        places = np.full(len(self._player_ids), -1)
        places[self._read] = np.arange(len(self._read))
        return places

    @cached_property
    def _states(self) -> States:
        players = [self._player_ids[row] for row in self._read.tolist()]
        held = rating_rows(self._season, set(players))
        _ids, states = states_of(held[player] for player in players)
        return states


class KeptVerdicts:
    """Replays the verdicts of an earlier run for the same questions."""

    CHANCES = {FAIR: 0.5, UNFAIR: 0.0, UNKNOWN: np.nan}

    def __init__(self, verdicts: str) -> None:
        self._chances = np.array([self.CHANCES[letter] for letter in verdicts], dtype=np.float64)
        self._asked = 0

    def __call__(self, tickets: Integers, first: Booleans) -> Floats:  # noqa: ARG002 - in order
        """Return chances, NaN where the earlier run had run out of time."""
        answers = self._chances[self._asked : self._asked + len(tickets)]
        self._asked += len(tickets)
        return np.pad(answers, (0, len(tickets) - len(answers)), constant_values=np.nan)


def players_of(
    waiting: Queue, tickets: Integers, first: Booleans
) -> tuple[Integers, tuple[int, int]]:
    """Return the queue's rows of the players of matches (M, P), the first team's before the others.

    With them, the size of each team. All matches have rosters of the same sizes in the same order.
    """
    sizes = waiting.sizes[tickets[0]]
    members = np.concatenate([np.arange(size) for size in sizes])
    rows = np.repeat(waiting.starts[tickets], sizes, axis=1) + members
    theirs = np.repeat(first, sizes, axis=1)
    order = np.argsort(~theirs, axis=1, kind="stable")
    red = int(theirs[0].sum())
    return np.take_along_axis(rows, order, axis=1), (red, rows.shape[1] - red)
