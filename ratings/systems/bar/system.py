"""BAR, the Bayesian approximation ranking, as implemented in the Elo-MMR paper's reference.

Source: EbTech/Elo-MMR ``bar``, after R. Weng and C.-J. Lin, "A Bayesian Approximation Method for
Online Ranking" (2011), Algorithm 1: Bradley and Terry's model with all pairs. Every player has a
rating and a deviation. Before each match, every variance grows by ``drift^2``. Two sides i and j
differ by performances of variance ``c^2 = variance_i + variance_j + 2 beta^2``, and p is the chance
that i wins, from a logistic distribution of that variance. With N sides, a member moves by::

    variance (1 / N) sum_j (s_ij - p_ij) / c_ij

(the term for i itself is 0), and their variance shrinks by the factor
``1 - variance (1/4) / (variance_i + 2 beta^2)``, but not below ``kappa``.

Notable differences from Weng and Lin, all from the reference: chances use the logistic distribution
of variance 1, not of scale 1. The sum is a mean over the sides. The information of a match is that
of an even one, whatever its chances. There is no damping factor.

Formats. **Several sides and free-for-all**: all pairs. **Teams**, as in Weng and Lin: a side's
rating and variance are the sums of its members', and every member moves by their own variance. A
match's weight divides ``beta^2``. Places affect ratings, and scores by ``margin`` only; seconds,
quits and professions do not.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.draws import draws
from ratings.contests.first_side import first_side
from ratings.contests.logistic_round import LARGE_MATCH
from ratings.contests.margins import Margin, margin
from ratings.contests.performance import LOGISTIC
from ratings.contests.without_winner import ignore_all_tied
from ratings.numerics import (
    ADDED_IN_ORDER,
    chances,
    encounter_results,
    opponents,
    per_member,
    per_side,
    surprise,
)
from ratings.system import RatingSystem, Shows
from ratings.systems.bar.round import encounters, pays
from ratings.systems.codeforces import BETA
from ratings.systems.fermi.system import shares_of_exp
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers, Loop

SOURCE = "Elo-MMR reference implementation, bar"


class BarParameters(Parameters):
    """``beta``, ``kappa`` and drift of the reference, and the initial state."""

    initial_rating: float = parameter(
        1500.0,
        label="Initial rating",
        description="The rating of a newcomer.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=SOURCE,
    )
    initial_deviation: float = parameter(
        350.0,
        label="Initial deviation",
        description="The uncertainty of a newcomer's rating. The larger it is, the further the "
        "first matches move the rating.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=SOURCE,
    )
    beta: float = parameter(
        float(BETA),
        label="Spread of performances (β)",
        description="How much luck there is in a match. The larger it is, the less a result says.",
        unit="rating points",
        minimum=0.000_001,
        maximum=1_000_000,
        source=SOURCE,
    )
    drift: float = parameter(
        35.0,
        label="Drift per match",
        description="How much a player's strength changes from match to match. It keeps ratings "
        "from becoming so certain that they stop moving.",
        unit="rating points",
        minimum=0,
        maximum=10_000,
        source=f"{SOURCE}, sig_drift",
    )
    kappa: float = parameter(
        0.0001,
        label="Least share of variance kept (κ)",
        description="This share of the variance remains, however much a match says.",
        minimum=0.000_001,
        maximum=1,
        source="Weng and Lin 2011",
        expert=True,
    )
    ignore_all_tied: bool = ignore_all_tied()
    first_side: float = first_side()
    draws: float = draws()
    margin: Margin = margin()


class Bar(RatingSystem):
    """Bradley and Terry's model with all pairs."""

    name = "bar"
    label = "BAR"
    summary = (
        "Weng and Lin's Bayesian approximation with all pairs: a rating and a deviation, for teams "
        "and free-for-alls. It is fast, but treats every match as equally informative."
    )
    Parameters = BarParameters
    shows = Shows(deviation=True)
    adds_members = True
    fitted = ("drift", "beta")
    terms = (
        Term("expected", "Expected result", "From 0 (a certain loss) to 1 (a certain win)."),
        Term("actual", "Actual result", "1 for a win, ½ for a draw, 0 for a loss, on average."),
        Term(
            "opposition",
            "Opponents' strength",
            "Of the opposing side, or the mean of several.",
            unit="strength",
        ),
        Term(
            "deviation",
            "Deviation at the match",
            "The rating's uncertainty, including drift.",
            unit="deviation",
        ),
        Term(
            "surprise",
            "Surprise",
            "Actual minus expected result over all opponents, less for those who are uncertain.",
        ),
        Term("step", "Step", "Rating points for a full unit of surprise.", unit="points"),
        Term("change", "Change", "Step times surprise.", unit="points"),
    )

    parameters: BarParameters

    def __init__(self, parameters: BarParameters) -> None:
        self.parameters = parameters

    def compiled_loop(self, sizes: tuple[int, ...]) -> Loop | None:
        """Rate matches of two small sides in compiled code."""
        if len(sizes) != 2 or max(sizes) > ADDED_IN_ORDER:
            return None
        from ratings.systems.bar.compiled import rate_two_sides  # noqa: PLC0415 - imports Numba

        return partial(rate_two_sides, self.parameters, sizes)

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the same state for everyone."""
        del population
        return States.full(
            count,
            rating=self.parameters.initial_rating,
            deviation=self.parameters.initial_deviation,
        )

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        beta_squared = self.parameters.beta**2 / batch.weights[:, None]
        variance = before.deviation**2 + self.parameters.drift**2
        rating = per_side(before.rating, batch.sizes, "sum")
        side_variance = per_side(variance, batch.sizes, "sum")
        sides = self._pairs(rating, side_variance, beta_squared, batch)
        sides["information"] = 0.25 / (side_variance + 2.0 * beta_squared)
        side_of = batch.side_of
        terms = {name: per_member(values, side_of) for name, values in sides.items()}
        information, pull = terms.pop("information"), terms.pop("pull")
        kept = np.maximum(1.0 - variance * information, self.parameters.kappa)
        change = variance * pull
        terms["surprise"] = pull / np.sqrt(information)
        terms["step"] = variance * np.sqrt(information)
        after = replace(before, rating=before.rating + change, deviation=np.sqrt(variance * kept))
        return Outcome(after, {**terms, "deviation": np.sqrt(variance), "change": change})

    @staticmethod
    def _pairs(
        rating: Floats, variance: Floats, beta_squared: Floats, batch: Batch
    ) -> dict[str, Floats]:
        """Return each side's means over its encounters ``(m, s)``, and its pull."""
        sides = len(batch.sizes)
        if sides >= LARGE_MATCH and all(map(pays, rating, variance + beta_squared)):
            rows = zip(rating, variance + beta_squared, batch.places, strict=True)
            matches = [encounters(*row) for row in rows]
            return {name: np.stack([match[name] for match in matches]) for name in _ENCOUNTER}
        if sides == 2:
            result = encounter_results(batch.places, batch.places[:, ::-1])
            together = variance + variance[:, ::-1] + 2.0 * beta_squared
            terms = _encounters(rating, rating[:, ::-1], together, result)
            terms["pull"] *= 0.5
            return terms
        sums = {name: np.empty_like(rating) for name in _ENCOUNTER}
        for block, others in opponents(sides, len(rating)):
            result = encounter_results(
                batch.places[:, block, None], np.take(batch.places, others, axis=1)
            )
            together = variance[:, block, None] + np.take(variance, others, axis=1)
            together += 2.0 * beta_squared[:, None]
            opposition = np.take(rating, others, axis=1)
            terms = _encounters(rating[:, block, None], opposition, together, result)
            for name, values in terms.items():
                sums[name][:, block] = values.sum(axis=-1) / (
                    sides if name == "pull" else sides - 1
                )
        return sums

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict two sides by the model's chances, with drift, as in a match of weight 1.

        With several sides, each side's chance is its share of ``exp`` of its rating on the scale of
        their mean variance, which is the same for two sides. Draws are not modelled: a draw is half
        a win.
        """
        del times
        rating = per_side(states.rating, sizes, "sum")
        variance = per_side(states.deviation**2 + self.parameters.drift**2, sizes, "sum")
        # Sort, so that the order of sides does not affect the last digit.
        total = np.sort(variance, axis=-1).sum(axis=-1, keepdims=True)
        doubt = np.sqrt(2.0 * total / len(sizes) + 2.0 * self.parameters.beta**2)
        win = shares_of_exp(rating * (LOGISTIC / doubt))
        return Forecast(win=win, draw=np.zeros(len(win)))


_ENCOUNTER = ("expected", "actual", "opposition", "pull")


def _encounters(
    rating: Floats, opposition: Floats, together: Floats, result: Floats
) -> dict[str, Floats]:
    """Return the terms of one side's encounters with others, where ``together`` is ``c^2``."""
    doubt = np.sqrt(together)
    win, loss = chances(LOGISTIC * (rating - opposition) / doubt)
    return {
        "expected": win,
        "actual": result,
        "opposition": opposition,
        "pull": surprise(win, loss, result) / doubt,
    }
