"""Elo-MMX (Elo-MMχ): Elo-MMR with normal distributions.

Source: the Elo-MMR paper, the "Gaussian performance model" of sections 3 and 4. Strengths and
performances are normal, so the belief about a player is just a mean (the rating) and a variance.
Unlike Elo-MMR it is not robust: a result moves a rating in proportion to how odd it is.

Formats, parameters, weights and ceilings are those of ``elo_mmr``. Notable change: the performance
ceiling applies here too. The reference implementation omits it for this system.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.first_place import first_place_chances
from ratings.contests.nearest import Nearest
from ratings.contests.normal_performance import normal_performances, zeros_by_order
from ratings.system import RatingSystem, Shows
from ratings.systems.elo_mmr.parameters import GaussianParameters
from ratings.systems.elo_mmr.sides import TERMS, Sides
from ratings.types import Forecast, Outcome, States

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Integers


class EloMMX(RatingSystem):
    """Elo-MMχ, with normal performances and beliefs."""

    name = "elo-mmx"
    label = "Elo-MMX"
    summary = (
        "Elo-MMR with normal distributions, for contests of any size in which odd results are "
        "rare. Losing on purpose never pays, but one odd result can move a rating far."
    )
    Parameters = GaussianParameters
    shows = Shows(deviation=True)
    fitted = ("weight_limit", "sig_limit")
    adds_members = True
    terms = TERMS

    parameters: GaussianParameters

    def __init__(self, parameters: GaussianParameters) -> None:
        self.parameters = parameters
        self.model = Nearest(
            normal_performances, zeros_by_order, parameters.most_opponents, parameters.split_ties
        )

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Accept two or more sides of at least one player, with or without a ceiling."""
        del perf_ceiling
        super().check_sizes(sizes)

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
        # Multiply two normal densities.
        share = sides.variance / (sides.variance + sides.scatter)
        after = replace(
            before,
            rating=before.rating + share * (performance - before.rating),
            deviation=np.sqrt(share * sides.scatter),
        )
        return Outcome(after, sides.terms(performance, after, batch))

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict the chance of each side to perform best in a match of weight 1.

        Performances never tie, so draws are not modelled.
        """
        sides = Sides.of(self.parameters, states, sizes, np.ones(len(states)), times)
        win = first_place_chances(sides.mean, np.sqrt(sides.side_variance), "normal")
        return Forecast(win=win, draw=np.zeros(len(win)))
