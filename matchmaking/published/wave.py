"""The new matcher: rosters are scored for both teams and the whole match.

Source: the GW2 matchmaker of 7 February 2017. A target goes into team 1. Then, one at a time, the
potential with the best score for either team joins that team, until both are full. Nothing is
undone: if its match cannot be filled, the target fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from matchmaking.line import make_matches
from matchmaking.published import metrics
from matchmaking.published.gather import Filter
from matchmaking.published.scorer import SeatScorer
from matchmaking.published.selection import RosterFigures, Seat, SelectedMeans, Selection
from matchmaking.tick import Match, Pick

if TYPE_CHECKING:
    from numpy.random import Generator

    from matchmaking.line import Line
    from matchmaking.published.scorer import Candidates, SharedScores
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline, Forecast, TeamNumber, Tick
    from matchmaking.ticket import Queue
    from matchmaking.types import Floats


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,
    generator: Generator | None = None,  # noqa: ARG001 - every matcher takes one; this one uses no chance
    deadline: Deadline | None = None,
    forecast: Forecast | None = None,  # noqa: ARG001 - as published, nothing is promised
) -> Tick:
    """Run one tick of the new matcher; see ``tick.Matcher``."""
    return make_matches(queue, rules, _Wave(queue, rules, now).attempt, deadline)


def explain(queue: Queue, rules: Rules, match: Match, *, now: float) -> list[dict[str, float]]:
    """Return what each metric added to the score of each pick in a match of this matcher."""
    return _Wave(queue, rules, now).explain(match)


class _Wave:
    """The new matcher for one queue at one time."""

    def __init__(self, queue: Queue, rules: Rules, now: float) -> None:
        self._rules = rules
        self._filter = Filter(queue, rules, now)
        self._figures = RosterFigures(queue)
        self._scorer = SeatScorer(queue, rules, queue.waits(now), _rating_score)

    def attempt(self, target: int, line: Line) -> Match | None:
        """Return the match around a target, ``None`` if there is none."""
        selection = Selection(target, self._figures, self._rules.team_size)
        if selection.seats(1) < 0:
            return None
        potentials = self._filter.inside(target, line)
        if potentials is None:
            return None
        candidates = self._scorer.candidates(potentials)
        while not selection.is_full:
            best = self._best(candidates, selection)
            if best is None:
                return None
            place, pick = best
            candidates.remove(place)
            selection.pick(pick)
            self._filter.remove_excluded(candidates, selection.everyone.tickets)
        return selection.match()

    def _best(self, candidates: Candidates, selection: Selection) -> tuple[int, Pick] | None:
        """Return the candidate with the highest score for either team, and its pick.

        Among equals, the first in the queue wins, and team 2 if both teams score equally.
        """
        common = self._scorer.common(candidates, self._means_of(selection))
        for1 = self._scores(candidates, selection, common, 1)
        for2 = self._scores(candidates, selection, common, 2)
        either = for2 if for1 is None else for1 if for2 is None else np.maximum(for1, for2)
        if either is None or not len(either):
            return None
        place = int(either.argmax())
        score = float(either[place])
        if score == -np.inf:
            return None
        team1 = for2 is None or (for1 is not None and for1[place] > for2[place])
        return place, Pick(int(candidates.tickets[place]), 1 if team1 else 2, score)

    def _scores(
        self,
        candidates: Candidates,
        selection: Selection,
        common: SharedScores,
        number: TeamNumber,
    ) -> Floats | None:
        seat = self._seat(selection, number)
        return None if seat is None else self._scorer.scores(candidates, seat, common)

    def _means_of(self, selection: Selection) -> SelectedMeans:
        """Return the means to compare a roster with: those of the whole match."""
        everyone = selection.everyone
        return SelectedMeans(
            games=everyone.games_mean,
            rank=everyone.rank_mean,
            dishonor=everyone.dishonor(self._rules.choices),
        )

    def _seat(self, selection: Selection, number: TeamNumber) -> Seat | None:
        """Return the team's seat, ``None`` while nobody may join it."""
        seats = selection.seats(number)
        if seats <= 0:
            return None
        team, other = selection.sides(number)
        everyone = selection.everyone
        empty = self._rules.choices.empty_team
        if other.players:
            largest, rating = other.largest, other.effective_mean
        elif empty == "opponent_first":
            return None
        elif empty == "match_average":
            largest, rating = everyone.largest, everyone.effective_mean
        else:
            largest, rating = 0, 0.0
        return Seat(seats, team, other, largest, rating)

    def explain(self, match: Match) -> list[dict[str, float]]:
        selection = Selection(match.team1[0], self._figures, self._rules.team_size)
        explained = []
        for pick in match.picks:
            seat = self._seat(selection, pick.team)
            if seat is None:
                raise ValueError("this match was not made by this matcher with these rules")
            selected = self._means_of(selection)
            explained.append(self._scorer.shares(pick.ticket, seat, selected))
            selection.pick(pick)
        return explained


def _rating_score(candidates: Candidates, seat: Seat, weight: float) -> Floats:
    return metrics.rating_balance(
        candidates.effective_total,
        candidates.sizes,
        seat.team.effective_total,
        seat.team.players,
        seat.rating,
        weight,
    )
