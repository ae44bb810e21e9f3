"""The parameters of Elo-MMR and Elo-MMX, and the noise of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.contests.draws import draws
from ratings.contests.first_side import first_side
from ratings.contests.margins import Margin, margin
from ratings.contests.nearest import most_opponents
from ratings.contests.team_strength import team_strength
from ratings.contests.without_winner import ignore_all_tied
from ratings.numerics import TeamStrength
from ratings.tunables.kinds import NumberOrInf, PositiveNumbers
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import MICROSECONDS_PER_SECOND, NEVER

if TYPE_CHECKING:
    from ratings.types import Floats, Integers, States

PAPER = "Elo-MMR paper"
REFERENCE = "Elo-MMR reference implementation"

SECONDS_PER_DAY = 86_400.0

PARAMETRISATIONS = {
    "reference": "long-run weight of a match (weight and deviation limits, drift)",
    "paper": "spread of performances and strengths (beta, gamma)",
}

Parametrisation = Literal["reference", "paper"]


class GaussianParameters(Parameters):
    """Parameters of both systems. ``parametrisation`` selects one of two groups."""

    initial_rating: float = parameter(
        1500.0,
        label="Initial rating",
        description="The rating of a newcomer.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source=f"{PAPER}, section 4.2",
    )
    initial_deviation: float = parameter(
        350.0,
        label="Initial deviation",
        description="The uncertainty of a newcomer's rating. The larger it is, the further the "
        "first matches move the rating.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=f"{PAPER}, section 4.2",
    )
    parametrisation: Parametrisation = parameter(
        "reference",
        label="Parametrisation",
        description="Which of the two groups of parameters below is used: weight limit, deviation "
        "limit, drift and newcomers' delay, or beta and gamma. The other group is ignored.",
        choices=PARAMETRISATIONS,
        source=REFERENCE,
        expert=True,
    )
    weight_limit: float = parameter(
        0.2,
        label="Weight limit",
        description="The weight of one match relative to all that is known about a settled player. "
        "With a higher value, ratings follow form faster. A match's own weight multiplies it.",
        minimum=0.000_001,
        maximum=1_000,
        source=f"{REFERENCE}, weight_limit",
    )
    sig_limit: float = parameter(
        80.0,
        label="Deviation limit",
        description="The deviation that frequent players converge to.",
        unit="rating points",
        minimum=0.01,
        maximum=10_000,
        source=f"{REFERENCE}, sig_limit",
    )
    drift_per_day: float = parameter(
        0.0,
        label="Drift per day",
        description="How much each day without a match adds to the variance (the square of the "
        "deviation), so that returning players move further.",
        unit="rating points²",
        minimum=0,
        maximum=1_000_000,
        source=f"{REFERENCE}, drift_per_day",
    )
    noob_delay: PositiveNumbers = parameter(
        (),
        label="Newcomers' delay",
        description="Weight factors for a player's first matches, in order. With 0.5, 0.75, "
        "newcomers show their form before they move far. Leave it empty for no delay.",
        source=f"{REFERENCE}, noob_delay",
    )
    beta: float = parameter(
        200.0,
        label="Performance deviation (β)",
        description="How much performances in single matches spread around a player's strength. "
        "The larger it is, the less a match says. A match's weight divides its square.",
        unit="rating points",
        minimum=0.01,
        maximum=100_000,
        source=f"{PAPER}, Algorithm 1; value of section 6.1",
        expert=True,
    )
    gamma: float = parameter(
        35.0,
        label="Drift per match (γ)",
        description="How much a player's strength changes from match to match.",
        unit="rating points",
        minimum=0,
        maximum=100_000,
        source=f"{PAPER}, Algorithm 1; value of section 6.1",
        expert=True,
    )
    split_ties: bool = parameter(
        default=False,
        label="Split ties",
        description="If enabled, a tie counts as half a win and half a loss. Otherwise it counts "
        "as a win and a loss, which draws the tied players closer together.",
        source=f"{PAPER}, footnote 3; {REFERENCE}, split_ties",
        expert=True,
    )
    ignore_all_tied: bool = ignore_all_tied()
    most_opponents: int = most_opponents()
    team_strength: TeamStrength = team_strength("sum", f"{PAPER}, section 3.3")
    first_side: float = first_side()
    draws: float = draws()
    margin: Margin = margin()

    @property
    def drifts(self) -> bool:
        """Whether deviations grow with time alone."""
        return self.parametrisation == "reference" and self.drift_per_day > 0

    def beta_squared(self, games: Integers, weights: Floats) -> Floats:
        """Return ``(m, p)`` performance variances after ``games``, for match ``weights`` (m, 1)."""
        if self.parametrisation == "paper":
            return np.repeat(self.beta**2 / weights, games.shape[-1], axis=-1)
        weight = self._weight(games, weights)
        if self.drift_per_day == 0:
            return (1.0 + 1.0 / weight) * self.sig_limit**2
        return (1.0 + 1.0 / weight) * self.sig_limit**2 + self.drift_per_day / weight

    def gamma_squared(self, games: Integers, weights: Floats) -> Floats:
        """Return ``(m, p)`` the variance that a match adds to a strength, apart from time."""
        if self.parametrisation == "paper":
            return np.full(games.shape, self.gamma**2)
        return self._weight(games, weights) * self.sig_limit**2

    def drift(self, states: States, times: Integers) -> Floats:
        """Return the variance that the time since their last match adds to players' strengths."""
        if not self.drifts:
            return np.zeros(states.rating.shape)
        since = np.where(states.last_played == NEVER, times, states.last_played)
        days = np.maximum(times - since, 0) / (MICROSECONDS_PER_SECOND * SECONDS_PER_DAY)
        return self.drift_per_day * days

    def _weight(self, games: Integers, weights: Floats) -> Floats:
        weight = np.repeat(self.weight_limit * weights, games.shape[-1], axis=-1)
        if self.noob_delay:
            delays = np.append(self.noob_delay, 1.0)
            weight *= delays[np.minimum(games, len(self.noob_delay))]
        return weight


class EloMMRParameters(GaussianParameters):
    """Elo-MMR's parameters, adding how long it remembers single performances."""

    rho: NumberOrInf = parameter(
        1.0,
        label="Inverse momentum (ρ)",
        description="How fast single performances merge into one average while strength drifts. "
        "With 0 they never do, and players whose form changes move fast. With inf, each match "
        "only counts against the average.",
        minimum=0,
        source=f"{PAPER}, section 4.2 and Algorithm 2",
        expert=True,
    )
    history_limit: int = parameter(
        0,
        label="Performances remembered",
        description="The maximum number of single performances kept per player. Older ones join "
        "the average. With 0, all that still make a difference are kept.",
        unit="matches",
        minimum=0,
        maximum=100_000,
        source=f"{PAPER}, section 5.3",
        expert=True,
    )
