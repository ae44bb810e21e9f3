"""What the matcher ``laurel`` needs to know beyond the published rules, declared once.

The published weights (``MatcherRules``) keep their meaning, for a whole match instead of one seat.
"""

from __future__ import annotations

from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

SOURCE = "Laurel: docs/matchmaking.md"
_MOST = 1e9


class LaurelRules(Parameters):
    """The matcher ``laurel``: what it promises, and what a match must be worth to be made."""

    fairness: float = parameter(
        0.1,
        label="Fairness",
        description="Most by which either team's chance of winning may differ from one half. A "
        "match outside is never made, however long anybody has waited.",
        unit="chance of winning",
        above=0.0,
        maximum=0.5,
        source=SOURCE,
    )
    chance_scale: float = parameter(
        400.0,
        label="Scale of the chance",
        description="Difference of the teams' average effective ratings at which ten wins are "
        "expected for each loss.",
        unit="rating points",
        minimum=1.0,
        maximum=_MOST,
        source="the logistic scale of Elo and Glicko",
    )
    asking: float = parameter(
        0.0,
        label="Asking score",
        description="Score that a match must reach to be made. Waiting adds to the score, so a "
        "higher figure means better matches and longer waits.",
        unit="points of score",
        minimum=-_MOST,
        maximum=_MOST,
        source=SOURCE,
    )
    bound: DurationWithUnit = parameter(
        300.0,
        label="Bound on waiting",
        description="A roster that has waited longer comes before all others, oldest first, and "
        "is given the best fair match that can be found, whatever its score.",
        unit="seconds",
        minimum=0.0,
        maximum=_MOST,
        source=SOURCE,
    )
    spread_distance: float = parameter(
        -3.0,
        label="Spread",
        description="Added for each point between the highest and the lowest rating in the match.",
        unit="points of score",
        minimum=-_MOST,
        maximum=_MOST,
        source=SOURCE,
    )
    repeat_distance: float = parameter(
        -20.0,
        label="Opponents met again",
        description="Added for each pair of opponents who were opponents in their last match.",
        unit="points of score",
        minimum=-_MOST,
        maximum=_MOST,
        source=SOURCE,
    )
    rematch_share: float = parameter(
        0.6,
        label="Rematch",
        description="A match is a rematch when more than this share of its pairs of opponents "
        "were opponents in their last match. It is made only for rosters for which no other "
        "match is possible.",
        unit="share",
        minimum=0.0,
        maximum=1.0,
        source=SOURCE,
    )
