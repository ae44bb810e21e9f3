"""The sides of a match before its result, for Elo-MMR and Elo-MMX (section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.team_strength import of_representatives
from ratings.numerics import per_member, per_side
from ratings.types import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.numerics import TeamStrength
    from ratings.systems.elo_mmr.parameters import GaussianParameters
    from ratings.types import Batch, Floats, Integers, States

TERMS = (
    Term(
        "performance",
        "Performance",
        "The rating at which this place would be no surprise. In a team, this player's part of it, "
        "beyond the ratings of the others.",
        unit="rating",
    ),
    Term("surprise", "Surprise", "Performance minus rating.", unit="points"),
    Term("opposition", "Opponents' strength", "The mean of the other sides.", unit="strength"),
    Term(
        "deviation",
        "Deviation at the match",
        "The rating's uncertainty, including drift.",
        unit="deviation",
    ),
    Term(
        "scatter",
        "Scatter",
        "How far a performance in such a match may be from the strength it shows.",
        unit="deviation",
    ),
    Term("weight", "Weight", "This performance's share of everything known now."),
    Term(
        "moved",
        "Share moved",
        "By how much of the surprise the rating moved: less than its weight if it was an odd one.",
    ),
    Term("change", "Change", "The share moved times surprise.", unit="points"),
)


@dataclass(frozen=True)
class Sides:
    """``m`` matches before their results, with participants ``(m, p)`` and sides ``(m, s)``."""

    rating: Floats
    drifted: Floats
    """``(m, p)`` variance that this match and the time before it add to a strength."""
    variance: Floats
    """``(m, p)`` variance of a strength, including drift."""
    scatter: Floats
    """``(m, p)`` variance of a performance as evidence of this participant's strength."""
    mean: Floats
    """``(m, s)`` expected performance of a side."""
    side_variance: Floats
    """``(m, s)`` variance of a side's performance."""
    part: Floats | float = 1.0
    """The share of a side's performance beyond expectation that each member is credited with."""

    @classmethod
    def of(
        cls,
        parameters: GaussianParameters,
        states: States,
        sizes: Sequence[int],
        weights: Floats,
        times: Integers | None,
    ) -> Sides:
        """Set up ``states`` ``(m, p)`` in matches of ``weights`` ``(m,)`` at ``times`` ``(m,)``."""
        weight_of = weights[:, None]
        drifted = parameters.gamma_squared(states.games, weight_of)
        if times is not None and parameters.drifts:
            drifted = drifted + parameters.drift(states, times[:, None])
        variance = states.deviation**2 + drifted
        beta = parameters.beta_squared(states.games, weight_of)
        if len(sizes) == variance.shape[-1]:
            return cls(states.rating, drifted, variance, beta, states.rating, variance + beta)
        of_side = np.repeat(np.arange(len(sizes)), sizes)
        how = parameters.team_strength
        known, noise = per_side(variance, sizes, "sum"), per_side(beta, sizes, "sum")
        return cls(
            rating=states.rating,
            drifted=drifted,
            variance=variance,
            scatter=noise[:, of_side] + (known[:, of_side] - variance),
            mean=per_side(states.rating, sizes, how),
            side_variance=_side_variance(variance + beta, states.rating, sizes, how),
            part=np.asarray(sizes, dtype=np.float64)[of_side] if how == "mean" else 1.0,
        )

    def credit(self, performance: Floats, batch: Batch) -> Floats:
        """Return participants' performances ``(m, p)`` from those of their sides ``(m, s)``."""
        if self.mean is not self.rating:
            side_of = batch.side_of
            performance = self.part * performance[:, side_of] + (
                self.rating - self.part * self.mean[:, side_of]
            )
        return np.minimum(performance, batch.perf_ceilings[:, None])

    def terms(self, performance: Floats, after: States, batch: Batch) -> dict[str, Floats]:
        """Return the terms declared in ``TERMS``."""
        others = self.mean.shape[-1] - 1
        surprise, change = performance - self.rating, after.rating - self.rating
        weight = after.deviation**2 / self.scatter
        total = self.mean.sum(axis=-1, keepdims=True)
        return {
            "performance": performance,
            "surprise": surprise,
            "opposition": per_member((total - self.mean) / others, batch.side_of),
            "deviation": np.sqrt(self.variance),
            "scatter": np.sqrt(self.scatter),
            "weight": weight,
            "moved": np.divide(change, surprise, out=weight.copy(), where=surprise != 0.0),
            "change": change,
        }


def _side_variance(
    variance: Floats, rating: Floats, sizes: Sequence[int], how: TeamStrength
) -> Floats:
    """Return the ``(m, s)`` variance of sides' performances from those of members ``(m, p)``."""
    if how in ("max", "min"):
        return of_representatives(variance, rating, sizes, how)
    total = per_side(variance, sizes, "sum")
    return total / np.square(sizes) if how == "mean" else total
