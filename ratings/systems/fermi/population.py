"""Population statistics of Kreimeier's Fermi rating: mean, width, Day One and decay.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Scores To Settle", "The Bell Tolls" and "Closed System". The rating is zero sum, so every change
here is balanced by the other players. Sums are preserved as exactly as floating point allows: to
half a unit in the last place of the smallest rating that could take the rest.

His confidence is a second number next to the rating that never changes it: ``States.games``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import chances

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

DECAY = 0.1
"""The article's value: each period moves a rating a tenth of the way to the mean."""


def measured_mean(ratings: Floats) -> float:
    """Return the mean of one or more ratings, correctly rounded before the division."""
    return math.fsum(ratings) / len(ratings)


def measured_width(ratings: Floats) -> float:
    """Return the standard deviation of ratings (over ``n - 1``), 0 for fewer than two."""
    if len(ratings) < 2:
        return 0.0
    apart = ratings - measured_mean(ratings)
    return math.sqrt(math.fsum(apart**2) / (len(ratings) - 1))


@dataclass(frozen=True)
class Discrimination:
    """The separation of players in a game: the width of their ratings, measured in T."""

    widths: float
    """Standard deviations in units of T: near 0 where chance decides."""
    chance: float
    """The chance of a player one standard deviation above an average player to beat them."""


def discrimination(width: float, temperature: float) -> Discrimination:
    """Return how discriminating a game is whose players' ratings have this standard deviation.

    Source: "Day One": "the width of the distribution we found, relative to the temperature
    parameter T, measures how discriminating the game is".
    """
    win, _loss = chances(np.array([width / temperature]))
    return Discrimination(width / temperature, float(win[0]))


def day_one(count: int, rng: np.random.Generator, *, mean: float, width: float) -> Floats:
    """Return ``(count,)`` random starting ratings with an average of ``mean``.

    They are drawn from a normal distribution with standard deviation ``width`` (0 or more rating
    points, where 0 gives everyone the mean), then shifted together.
    """
    if width < 0:
        raise ValueError(f"the width must be 0 or more rating points; you gave {width}")
    apart = rng.normal(0.0, 1.0, count)
    everyone_at_mean = np.full(count, float(mean))
    if width == 0 or count < 2:
        return everyone_at_mean
    scattered = mean + width * (apart - measured_mean(apart))
    return restore_sum(everyone_at_mean, scattered, np.arange(count))


def decay_ratings(
    ratings: Floats, periods: Integers, *, mean: float, decay: float = DECAY
) -> Floats:
    """Return all ratings ``(n,)`` after absent players' ratings have decayed towards ``mean``.

    ``periods`` ``(n,)`` counts the whole periods each player was absent, 0 for active players. Each
    period moves an absent player's rating the fraction ``decay`` (0 to 1) of the way to the mean,
    down from above the mean and up from below. The difference is spread evenly over the active
    players, so that the sum of all ratings is preserved. Without active players nothing decays.
    """
    if not 0 <= decay <= 1:
        raise ValueError(f"decay must be from 0 to 1; you gave {decay}")
    active = np.flatnonzero(periods == 0)
    if len(active) in {0, len(ratings)}:
        return ratings.copy()
    after = np.where(periods > 0, mean + (1.0 - decay) ** periods * (ratings - mean), ratings)
    after[active] += _sum_difference(ratings, after) / len(active)
    return restore_sum(ratings, after, active)


def restore_sum(before: Floats, after: Floats, among: Integers) -> Floats:
    """Return ``after`` with the sum of ``before``, adding rounding loss to the smallest rating."""
    exact = after.copy()
    while missing := _sum_difference(before, exact):
        finest = among[np.argmin(np.abs(exact[among]))]
        if exact[finest] + missing == exact[finest]:
            break
        exact[finest] += missing
    return exact


def _sum_difference(before: Floats, after: Floats) -> float:
    """Return the sum of ``before`` minus the sum of ``after``, correctly rounded."""
    return math.fsum(np.concatenate([before, -after]))
