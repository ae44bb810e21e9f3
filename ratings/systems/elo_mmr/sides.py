"""Who meets whom in a match, as Elo-MMR and Elo-MMX see it before its result (section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import per_member, per_side
from ratings.types import Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.systems.elo_mmr.parameters import GaussianParameters
    from ratings.types import Batch, Floats, Integers, States

TERMS = (
    Term(
        "performance",
        "Performance",
        "The rating at which this place would have been no surprise; in a team, what it leaves "
        "for this player beyond the ratings of the others.",
    ),
    Term("surprise", "Surprise", "Performance minus rating."),
    Term("opposition", "Opponents' strength", "The mean of the other sides."),
    Term("deviation", "Deviation at the match", "How unsure the own rating was, with drift."),
    Term(
        "scatter",
        "Scatter",
        "How far a performance of such a match may lie from the strength that it shows.",
    ),
    Term("weight", "Weight", "The share of this performance in all that is known now."),
    Term("change", "Change", "Rating after the match minus rating before."),
)


@dataclass(frozen=True)
class Sides:
    """``m`` matches before their result: participants ``(m, p)`` and sides ``(m, s)``."""

    rating: Floats
    drifted: Floats
    """``(m, p)`` what this match and the time before it add to the variance of a strength."""
    variance: Floats
    """``(m, p)`` of a strength, drift included."""
    scatter: Floats
    """``(m, p)`` variance of a performance as a sign of this participant's strength."""
    mean: Floats
    """``(m, s)`` performance to expect of a side."""
    side_variance: Floats
    """``(m, s)`` of a side's performance."""

    @classmethod
    def of(
        cls,
        parameters: GaussianParameters,
        states: States,
        sizes: Sequence[int],
        weights: Floats,
        times: Integers | None,
    ) -> Sides:
        """``states`` ``(m, p)`` in matches of ``weights`` ``(m,)`` at ``times`` ``(m,)``."""
        weight_of = weights[:, None]
        drifted = parameters.gamma_squared(states.games, weight_of)
        if times is not None and parameters.drifts:
            drifted = drifted + parameters.drift(states, times[:, None])
        variance = states.deviation**2 + drifted
        beta = parameters.beta_squared(states.games, weight_of)
        if len(sizes) == variance.shape[-1]:
            return cls(states.rating, drifted, variance, beta, states.rating, variance + beta)
        of_side = np.repeat(np.arange(len(sizes)), sizes)
        known, noise = per_side(variance, sizes, "sum"), per_side(beta, sizes, "sum")
        return cls(
            rating=states.rating,
            drifted=drifted,
            variance=variance,
            scatter=noise[:, of_side] + (known[:, of_side] - variance),
            mean=per_side(states.rating, sizes, "sum"),
            side_variance=known + noise,
        )

    def credit(self, performance: Floats, batch: Batch) -> Floats:
        """``(m, p)`` performances of participants, from those of their sides ``(m, s)``."""
        if self.mean is not self.rating:
            side_of = batch.side_of
            performance = performance[:, side_of] + (self.rating - self.mean[:, side_of])
        return np.minimum(performance, batch.perf_ceilings[:, None])

    def terms(self, performance: Floats, after: States, batch: Batch) -> dict[str, Floats]:
        """What ``TERMS`` declares."""
        others = self.mean.shape[-1] - 1
        total = self.mean.sum(axis=-1, keepdims=True)
        return {
            "performance": performance,
            "surprise": performance - self.rating,
            "opposition": per_member((total - self.mean) / others, batch.side_of),
            "deviation": np.sqrt(self.variance),
            "scatter": np.sqrt(self.scatter),
            "weight": after.deviation**2 / self.scatter,
            "change": after.rating - self.rating,
        }
