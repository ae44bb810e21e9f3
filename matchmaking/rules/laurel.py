"""The rules of the matcher ``laurel`` beyond the published ones.

The published weights (``MatcherRules``) keep their meaning, for a whole match instead of a seat.
"""

from __future__ import annotations

from matchmaking.rules.limits import MOST
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

SOURCE = "Laurel: docs/matchmaking.md"


class LaurelRules(Parameters):
    """The guarantees of ``laurel``, and the score that a match needs."""

    fairness: float = parameter(
        0.1,
        label="Fairness",
        description="Maximum difference of either team's win chance from one half, by the forecast "
        "that the ready check shows. No wait ever makes it worse.",
        unit="win chance",
        above=0.0,
        maximum=0.5,
        source=SOURCE,
    )
    chance_scale: float = parameter(
        400.0,
        label="Win chance scale",
        description="Difference in the teams' average ratings at which ten wins are expected for "
        "each loss, if their ratings are certain. It counts only where there is no forecast to "
        "show.",
        unit="points of chess",
        above=0.0,
        maximum=MOST,
        source="the logistic scale of Elo and Glicko",
        expert=True,
    )
    asking: float = parameter(
        0.0,
        label="Minimum score",
        description="Score that a match needs. Waiting adds to the score, so a higher minimum "
        "means better matches and longer waits.",
        unit="score points",
        minimum=-MOST,
        maximum=MOST,
        source=SOURCE,
    )
    bound: DurationWithUnit = parameter(
        300.0,
        label="Wait limit",
        description="A roster that has waited longer goes before all others, oldest first, and "
        "gets the best fair match available, whatever its score.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        source=SOURCE,
    )
    spread_distance: float = parameter(
        -3.0,
        label="Rating spread",
        description="Added for each point between the highest and the lowest roster in the match. "
        "A roster's place is the middle of its members' ratings.",
        unit="score points",
        minimum=-MOST,
        maximum=MOST,
        source=SOURCE,
    )
    repeat_distance: float = parameter(
        -20.0,
        label="Repeated opponents",
        description="Added for each pair of opponents who were opponents in their last match.",
        unit="score points",
        minimum=-MOST,
        maximum=MOST,
        source=SOURCE,
    )
    rematch_share: float = parameter(
        0.6,
        label="Rematch",
        description="A match is a rematch if more than this share of its pairs of opponents "
        "were opponents in their last match. It is made only for rosters with no "
        "other possible match.",
        unit="share",
        minimum=0.0,
        maximum=1.0,
        source=SOURCE,
        expert=True,
    )
