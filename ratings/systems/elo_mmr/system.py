"""Elo-MMR: a robust Bayesian rating that never rewards losing.

Source: A. Ebtekar and P. Liu, "Elo-MMR: A Rating System for Massive Multiplayer Competitions", WWW
2021, Algorithms 1 to 3, which are the specification. First, every player's strength drifts
(``diffuse``). Then each side's place gives a performance, and each performance is added to the
belief about the player (``update``).

Formats. **Free-for-all** of any size is the paper's own case, with a duel as its smallest.
**Teams** (section 3.3): a side performs as the sum of its members. Its variance is therefore the
sum of theirs, and a larger side is expected to win. Each member is credited with a side's
performance beyond its members' ratings. This evidence is the vaguer the more other people took
part: its variance is ``|side| beta^2`` plus the variances of the team mates' strengths.
The section leaves the model of a team to the game, so ``team_strength`` may be another. The average
is the sum divided by the number of members. With the strongest or weakest member, the side performs
as that member would, and all members are credited alike, as with the sum.

Parameters. By default they are the reference implementation's. With W the weight limit times the
match's weight times a newcomer's delay, s the deviation limit and d the drift per day,
``beta^2 = (1 + 1 / W) s^2 + d / W`` and ``gamma^2 = W s^2 + d (days since the last match)``, for
each player on their own. So a match of weight 2 counts about like two. With ``parametrisation``
``paper``, beta and gamma are given. A match's weight then divides ``beta^2``, as section 3.1
suggests for contests of different length, and does not affect gamma.

A performance ceiling limits performances to ``min(performance, ceiling)``. Places affect
ratings, and scores by ``margin`` only; seconds, quits and professions do not.

Notable differences from the reference implementation: opponents are not grouped into buckets, and
are only sampled with ``most_opponents`` (``contests.nearest``), zeros are searched on the whole
line (the reference's lie in [-6000, 9000]), and a match in which all sides tie is information. With
``ignore_all_tied`` it is no match, as there: it adds no drift and no game, and uses up none of a
newcomer's delay.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.first_place import first_place_chances
from ratings.contests.nearest import Nearest
from ratings.contests.performance import logistic_performances, zeros_by_order
from ratings.numerics import SHORT
from ratings.system import RatingSystem, Shows
from ratings.systems.elo_mmr.belief import Beliefs, Performance
from ratings.systems.elo_mmr.parameters import EloMMRParameters
from ratings.systems.elo_mmr.sides import TERMS, Sides
from ratings.types import Forecast, Outcome, States

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers, Loop


class EloMMR(RatingSystem):
    """Elo-MMR(ρ), with logistic performances and a belief that remembers them."""

    name = "elo-mmr"
    label = "Elo-MMR"
    summary = (
        "A rating with a deviation (its uncertainty) for contests of any size, of individuals or "
        "teams. One odd result moves nobody far, and losing on purpose never pays."
    )
    Parameters = EloMMRParameters
    shows = Shows(deviation=True)
    fitted = ("weight_limit", "sig_limit")
    adds_members = True
    kept_in_states = ("rho",)
    terms = TERMS

    parameters: EloMMRParameters

    def __init__(self, parameters: EloMMRParameters) -> None:
        self.parameters = parameters
        self.model = Nearest(
            logistic_performances, zeros_by_order, parameters.most_opponents, parameters.split_ties
        )

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Accept two or more sides of at least one player, with or without a ceiling."""
        del perf_ceiling
        super().check_sizes(sizes)

    def compiled_loop(self, sizes: tuple[int, ...]) -> Loop | None:
        """Rate contests of few individuals in compiled code."""
        alone = all(size == 1 for size in sizes) and len(sizes) <= SHORT
        if not alone or self.parameters.first_side or self.parameters.rho not in COMPILED_RHO:
            return None
        if 0 < self.parameters.most_opponents < len(sizes) - 1:
            return None
        from ratings.systems.elo_mmr.compiled import rate_contests  # noqa: PLC0415 - Numba

        return partial(rate_contests, self.parameters)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the same state for everyone."""
        del population
        return States.full(
            count,
            rating=self.parameters.initial_rating,
            deviation=self.parameters.initial_deviation,
        )

    def at(self, states: States, times: Integers) -> States:
        """Return the states with their deviation after drifting until ``times``."""
        variance = states.deviation**2 + self.parameters.drift(states, times)
        return replace(states, deviation=np.sqrt(variance))

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        sides = Sides.of(self.parameters, before, batch.sizes, batch.weights, batch.times)
        performance = sides.credit(
            self.model.solve(sides.mean, np.sqrt(sides.side_variance), batch.places), batch
        )
        after = self._update(before, sides.drifted, performance, sides.scatter)
        return Outcome(after, sides.terms(performance, after, batch))

    def _update(
        self, before: States, drift: Floats, performance: Floats, scatter: Floats
    ) -> States:
        """Return states ``(m, p)`` after drift and a performance."""
        shape = before.rating.shape
        states = before.ravel()
        beliefs = Beliefs.of(states.rating, states.deviation, states.memory)
        beliefs.diffuse(drift.ravel(), self.parameters.rho)
        limit = self.parameters.history_limit or NO_LIMIT
        beliefs.compress(limit - 1)
        beliefs.settle(Performance(performance.ravel(), scatter.ravel()))
        # If rho = inf, the next match starts from rating and deviation alone.
        memory = beliefs.memory[:, :0] if math.isinf(self.parameters.rho) else beliefs.memory
        return replace(
            before,
            rating=beliefs.rating.reshape(shape),
            deviation=np.sqrt(beliefs.variance).reshape(shape),
            memory=memory.reshape(*shape, memory.shape[-1]),
        )

    def raise_by(self, states: States, points: Floats) -> States:
        """Return stronger opponents. They bring no memory, as only their own rating would use it,
        and that is not where it was when they earned it."""
        moved = (points != 0.0)[..., None]
        return replace(
            states,
            rating=states.rating + points,
            memory=np.where(moved, np.nan, states.memory),
        )

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict the chance of each side to perform best in a match of weight 1.

        Performances never tie, so draws are not modelled.
        """
        sides = Sides.of(self.parameters, states, sizes, np.ones(len(states)), times)
        win = first_place_chances(sides.mean, np.sqrt(sides.side_variance), "logistic")
        return Forecast(win=win, draw=np.zeros(len(win)))


# More than any history has, and still a 64-bit integer.
NO_LIMIT = 1 << 62
COMPILED_RHO = (1.0, math.inf)
"""Other exponents need NumPy's power, which compiled code cannot call."""
