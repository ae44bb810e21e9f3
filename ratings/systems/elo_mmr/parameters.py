"""The parameters of Elo-MMR and Elo-MMX, and the noise that they give a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ratings.contests.without_winner import ignore_all_tied
from ratings.tunables.kinds import NumberOrInf, PositiveNumbers
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import MICROSECONDS_PER_SECOND, NEVER

if TYPE_CHECKING:
    from ratings.types import Floats, Integers, States

PAPER = "Elo-MMR paper"
REFERENCE = "Elo-MMR reference implementation"

SECONDS_PER_DAY = 86_400.0

PARAMETRISATIONS = {
    "reference": "how much a match weighs in the long run (weight and deviation limits, drift)",
    "paper": "how much performances and strengths scatter (beta, gamma)",
}

Parametrisation = Literal["reference", "paper"]


class GaussianParameters(Parameters):
    """What both systems share; ``parametrisation`` says which of the two groups counts."""

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
        description="How unsure a newcomer's rating is: the larger, the further the first matches "
        "move it.",
        unit="rating points",
        minimum=1,
        maximum=10_000,
        source=f"{PAPER}, section 4.2",
    )
    parametrisation: Parametrisation = parameter(
        "reference",
        label="Set by",
        description="Which of the two groups of parameters below counts: the weight limit, the "
        "deviation limit, drift and newcomers' delay, or beta and gamma. The others are not used.",
        choices=PARAMETRISATIONS,
        source=REFERENCE,
    )
    weight_limit: float = parameter(
        0.2,
        label="Weight limit",
        description="How much one match counts beside all that is known of a settled player: "
        "higher follows form faster. A match's own weight multiplies it.",
        above=0,
        maximum=1_000,
        source=f"{REFERENCE}, weight_limit",
    )
    sig_limit: float = parameter(
        80.0,
        label="Deviation limit",
        description="The deviation that those who keep playing come to.",
        unit="rating points",
        minimum=0.01,
        maximum=10_000,
        source=f"{REFERENCE}, sig_limit",
    )
    drift_per_day: float = parameter(
        0.0,
        label="Drift per day",
        description="What each day without a match adds to the variance (the square of the "
        "deviation), so that those who were away move further.",
        unit="rating points²",
        minimum=0,
        maximum=1_000_000,
        source=f"{REFERENCE}, drift_per_day",
    )
    noob_delay: PositiveNumbers = parameter(
        (),
        label="Newcomers' delay",
        description="Factors on the weight of a player's first matches, the first for the first "
        "match: with 0.5, 0.75 newcomers show what they can before they move far. Empty for none.",
        source=f"{REFERENCE}, noob_delay",
    )
    beta: float = parameter(
        200.0,
        label="Performance deviation (β)",
        description="How much one match's performance scatters around a player's strength: the "
        "larger, the less a match says. A match's weight divides its square.",
        unit="rating points",
        minimum=0.01,
        maximum=100_000,
        source=f"{PAPER}, Algorithm 1; value of section 6.1",
    )
    gamma: float = parameter(
        35.0,
        label="Drift per match (γ)",
        description="How much a player's strength changes from match to match.",
        unit="rating points",
        minimum=0,
        maximum=100_000,
        source=f"{PAPER}, Algorithm 1; value of section 6.1",
    )
    split_ties: bool = parameter(
        default=False,
        label="Split ties",
        description="Whether a tie counts as half a win and half a loss. Otherwise it counts as a "
        "win and a loss, which draws those who tie closer together.",
        source=f"{PAPER}, footnote 3; {REFERENCE}, split_ties",
    )
    ignore_all_tied: bool = ignore_all_tied()

    @property
    def drifts(self) -> bool:
        """Whether time alone adds to a deviation."""
        return self.parametrisation == "reference" and self.drift_per_day > 0

    def beta_squared(self, games: Integers, weights: Floats) -> Floats:
        """``(m, p)`` variance of a performance after ``games`` in matches of ``weights`` (m, 1)."""
        if self.parametrisation == "paper":
            return np.repeat(self.beta**2 / weights, games.shape[-1], axis=-1)
        weight = self._weight(games, weights)
        if self.drift_per_day == 0:
            return (1.0 + 1.0 / weight) * self.sig_limit**2
        return (1.0 + 1.0 / weight) * self.sig_limit**2 + self.drift_per_day / weight

    def gamma_squared(self, games: Integers, weights: Floats) -> Floats:
        """``(m, p)`` what a match adds to the variance of a strength, time apart."""
        if self.parametrisation == "paper":
            return np.full(games.shape, self.gamma**2)
        return self._weight(games, weights) * self.sig_limit**2

    def drift(self, states: States, times: Integers) -> Floats:
        """What the time since their last match adds to the variance of players' strengths."""
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
    """Those of Elo-MMR: how long it remembers single performances."""

    rho: NumberOrInf = parameter(
        1.0,
        label="Inverse momentum (ρ)",
        description="How fast single performances melt into one average while strength drifts. "
        "With 0 they never do, and a player whose form changes moves fast; with inf each match "
        "only counts beside the average.",
        minimum=0,
        source=f"{PAPER}, section 4.2 and Algorithm 2",
    )
    history_limit: int = parameter(
        0,
        label="Performances remembered",
        description="The most single performances kept of a player; older ones join the average. "
        "0 keeps all that can still make a difference.",
        unit="matches",
        minimum=0,
        maximum=100_000,
        source=f"{PAPER}, section 5.3",
    )
