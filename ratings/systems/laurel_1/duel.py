"""One match of two sides: chances, and what its result says about the lead.

Source: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
comparison experiments", 1970. With a lead d (logistic units) and a draw constant nu::

    win : draw : loss  =  exp(d / 2) : nu : exp(-d / 2)

The lead is not known exactly. It is normal, with a mean and a variance. Chances are averages over
it, and a result moves its mean and variance to those of the posterior. Both are integrals over the
lead, computed by the trapezoid rule on a fixed grid of standard deviations. For smooth integrands
that vanish at both ends, the rule's error falls exponentially with the number of points (Trefethen
and Weideman 2014): it is below 1e-6 for leads of up to four logistic units of uncertainty, which is
700 points of Elo.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ratings.types import Booleans, Floats

POINTS = 41
REACH = 7.0
"""The grid's ends, in standard deviations."""
GRID = np.linspace(-REACH, REACH, POINTS)
NORMAL = np.exp(-0.5 * GRID**2) / np.exp(-0.5 * GRID**2).sum()
"""The weights of the grid's points."""


class Lead(NamedTuple):
    """The first listed side's lead over the second ``(m,)``, in logistic units."""

    mean: Floats
    variance: Floats


class Chances(NamedTuple):
    """Chances of the first listed side ``(m,)``."""

    win: Floats
    draw: Floats
    loss: Floats


class Posterior(NamedTuple):
    """The lead ``(m,)`` after a result."""

    shift: Floats
    """Change of its mean, in units of its variance."""
    shrinkage: Floats
    """Fall of its variance, in units of its square."""


def chances(lead: Lead, nu: Floats) -> Chances:
    """Return the chances over the uncertain ``lead``. Swapping the sides swaps the same bits."""
    behind = lead.mean < 0
    win, draw, loss = _davidson(_grid(_forwards(lead, behind)), nu)
    favourite, even, underdog = ((values * NORMAL).sum(axis=-1) for values in (win, draw, loss))
    total = favourite + even + underdog
    favourite, even, underdog = favourite / total, even / total, underdog / total
    return Chances(
        np.where(behind, underdog, favourite), even, np.where(behind, favourite, underdog)
    )


def posterior(lead: Lead, nu: Floats, result: Floats, weight: Floats) -> Posterior:
    """Return the change of ``lead`` by a ``result``: 1 for a win, ½ for a draw, 0 for a loss.

    A ``weight`` ``(m,)`` counts the match that many times.
    """
    behind = (lead.mean < 0) | ((lead.mean == 0) & (result < 0.5))
    ahead, own = _forwards(lead, behind), np.where(behind, 1.0 - result, result)
    grid = _grid(ahead)
    surprise = (own - 0.5)[:, None] * grid - _log_total(grid, nu)
    likelihood = weight[:, None] * surprise
    mass = np.exp(likelihood - likelihood.max(axis=-1, keepdims=True)) * NORMAL
    total = mass.sum(axis=-1)
    step = (mass * GRID).sum(axis=-1) / total
    spread = (mass * (GRID - step[:, None]) ** 2).sum(axis=-1) / total
    deviation = np.sqrt(ahead.variance)
    shift = step / deviation
    return Posterior(np.where(behind, -shift, shift), (1.0 - spread) / ahead.variance)


def draw_exposure(lead: Lead, nu: Floats) -> Floats:
    """Return ``(m,)`` how many draws were to be expected, for each unit of ``nu``."""
    behind = lead.mean < 0
    grid = _grid(_forwards(lead, behind))
    return np.asarray((np.exp(-_log_total(grid, nu)) * NORMAL).sum(axis=-1))


def _forwards(lead: Lead, behind: Booleans) -> Lead:
    """Return the lead as seen by the side that is ahead, so that the sum's order is the same."""
    return Lead(np.where(behind, -lead.mean, lead.mean), lead.variance)


def _grid(lead: Lead) -> Floats:
    """Return the leads ``(m, POINTS)`` of the grid."""
    return np.asarray(lead.mean[:, None] + np.sqrt(lead.variance)[:, None] * GRID)


def _davidson(lead: Floats, nu: Floats) -> tuple[Floats, Floats, Floats]:
    """Return Davidson's chances of a win, a draw and a loss at each ``(m, k)`` lead."""
    half = np.exp(-0.5 * np.abs(lead))
    drawn = nu[:, None] * half
    total = 1.0 + half**2 + drawn
    favourite, underdog = 1.0 / total, half**2 / total
    ahead = lead >= 0
    return (
        np.where(ahead, favourite, underdog),
        drawn / total,
        np.where(ahead, underdog, favourite),
    )


def _log_total(lead: Floats, nu: Floats) -> Floats:
    """Return ``log(exp(d / 2) + nu + exp(-d / 2))`` without overflow."""
    size = np.abs(lead)
    half = np.exp(-0.5 * size)
    return np.asarray(0.5 * size + np.log1p(half**2 + nu[:, None] * half))
