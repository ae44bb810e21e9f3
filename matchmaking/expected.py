"""The chance of a team where no rating system gives one: Glickman's expected result.

Source: M. E. Glickman, "The Glicko system", 1999. A team has the average rating and the average
variance (squared deviation) of its players, as in our Glicko-2. The less is known of both teams,
the nearer to one half.
"""

from __future__ import annotations

from math import log, pi
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matchmaking.tick import Match
    from matchmaking.ticket import Queue
    from matchmaking.types import Floats


def win_chance(lead: Floats, variance: Floats, scale: float) -> Floats:
    """Return the chance of teams with this lead in average rating, from 0 to 1.

    ``variance`` is the sum of the average ones of both teams, and ``scale`` the lead that wins ten
    to one between players whose ratings are certain.
    """
    g = 1.0 / np.sqrt(1.0 + 3.0 * variance * (log(10.0) / scale / pi) ** 2)
    chance: Floats = 1.0 / (1.0 + np.power(10.0, -g * np.asarray(lead) / scale))
    return chance


def chance_of(queue: Queue, match: Match, scale: float) -> float:
    """Return the chance of the first team of a match."""
    first, second = queue.take(match.team1), queue.take(match.team2)
    lead = first.rating.mean() - second.rating.mean()
    variance = (first.deviation**2).mean() + (second.deviation**2).mean()
    return float(win_chance(lead, variance, scale))
