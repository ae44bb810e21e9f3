"""The old matcher: the smaller team always picks next, whoever is most like itself.

Source: the GW2 matchmaker before 7 February 2017. Between teams of the same size a coin decides
whose pick is next; without a generator it always stays with the team that picked last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from matchmaking.line import make_matches
from matchmaking.published import metrics
from matchmaking.published.gather import Filter
from matchmaking.published.scorer import Scorer
from matchmaking.published.selection import Facts, Seat, Selected, Selection
from matchmaking.tick import Match, Pick

if TYPE_CHECKING:
    from numpy.random import Generator

    from matchmaking.line import Line
    from matchmaking.published.scorer import Candidates
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline, TeamNumber, Tick
    from matchmaking.ticket import Queue
    from matchmaking.types import Floats


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,
    generator: Generator | None = None,
    deadline: Deadline | None = None,
) -> Tick:
    """One tick of the old matcher; see ``tick.Matcher``."""
    return make_matches(queue, rules, _Alternating(queue, rules, now, generator).attempt, deadline)


def explain(queue: Queue, rules: Rules, made: Match, *, now: float) -> list[dict[str, float]]:
    """What each metric added to the score of each pick of a match that this matcher made."""
    return _Alternating(queue, rules, now, None).explain(made)


class _Alternating:
    """The old matcher over one queue at one time."""

    def __init__(self, queue: Queue, rules: Rules, now: float, generator: Generator | None) -> None:
        # Matching professions came with the new matcher.
        matcher = rules.matcher.model_copy(update={"profession_matching": 0.0})
        self._rules = rules.model_copy(update={"matcher": matcher})
        self._generator = generator
        self._filter = Filter(queue, self._rules, now)
        self._facts = Facts(queue)
        self._scorer = Scorer(queue, self._rules, queue.waits(now), _rating)

    def attempt(self, target: int, line: Line) -> Match | None:
        """The match around a target, ``None`` if there is none."""
        selection = Selection(target, self._facts, self._rules.team_size)
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
            self._filter.keep(candidates, pick.ticket)
            selection.pick(pick)
        return selection.match()

    def _next_team(self, selection: Selection, number: TeamNumber) -> TeamNumber:
        """The smaller team, or between equals as the coin falls."""
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
        """The candidate with the highest score for the team, the first in the queue of equals."""
        if not len(candidates.tickets):
            return None
        seat, selected = self._seat(selection, number)
        scores = self._scorer.scores(candidates, seat, self._scorer.common(candidates, selected))
        place = int(scores.argmax())
        score = float(scores[place])
        if score == -np.inf:
            return None
        return place, Pick(int(candidates.tickets[place]), number, score)

    def _seat(self, selection: Selection, number: TeamNumber) -> tuple[Seat, Selected]:
        """The team's seat: it looks for its like, and while it is empty for the match's."""
        team, other = selection.sides(number)
        alike = team if team.players else selection.everyone
        everyone = selection.everyone
        seat = Seat(selection.seats(number), team, other, everyone.largest, alike.effective_mean)
        dishonor = everyone.dishonor(self._rules.choices)
        return seat, Selected(alike.games_mean, alike.rank_mean, dishonor)

    def explain(self, made: Match) -> list[dict[str, float]]:
        selection = Selection(made.team1[0], self._facts, self._rules.team_size)
        explained = []
        for pick in made.picks:
            explained.append(self._scorer.shares(pick.ticket, *self._seat(selection, pick.team)))
            selection.pick(pick)
        return explained


def _rating(candidates: Candidates, seat: Seat, weight: float) -> Floats:
    return metrics.rating_likeness(candidates.effective_mean, seat.rating, weight)
