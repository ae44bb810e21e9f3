"""The odds that a matcher promises: those that the ready check then shows.

Arenas with rules of prediction use those, and others the season's rating system. A draw counts as
half a win.

A matcher asks about thousands of possible matches, so all matches of a question are computed
together, from the ratings that were read with the queue. The verdicts are kept with the tick, which
can thus be run again when the ratings have changed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from league.models import PointTotal
from league.services.core.clock import microseconds
from league.services.core.id_lists import any_of
from league.services.queue.regions import rows_of
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
    """Each first team's chance to win, by the ``states`` of the waiting players, in their order."""

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
        rows, red = players_of(self._waiting, tickets, first)
        chances = self._chances(
            rows, red, self._largest(tickets, first), self._largest(tickets, ~first)
        )
        unfair = np.abs(chances - 0.5) > self._fairness
        letters = np.where(np.isnan(chances), UNKNOWN, np.where(unfair, UNFAIR, FAIR))
        self._verdicts.append("".join(letters.tolist()))
        return chances

    def of(self, matches: Sequence[Match]) -> list[float | None]:
        """Return the first team's chance in each match found, ``None`` without a forecast."""
        if not matches:
            return []
        sizes = self._waiting.sizes
        rows = np.array(
            [
                [row for ticket in match.tickets for row in rows_of(self._waiting, ticket)]
                for match in matches
            ]
        )
        largest_red, largest_blue = (
            np.array([max(sizes[ticket] for ticket in team) for team in teams], dtype=np.float64)
            for teams in zip(*((match.team1, match.team2) for match in matches), strict=True)
        )
        red = int(sizes[list(matches[0].team1)].sum())
        chances = self._chances(rows, red, largest_red, largest_blue).tolist()
        return [None if np.isnan(chance) else chance for chance in chances]

    def _chances(
        self, rows: Integers, red: int, largest_red: Floats, largest_blue: Floats
    ) -> Floats:
        """Return chances of matches of the queue's players (M, P), the first ``red`` in a team.

        With them, the size of each team's largest roster.
        """
        if self._prediction is None:
            return self._by_ratings(rows, red)
        teams = (rows[:, :red], largest_red), (rows[:, red:], largest_blue)
        red_figures, blue_figures = (
            TeamFigures(
                ladder=self._points[team].mean(axis=1),
                rank=self._waiting.rank[team].mean(axis=1),
                rating=self._waiting.effective[team].mean(axis=1),
                roster=largest,
            )
            for team, largest in teams
        )
        prediction = predict(red_figures, blue_figures, self._prediction)
        return np.asarray(odds_of_victory(prediction, "red"))

    def _by_ratings(self, rows: Integers, red: int) -> Floats:
        times, sizes = np.full(len(rows), microseconds(self._now)), (red, rows.shape[1] - red)
        try:
            chances = side_odds(self._season.system(), self._states.take(rows), sizes, times)
        except UnsupportedMatch:
            return np.full(len(rows), np.nan)
        return np.asarray(chances[:, 0])

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
        players = [cast("int", player) for player in self._waiting.player_ids]
        points: dict[int, int] = {}
        if self._prediction is not None and self._prediction.ladder_weight:
            totals = PointTotal.objects.filter(season=self._season, player__in=any_of(players))
            points = dict(totals.values_list("player", "points"))
        return np.array([points.get(player, 0) for player in players], dtype=np.float64)


class KeptVerdicts:
    """The verdicts of an earlier run, given again to the same questions."""

    CHANCES = {FAIR: 0.5, UNFAIR: 0.0, UNKNOWN: np.nan}

    def __init__(self, verdicts: str) -> None:
        self._chances = np.array([self.CHANCES[letter] for letter in verdicts], dtype=np.float64)
        self._asked = 0

    def __call__(self, tickets: Integers, first: Booleans) -> Floats:  # noqa: ARG002 - in order
        """Return chances, NaN where the earlier run had run out of time."""
        answers = self._chances[self._asked : self._asked + len(tickets)]
        self._asked += len(tickets)
        return np.pad(answers, (0, len(tickets) - len(answers)), constant_values=np.nan)


def players_of(waiting: Queue, tickets: Integers, first: Booleans) -> tuple[Integers, int]:
    """Return the queue's rows of the players of matches (M, P), the first team's before the others.

    With them, the size of the first team. All matches have rosters of the same sizes in the same
    order.
    """
    sizes = waiting.sizes[tickets[0]]
    members = np.concatenate([np.arange(size) for size in sizes])
    rows = np.repeat(waiting.starts[tickets], sizes, axis=1) + members
    theirs = np.repeat(first, sizes, axis=1)
    order = np.argsort(~theirs, axis=1, kind="stable")
    return np.take_along_axis(rows, order, axis=1), int(theirs[0].sum())
