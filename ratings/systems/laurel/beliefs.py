"""The game as its players know it: beliefs besides their strength, which every match moves.

- **spread**: the logarithm of a usual margin, in points of the score for each unit of luck;
- **advantage**: of the first side, in units of luck;
- **calibration**: the logarithm of the slope of forecasts, which are made less certain below 0;
- **trust**: how far a margin is believed beside the winner, as a logit;
- **pace**: the logarithm of how fast ratings move, compared with what deviations alone say.

There is no state but that of players: whoever plays a match shares what they know of the game. A
belief before a match is the mean of its participants' beliefs weighted by their evidence (Fisher
information), and so is the evidence. The match then moves it by one step of scoring::

    belief    <-  belief + gradient / evidence
    evidence  <-  evidence (1 - 1 / REMEMBERED) + information

The gradient and the information are those of the likelihood of the match's result, or of its margin
for the spread. So an arena converges to what all its matches say, a new player takes over what
their first opponent knows, and old matches are forgotten.

Trust and pace act on forecasts only by way of ratings. The derivative of a rating by either is its
**sensitivity**. It is kept for each player and follows the same recursion as the rating (Sutton
1992, algorithm K1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import clip, reduce_rows

if TYPE_CHECKING:
    from ratings.types import Floats

SPREAD, ADVANTAGE, CALIBRATION, TRUST, PACE = range(5)
COUNT = 5
REMEMBERED = 300.0
"""Matches of a player after which a match says little more about the game."""
FIRST_EVIDENCE = np.array([0.0, 0.0, 5.0, 2.0, 1.0])
"""Of newcomers. The advantage has that of its parameter."""
TELLING = 40.0
"""Evidence that players have gathered together, from which a belief is worth telling: that of some
twenty to sixty matches."""
LIMITS = np.array([50.0, 1000.0, 1.5, 6.0, 1.5])
FIRST_MARGIN = 1.25
"""A normal deviation for each unit of a mean absolute difference."""


def pool(beliefs: Floats, evidence: Floats) -> tuple[Floats, Floats]:
    """Return the ``(m, COUNT)`` beliefs and evidence of matches from participants' ``(m, p, …)``.

    The order of participants does not matter.
    """
    total = _sum(evidence)
    some = np.maximum(total, 1e-300)
    pooled = _sum(beliefs * evidence) / some
    plain = _sum(beliefs) / beliefs.shape[1]
    return np.where(total > 0, pooled, plain), total / beliefs.shape[1]


def learn(
    beliefs: Floats, evidence: Floats, gradient: Floats, information: Floats
) -> tuple[Floats, Floats]:
    """Return the beliefs ``(m, COUNT)`` and their evidence after a match."""
    step = gradient / np.maximum(np.maximum(evidence, information), 1e-300)
    moved = clip(beliefs + step, -LIMITS, LIMITS)
    return moved, evidence * (1.0 - 1.0 / REMEMBERED) + information


def _sum(values: Floats) -> Floats:
    """Return ``(m, COUNT)`` sums over participants in an order that does not depend on theirs."""
    return reduce_rows(np.add, np.sort(np.swapaxes(values, 1, 2), axis=-1))
