"""One match of two sides: chances, and what its result says about the lead.

A lead is the first listed side's over the second, in units of **luck**: the standard deviation of
the difference of two sides' performances in one match. It is known up to a normal error, so the
difference of performances is normal around the lead's mean, with a deviation of
``s = sqrt(1 + variance)``. A side wins if its performance is better by more than a half width,
within which a match is drawn::

    win = Φ((mean - half) / s),  loss = Φ((-mean - half) / s),  draw = the rest

That is the model of Thurstone (1927) and Mosteller (1951) with the draws of Glenn and David (1960),
as in TrueSkill. A result is read in two ways, both as a surprise in units of s, of which no more
than ``MOST_SURPRISING`` counts:

- **By its winner** alone: the mean of a normal difference that is known to be above the half width
  (below or within it), less the lead. Herbrich, Minka and Graepel 2006, table 1.
- **By its margin**, if it has one: a measurement of the difference itself, as margins of scores are
  close to normal around the lead (Stern 1991).

A margin is a finer measurement of the same match, not more matches. How far it is trusted beside
the winner is learnt (``ratings.systems.laurel.beliefs``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr

from ratings.numerics import clip
from ratings.systems.trueskill.gaussians import above, between

if TYPE_CHECKING:
    from ratings.types import Floats

MOST_SURPRISING = 3.0
"""In deviations: no upset and no score moves ratings by more than this."""


class Lead(NamedTuple):
    """The first listed side's lead over the second ``(m,)``, in units of luck."""

    mean: Floats
    variance: Floats

    @property
    def deviation(self) -> Floats:
        """Of the difference of performances."""
        return np.asarray(np.sqrt(1.0 + self.variance))


class Chances(NamedTuple):
    """Chances of the first listed side ``(m,)``."""

    win: Floats
    draw: Floats
    loss: Floats


class Reading(NamedTuple):
    """The meaning of a result ``(m,)`` for the lead, in deviations of the difference."""

    surprise: Floats
    """The difference of performances less the lead."""
    certainty: Floats
    """The share of the difference that is known now: 1 by a margin, less by a winner."""


def chances(lead: Lead, half: Floats) -> Chances:
    """Return the chances with the ``half`` width of draws. Swapped sides swap the same bits."""
    win = ndtr((lead.mean - half) / lead.deviation)
    loss = ndtr((-lead.mean - half) / lead.deviation)
    return Chances(win, np.maximum(1.0 - (win + loss), 0.0), loss)


def read_winner(lead: Lead, half: Floats, result: Floats) -> Reading:
    """Read a ``result``: 1 for a win, ½ for a draw, 0 for a loss of the first listed side."""
    sign = np.where(result < 0.5, -1.0, 1.0)
    mean, variance = above((half - sign * lead.mean) / lead.deviation)
    drawn = result == 0.5
    if drawn.any():
        deviation = lead.deviation[drawn]
        mean[drawn], variance[drawn] = between(
            -lead.mean[drawn] / deviation, half[drawn] / deviation
        )
    return Reading(_limit(sign * mean), 1.0 - variance)


def read_margin(lead: Lead, margin: Floats) -> Reading:
    """Read a ``margin`` of the first listed side in units of luck."""
    surprise = _limit((margin - lead.mean) / lead.deviation)
    return Reading(surprise, np.ones_like(surprise))


def _limit(surprise: Floats) -> Floats:
    return clip(surprise, -MOST_SURPRISING, MOST_SURPRISING)


def exposure(lead: Lead, half: Floats) -> Floats:
    """Return ``(m,)`` how many draws were to be expected, for each unit of the half width."""
    density = np.exp(-0.5 * lead.mean**2 / (1.0 + lead.variance)) / lead.deviation
    narrow = np.sqrt(2.0 / np.pi) * density
    wide = chances(lead, half).draw / np.maximum(half, 1e-6)
    return np.where(half > 1e-6, wide, narrow)
