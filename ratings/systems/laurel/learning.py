"""The lesson of a match about the game: how likely it was, by each belief.

Every function returns the gradient and the information of the beliefs (``(m, COUNT)``), as in
``ratings.systems.laurel.beliefs``, or the new sensitivities of ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.numerics import clip, reduce_rows
from ratings.systems.laurel import duel
from ratings.systems.laurel.beliefs import (
    ADVANTAGE,
    CALIBRATION,
    COUNT,
    FIRST_MARGIN,
    PACE,
    SPREAD,
    TRUST,
)

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats


class Reading(NamedTuple):
    """A result ``(m,)`` of two sides as it is read."""

    lead: duel.Lead
    winner: duel.Reading
    margin: duel.Reading
    measured: Booleans
    """Whether there is a margin in units of luck."""
    trust: Floats
    """In the margin, 0 where there is none."""

    @property
    def surprise(self) -> Floats:
        """In deviations of the difference of performances."""
        return self.winner.surprise + self.trust * (self.margin.surprise - self.winner.surprise)

    @property
    def certainty(self) -> Floats:
        return self.winner.certainty + self.trust * (self.margin.certainty - self.winner.certainty)


def read(lead: duel.Lead, half: Floats, result: Floats, margin: Floats, beliefs: Floats) -> Reading:
    """Read a ``result`` and a ``margin`` in points, NaN without one or before one is known."""
    measured = ~np.isnan(margin)
    units = np.where(measured, margin, 0.0) / np.exp(beliefs[:, SPREAD])
    trust = 1.0 / (1.0 + np.exp(-beliefs[:, TRUST]))
    return Reading(
        lead,
        duel.read_winner(lead, half, result),
        duel.read_margin(lead, units),
        measured,
        np.where(measured, trust, 0.0),
    )


def calibrate(lead: duel.Lead, beliefs: Floats) -> duel.Lead:
    """Return the lead as forecasts see it."""
    return duel.Lead(np.exp(beliefs[:, CALIBRATION]) * lead.mean, lead.variance)


def of_two(
    reading: Reading,
    half: Floats,
    result: Floats,
    beliefs: Floats,
    firsts: Floats,
    slopes: Floats,
) -> tuple[Floats, Floats]:
    """Return gradient and information of a match of two sides.

    ``firsts`` are the signs of the first side, ``slopes`` ``(m, 2)`` the lead's sensitivities.
    """
    lead, winner, deviation = reading.lead, reading.winner, reading.lead.deviation
    gradient, information = np.zeros((2, len(half), COUNT))
    gradient[:, ADVANTAGE] = firsts * reading.surprise / deviation
    information[:, ADVANTAGE] = np.abs(firsts) * reading.certainty / deviation**2
    margin = reading.margin.surprise
    size = (lead.mean / deviation + margin) * margin
    gradient[:, SPREAD] = np.where(reading.measured, size - 1.0, 0.0)
    information[:, SPREAD] = np.where(reading.measured, 2.0, 0.0)
    calibrated = calibrate(lead, beliefs)
    told = duel.read_winner(calibrated, half, result)
    mean = calibrated.mean / deviation
    gradient[:, CALIBRATION] = told.surprise * mean
    information[:, CALIBRATION] = told.certainty * mean**2
    slopes = slopes / deviation[:, None]
    slopes[:, 1] -= lead.mean * lead.variance / (2 * deviation**3)
    gradient[:, TRUST:] = winner.surprise[:, None] * slopes
    information[:, TRUST:] = winner.certainty[:, None] * slopes**2
    return gradient, information


def sensitivity_of_two(reading: Reading, slopes: Floats) -> Floats:
    """Return ``(m, 2)`` how the surprise moves with trust and pace, in deviations.

    What they moved already, ``slopes``, leaves less of the surprise. A faster pace also makes the
    deviation larger, which takes the share of the lead's variance off, as for a margin.
    """
    trust = reading.trust
    by_trust = trust * (1.0 - trust) * (reading.margin.surprise - reading.winner.surprise)
    moved = (reading.certainty / reading.lead.deviation)[:, None] * slopes
    return np.stack([by_trust, reading.surprise / reading.lead.deviation**2], axis=-1) - moved


def of_many(push: Floats, narrowing: Floats, slopes: Floats) -> tuple[Floats, Floats]:
    """Return gradient and information of a match of several sides, of which only the pace learns.

    ``push`` and ``narrowing`` ``(m, s)`` are the first two derivatives of the logarithm of its
    likelihood by the sides' strengths in units of luck, ``slopes`` the strengths' by the pace.
    """
    gradient, information = np.zeros((2, len(push), COUNT))
    gradient[:, PACE] = _sum(push * slopes)
    information[:, PACE] = _sum(narrowing * slopes**2)
    return gradient, information


def first_margins(beliefs: Floats, evidence: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Return beliefs and evidence in which a first margin is what is usual."""
    first = (evidence[:, SPREAD] == 0) & (np.abs(margin) > 0)
    size = np.log(FIRST_MARGIN * np.abs(np.where(first, margin, 1.0)))
    beliefs, evidence = beliefs.copy(), evidence.copy()
    beliefs[:, SPREAD] = np.where(first, clip(size, -50.0, 50.0), beliefs[:, SPREAD])
    evidence[:, SPREAD] = np.where(first, 2.0, evidence[:, SPREAD])
    return beliefs, evidence


def _sum(values: Floats) -> Floats:
    """Return ``(m,)`` sums over participants that do not depend on their order."""
    return reduce_rows(np.add, np.sort(values, axis=-1))
