"""The odds of a tick's matches: those that a matcher promises, and that the ready check then shows.

A matcher may ask about thousands of possible matches, so those of one shape are computed together,
from the ratings that were read with the queue. The verdicts are kept with the tick, which can thus
be run again when the ratings have changed.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import PointTotal
from league.services.core.clock import microseconds
from league.services.core.id_lists import any_of
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


def odds_of_given(
    queue: ArenaQueue, season: Season, waiting: Queue, rules: Rules, now: datetime
) -> ShownOdds:
    """Return the odds of players of whom only the given ratings and deviations are known."""
    system = season.system()
    states = system.newcomers(len(waiting.player_ids))
    states.rating[:] = waiting.rating
    if system.shows.deviation:
        states.deviation[:] = waiting.deviation
    return ShownOdds(queue, season, waiting, states, rules, now)


class ShownOdds:
    """Each first team's chance to win, counting a draw as half a win.

    Arenas with rules of prediction go by those, and others by the season's rating system, from the
    ``states`` of the waiting players in their order, with the ratings that they are matched by.
    """

    def __init__(
        self,
        queue: ArenaQueue,
        season: Season,
        waiting: Queue,
        states: States,
        rules: Rules,
        now: datetime,
    ) -> None:
        self._queue, self._season, self._now = queue, season, now
        self._waiting, self._states = waiting, states
        self._fairness = rules.laurel.fairness
        self._verdicts: list[str] = []

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
        """Return the forecast of each match that a matcher has found, ``None`` without one."""
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
        return (
            self._published_odds(rules, tickets, first)
            if rules
            else self._by_ratings(tickets, first)
        )

    def _by_ratings(self, tickets: Integers, first: Booleans) -> Floats:
        rows, sizes = players_of(self._waiting, tickets, first)
        times = np.full(len(rows), microseconds(self._now))
        try:
            states = replace(self._states, rating=self._waiting.rating).take(rows)
            odds = side_odds(self._season.system(), states, sizes, times)
        except UnsupportedMatch:
            return np.full(len(rows), np.nan)
        return odds[:, 0]

    def _published_odds(self, rules: PredictionRules, tickets: Integers, first: Booleans) -> Floats:
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
    def _points(self) -> Floats:
        """The season's ladder points of each player of the queue, if the prediction counts them."""
        players = [player for player in self._waiting.player_ids if isinstance(player, int)]
        counts = self._prediction is not None and self._prediction.ladder_weight
        totals = PointTotal.objects.filter(season=self._season, player__in=any_of(players))
        points: dict[Any, int] = dict(totals.values_list("player", "points")) if counts else {}
        held = [points.get(player, 0) for player in self._waiting.player_ids]
        return np.array(held, dtype=np.float64)


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
