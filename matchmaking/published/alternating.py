"""The old matcher: the smaller team always picks next, choosing the most similar roster.

Source: the GW2 matchmaker before 7 February 2017. If the teams have equal sizes, a coin toss
decides which picks; without a generator, the team that picked last picks again.
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
    from matchmaking.published.scorer import Candidates
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline, Forecast, TeamNumber, Tick
    from matchmaking.ticket import Queue
    from matchmaking.types import Floats


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,
    generator: Generator | None = None,
    deadline: Deadline | None = None,
    forecast: Forecast | None = None,  # noqa: ARG001 - as published, nothing is promised
) -> Tick:
    """Run one tick of the old matcher; see ``tick.Matcher``."""
    return make_matches(queue, rules, _Alternating(queue, rules, now, generator).attempt, deadline)


def explain(queue: Queue, rules: Rules, match: Match, *, now: float) -> list[dict[str, float]]:
    """Return what each metric added to the score of each pick in a match of this matcher."""
    return _Alternating(queue, rules, now, None).explain(match)


class _Alternating:
    """The old matcher for one queue at one time."""

    def __init__(self, queue: Queue, rules: Rules, now: float, generator: Generator | None) -> None:
        # Matching professions came with the new matcher.
        matcher = rules.matcher.model_copy(update={"profession_matching": 0.0})
        self._rules = rules.model_copy(update={"matcher": matcher})
        self._generator = generator
        self._filter = Filter(queue, self._rules, now)
        self._figures = RosterFigures(queue)
        self._scorer = SeatScorer(queue, self._rules, queue.waits(now), _rating_score)

    def attempt(self, target: int, line: Line) -> Match | None:
        """Return the match around a target, ``None`` if there is none."""
        selection = Selection(target, self._figures, self._rules.team_size)
        if selection.seats(1) < 0:
            return None
        potentials = self._filter.overlapping(target, line)
        if potentials is None:
            return None
        candidates = self._scorer.candidates(potentials)
        number: TeamNumber = 1
        while not selection.is_full:
            number = self._next_team(selection, number)
            best = self._best(candidates, selection, number)
            if best is None:
                return None
            place, pick = best
            candidates.remove(place)
            selection.pick(pick)
            self._filter.remove_excluded(candidates, selection.everyone.tickets)
        return selection.match()

    def _next_team(self, selection: Selection, number: TeamNumber) -> TeamNumber:
        """Return the smaller team, or toss a coin between teams of equal size."""
        team, other = selection.sides(number)
        bigger = team.players > other.players
        if bigger or (team.players == other.players and self._swaps()):
            return 1 if number == 2 else 2
        return number

    def _swaps(self) -> bool:
        return self._generator is not None and bool(self._generator.random() < 0.5)

    def _best(
        self, candidates: Candidates, selection: Selection, number: TeamNumber
    ) -> tuple[int, Pick] | None:
        """Return the candidate with the highest score for the team, and its pick.

        Among equals, the first in the queue wins.
        """
        if not len(candidates.tickets):
            return None
        seat, selected = self._seat(selection, number)
        scores = self._scorer.scores(candidates, seat, self._scorer.common(candidates, selected))
        place = int(scores.argmax())
        score = float(scores[place])
        if score == -np.inf:
            return None
        return place, Pick(int(candidates.tickets[place]), number, score)

    def _seat(self, selection: Selection, number: TeamNumber) -> tuple[Seat, SelectedMeans]:
        """Return the team's seat, and the means to compare a candidate with.

        They are the team's own, or the match's while the team is empty.
        """
        team, other = selection.sides(number)
        similar_to = team if team.players else selection.everyone
        everyone = selection.everyone
        seat = Seat(
            selection.seats(number), team, other, everyone.largest, similar_to.effective_mean
        )
        dishonor = everyone.dishonor(self._rules.choices)
        return seat, SelectedMeans(similar_to.games_mean, similar_to.rank_mean, dishonor)

    def explain(self, match: Match) -> list[dict[str, float]]:
        selection = Selection(match.team1[0], self._figures, self._rules.team_size)
        explained = []
        for pick in match.picks:
            explained.append(self._scorer.shares(pick.ticket, *self._seat(selection, pick.team)))
            selection.pick(pick)
        return explained


def _rating_score(candidates: Candidates, seat: Seat, weight: float) -> Floats:
    return metrics.rating_likeness(candidates.effective_mean, seat.rating, weight)
