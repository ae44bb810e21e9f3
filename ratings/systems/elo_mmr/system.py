"""Elo-MMR: Bayesian, robust, and no match is ever worth losing.

Source: A. Ebtekar and P. Liu, "Elo-MMR: A Rating System for Massive Multiplayer Competitions", WWW
2021, Algorithms 1 to 3, which are the specification: first every player's strength drifts
(``diffuse``), then each side's place gives a performance, then each performance joins what is
believed of the player (``update``).

Formats. **Free-for-all** of any size is the paper's own case, a duel its smallest. **Teams**
(section 3.3): a side performs as the sum of its members, so its variance is the sum of theirs, and
a larger side is expected to win. What a side performs beyond its members' ratings is credited to
each member alike, as evidence that is the vaguer the more other people took part: its variance is
``|side| beta^2`` and the variances of the mates' strengths.

Parameters. By default they are the reference implementation's: with W the weight limit times the
match's weight times a newcomer's delay, s the deviation limit and d the drift per day,
``beta^2 = (1 + 1 / W) s^2 + d / W`` and ``gamma^2 = W s^2 + d (days since the last match)``, for
each player on their own. So a match of weight 2 counts about like two. With ``parametrisation``
``paper``, beta and gamma are given; a match's weight divides ``beta^2``, as section 3.1 suggests
for contests of different length, and leaves gamma.

A performance ceiling caps what a place can show of a player: ``min(performance, ceiling)``.
Scores, seconds, quits and professions are information; places decide.

Notable differences from the reference implementation: opponents are neither sampled nor put into
buckets, zeros are searched on the whole line (the reference's lie in [-6000, 9000]), and a match in
which all tie is information. ``ignore_all_tied`` makes such a match change nothing, as there, but
for the games played.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.first_place import first_place
from ratings.contests.performance import logistic_performances
from ratings.contests.without_winner import put_back
from ratings.system import RatingSystem, Shows
from ratings.systems.elo_mmr.belief import Beliefs, Performance
from ratings.systems.elo_mmr.parameters import EloMMRParameters
from ratings.systems.elo_mmr.sides import TERMS, Sides
from ratings.types import Forecast, Outcome, States

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers


class EloMMR(RatingSystem):
    """Elo-MMR(ρ), logistic performances and a belief that remembers them."""

    name = "elo-mmr"
    label = "Elo-MMR"
    summary = (
        "A rating for contests of any size, of individuals or teams, with a deviation (how sure it "
        "is). One odd result moves nobody far, and losing on purpose never pays."
    )
    Parameters = EloMMRParameters
    shows = Shows(deviation=True)
    terms = TERMS

    parameters: EloMMRParameters

    def __init__(self, parameters: EloMMRParameters) -> None:
        self.parameters = parameters

    def check(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Any sides of at least one player, two or more, with or without a ceiling."""
        del perf_ceiling
        super().check(sizes)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Everyone starts alike, whoever came before."""
        del population
        return States.filled(
            count,
            rating=self.parameters.initial_rating,
            deviation=self.parameters.initial_deviation,
        )

    def at(self, states: States, times: Integers) -> States:
        """The states with the deviation that drift until ``times`` gives them."""
        variance = states.deviation**2 + self.parameters.drift(states, times)
        return replace(states, deviation=np.sqrt(variance))

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        sides = Sides.of(self.parameters, before, batch.sizes, batch.weights, batch.times)
        performance = sides.credit(
            logistic_performances(
                sides.mean,
                np.sqrt(sides.side_variance),
                batch.places,
                split_ties=self.parameters.split_ties,
            ),
            batch,
        )
        after = self._update(before, sides.drifted, performance, sides.scatter)
        outcome = Outcome(after, sides.terms(performance, after, batch))
        if self.parameters.ignore_all_tied:
            drift = self.parameters.drift(before, batch.times[:, None])
            return put_back(outcome, self._update(before, drift), batch)
        return outcome

    def _update(
        self,
        before: States,
        drift: Floats,
        performance: Floats | None = None,
        scatter: Floats | None = None,
    ) -> States:
        """States ``(m, p)`` after drift, and after a performance if there is one."""
        shape = before.rating.shape
        states = before.ravel()
        beliefs = Beliefs.of(states.rating, states.deviation, states.memory)
        beliefs.diffuse(drift.ravel(), self.parameters.rho)
        if performance is None or scatter is None:
            beliefs.write()
        else:
            limit = self.parameters.history_limit or NO_LIMIT
            beliefs.compress(limit - 1)
            beliefs.settle(Performance(performance.ravel(), scatter.ravel()))
        # At rho = inf rating and deviation are all that the next match starts from.
        memory = beliefs.memory[:, :0] if math.isinf(self.parameters.rho) else beliefs.memory
        return replace(
            before,
            rating=beliefs.rating.reshape(shape),
            deviation=np.sqrt(beliefs.variance).reshape(shape),
            memory=memory.reshape(*shape, memory.shape[-1]),
        )

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """The chance that each side performs best in a match of weight 1.

        Performances never tie, so no chance of a draw is modelled.
        """
        sides = Sides.of(self.parameters, states, sizes, np.ones(len(states)), times)
        win = first_place(sides.mean, np.sqrt(sides.side_variance), "logistic")
        return Forecast(win=win, draw=np.zeros(len(win)))


NO_LIMIT = 1 << 62
