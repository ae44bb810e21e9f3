"""Match prediction: the favourite, from team averages, and the odds of victory.

Source: Match Prediction in the GW2 matchmaker (deprecated there on 13 December 2016).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from matchmaking.rules.limits import MOST
from matchmaking.rules.readings import GW2
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from typing import Any

    from matchmaking.types import Floats

SOURCE = f"{GW2}: Match Prediction, Configuration"

Method = Literal["Spread"]
Side = Literal["red", "blue"]


def _method(element: str) -> Any:
    return parameter(
        "Spread",
        label=f"{element}: method",
        description="How the difference is measured. The published page has only one method.",
        choices={"Spread": "Share of the full spread"},
        xml=f"{element}/@method",
        expert=True,
        source=SOURCE,
    )


def _spread(element: str, spread: float, quantity: str) -> Any:
    return parameter(
        spread,
        label=f"{element}: spread",
        description=f"Difference between {quantity} that counts in full; 0 if any difference does.",
        minimum=0,
        maximum=MOST,
        xml=f"{element}/@spread",
        expert=True,
        source=SOURCE,
    )


def _weight(element: str, quantity: str) -> Any:
    return parameter(
        0.0,
        label=f"{element}: weight",
        description=f"Weight of the difference between {quantity}; 0 to ignore it.",
        minimum=0,
        maximum=MOST,
        xml=f"{element}/@weight",
        source=SOURCE,
    )


LADDER = "the teams’ average ladder points"
RANK = "the teams’ average ranks"
RATING = "the teams’ average effective ratings (less the deviation)"
ROSTER = "the sizes of the teams’ largest rosters"


class PredictionRules(Parameters):
    """The weight of each difference between the teams; 0 ignores it."""

    ladder_method: Method = _method("Ladder")
    ladder_spread: float = _spread("Ladder", 30, LADDER)
    ladder_weight: float = _weight("Ladder", LADDER)
    rank_method: Method = _method("Rank")
    rank_spread: float = _spread("Rank", 40, RANK)
    rank_weight: float = _weight("Rank", RANK)
    rating_method: Method = _method("Rating")
    rating_spread: float = _spread("Rating", 200, RATING)
    rating_weight: float = _weight("Rating", RATING)
    roster_method: Method = _method("Roster")
    roster_spread: float = _spread("Roster", 4, ROSTER)
    roster_weight: float = _weight("Roster", ROSTER)

    @property
    def weights(self) -> tuple[float, float, float, float]:
        return self.ladder_weight, self.rank_weight, self.rating_weight, self.roster_weight

    @property
    def counts_something(self) -> bool:
        """Whether any difference has a weight."""
        return any(self.weights)


AS_PUBLISHED = PredictionRules(ladder_weight=5, rank_weight=1, rating_weight=0, roster_weight=2)


class TeamFigures(NamedTuple):
    """A team's averages over its players and the size of its largest roster, or (M,) of each.

    ``rating`` is effective: rating minus deviation.
    """

    ladder: float | Floats
    rank: float | Floats
    rating: float | Floats
    roster: float | Floats


def predict(red: TeamFigures, blue: TeamFigures, rules: PredictionRules) -> Floats:
    """Return the prediction from -1 (red dominates) to 1 (blue dominates).

    The result is () for one match or (M,) for M of them, and 0 if all weights are 0.
    """
    spreads = (rules.ladder_spread, rules.rank_spread, rules.rating_spread, rules.roster_spread)
    score: Floats = np.zeros(())
    for of_red, of_blue, most, weight in zip(red, blue, spreads, rules.weights, strict=True):
        score = score + spread(of_red, of_blue, most) * weight
    total = sum(rules.weights)
    return np.clip(score / total, -1.0, 1.0) if total else np.zeros_like(score)


def spread(red: float | Floats, blue: float | Floats, most: float) -> Floats:
    """Return blue's lead as a share of ``most``, from -1 to 1."""
    ahead = np.subtract(blue, red, dtype=np.float64)
    return np.clip(ahead / most, -1.0, 1.0) if most else np.sign(ahead)


def odds_of_victory(prediction: float | Floats, side: Side) -> Floats:
    """Return a side's odds of victory, from 0 to 1."""
    normalized = np.asarray(prediction, dtype=np.float64) / 2.0 + 0.5
    return 1.0 - normalized if side == "red" else normalized
