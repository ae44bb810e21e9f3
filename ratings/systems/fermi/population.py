"""The population around Kreimeier's Fermi rating: its mean and width, Day One, and decay.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Scores To Settle", "The Bell Tolls" and "Closed System". The rating is zero sum, so whatever is
done to some players here is made up for by the others: sums are kept to the last bit that floating
point allows, half a unit in the last place of the smallest rating that could take the rest.

His confidence is a second number beside the rating that never changes it: ``States.games``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

DECAY = 0.1
"""The article's: a tenth of the way to the mean for each period."""


def measured_mean(ratings: Floats) -> float:
    """The mean of at least one rating, correctly rounded up to the division."""
    return math.fsum(ratings) / len(ratings)


def measured_width(ratings: Floats) -> float:
    """The standard deviation of a population's ratings, over ``n - 1``; 0 for fewer than two."""
    if len(ratings) < 2:
        return 0.0
    apart = ratings - measured_mean(ratings)
    return math.sqrt(math.fsum(apart**2) / (len(ratings) - 1))


def day_one(count: int, rng: np.random.Generator, *, mean: float, width: float) -> Floats:
    """``(count,)`` random ratings to begin with, whose average is ``mean``.

    They are drawn from a normal distribution of standard deviation ``width`` (0 or more, in rating
    points; 0 gives everyone the mean) and then moved together.
    """
    if width < 0:
        raise ValueError(f"a scatter is 0 or more rating points wide, not {width}")
    apart = rng.normal(0.0, 1.0, count)
    everyone_at_mean = np.full(count, float(mean))
    if width == 0 or count < 2:
        return everyone_at_mean
    scattered = mean + width * (apart - measured_mean(apart))
    return with_sum_of(everyone_at_mean, scattered, np.arange(count))


def decayed(ratings: Floats, periods: Integers, *, mean: float, decay: float = DECAY) -> Floats:
    """All ratings ``(n,)`` after those who were away have decayed towards the ``mean``.

    ``periods`` is ``(n,)``, for how many whole periods each player was away: 0 for the active. Each
    period takes an absent rating the part ``decay`` (from 0 to 1) of its way to the mean, which
    lowers it above the mean and raises it below. What that frees or takes is spread evenly over the
    active, so that the sum of all ratings stays; with nobody active there is nobody to spread it
    over, and nothing decays.
    """
    if not 0 <= decay <= 1:
        raise ValueError(f"decay is a part, from 0 to 1, not {decay}")
    active = np.flatnonzero(periods == 0)
    if len(active) in {0, len(ratings)}:
        return ratings.copy()
    after = np.where(periods > 0, mean + (1.0 - decay) ** periods * (ratings - mean), ratings)
    after[active] += _missing(ratings, after) / len(active)
    return with_sum_of(ratings, after, active)


def with_sum_of(before: Floats, after: Floats, among: Integers) -> Floats:
    """``after`` with the sum of ``before``: what rounding lost, in the finest rating ``among``."""
    exact = after.copy()
    while missing := _missing(before, exact):
        finest = among[np.argmin(np.abs(exact[among]))]
        if exact[finest] + missing == exact[finest]:
            break
        exact[finest] += missing
    return exact


def _missing(before: Floats, after: Floats) -> float:
    """The sum of ``before`` minus that of ``after``, correctly rounded."""
    return math.fsum(np.concatenate([before, -after]))
