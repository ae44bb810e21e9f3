"""Forecasts corrected by a slope that was fitted to earlier matches only.

A system can be too certain, or too cautious. Then a power of its chances, normalised to a sum of 1,
fits better (``ratings.lab.slopes``). For two sides it is ``logit(p') = slope logit(p)``, which
never changes the favourite. The power of each match is fitted to earlier matches only, so that no
result can influence its own forecast, or an earlier one.

With few matches, the best power is mostly chance. So powers have a normal prior around 1, with a
deviation of ``SPREAD``. After a hundred matches or so, the matches decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.lab.slopes import Sides

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

SPREAD = 0.5
FEWEST = 10
"""The number of earlier matches that a fit needs."""
GROWTH = 1.05
"""The power is fitted again once the number of earlier matches has grown by this factor."""
LEAST, MOST = 0.05, 5.0
"""Bounds of the power."""
STEPS = 50
NEAR = 1e-9


@dataclass(frozen=True)
class Corrected:
    """Corrected forecasts of ``M`` matches with ``S`` sides."""

    power: Floats
    """``(M,)`` the power that corrected each match."""
    chance: Floats
    """``(S,)``."""


def correct(chance: Floats, places: Integers, counts: Integers, days: Integers) -> Corrected:
    """Correct the chances of matches, in the order in which their results became known.

    Args:
        chance: ``(S,)`` each side's chance to come first, draws shared evenly.
        places: ``(S,)``, 0 is best.
        counts: ``(M,)`` sides of each match.
        days: ``(M,)`` on which they were played. A match is corrected by those that became known
            before it, up to the first one that was not played on an earlier day.
    """
    known = known_before(days)
    fitted = positions(int(known.max(initial=0)))
    starts = np.cumsum(counts) - counts
    powers, power = [1.0], 1.0
    for stop in fitted:
        end = int(starts[stop - 1] + counts[stop - 1])
        power = fitted_power(Sides.of_matches(chance[:end], places[:end], counts[:stop]), power)
        powers.append(power)
    power_of = np.array(powers)[np.searchsorted(fitted, known, side="right")]
    if not len(counts):
        return Corrected(power_of, np.empty(0))
    everyone = Sides.of_matches(chance, places, counts)
    return Corrected(power_of, everyone.lift(np.repeat(power_of, counts)))


def known_before(days: Integers) -> Integers:
    """Return ``(M,)`` how many of the first matches may correct each match."""
    latest = np.maximum.accumulate(days)
    return np.minimum(np.searchsorted(latest, days, side="left"), np.arange(len(days)))


def positions(most: int) -> list[int]:
    """Return the numbers of earlier matches, up to ``most``, at which a power is fitted."""
    found, count = [], FEWEST
    while count <= most:
        found.append(count)
        count = max(count + 1, int(GROWTH * count))
    return found


def fitted_power(sides: Sides, start: float = 1.0) -> float:
    """Return the most probable power, by Newton's method within the bounds.

    The logarithm of its probability is concave, so there is one.
    """
    power = start
    for _ in range(STEPS):
        slope = sides.derivative(power) - (power - 1.0) / SPREAD**2
        step = slope / (sides.curvature(power) + 1.0 / SPREAD**2)
        before, power = power, min(max(power + min(max(step, -0.5), 0.5), LEAST), MOST)
        if abs(power - before) <= NEAR:
            break
    return power
