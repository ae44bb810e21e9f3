"""Chance of each side of a match to come first, given random performances.

Side j's performance is drawn independently from a logistic or normal distribution with mean
``mean_j`` and standard deviation ``deviation_j``. For two sides, the difference of performances is
given the same kind of distribution with the variances added. This is exact for normal
performances, and the Elo-MMR paper's own approximation (section 3.3) for logistic ones. For more
sides, the chance of coming first is ``integral of f_i(x) prod_{j != i} F_j(x) dx``, computed with
the trapezoidal rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy

from ratings.numerics import chances

if TYPE_CHECKING:
    from ratings.types import Floats

Distribution = Literal["logistic", "normal"]

POINTS = 256
"""Sample points of the integrand: more than ten per deviation if the deviations are similar."""
TAIL = 20.0
"""Scales from a mean at which the tails are cut. They hold less than 1e-8 of the total."""

_VALUES_AT_ONCE = 1 << 20


def first_place_chances(mean: Floats, deviation: Floats, distribution: Distribution) -> Floats:
    """Return each side's ``(m, s)`` chance to come first.

    Rows sum to 1 and do not depend on the order of the sides.
    """
    if mean.shape[-1] == 2:
        return _duel(mean, deviation, distribution)
    order = np.lexsort((deviation, mean), axis=-1)
    mean, deviation = (np.take_along_axis(each, order, axis=-1) for each in (mean, deviation))
    sorted_chances = np.empty_like(mean)
    block = max(1, _VALUES_AT_ONCE // (POINTS * mean.shape[-1]))
    for start in range(0, len(mean), block):
        rows = slice(start, start + block)
        sorted_chances[rows] = _sorted_chances(mean[rows], deviation[rows], distribution)
    result = np.empty_like(mean)
    np.put_along_axis(result, order, sorted_chances, axis=-1)
    return result


def _duel(mean: Floats, deviation: Floats, distribution: Distribution) -> Floats:
    lead = (mean[:, 0] - mean[:, 1]) / np.sqrt(deviation[:, 0] ** 2 + deviation[:, 1] ** 2)
    if distribution == "normal":
        return np.stack([scipy.special.ndtr(lead), scipy.special.ndtr(-lead)], axis=-1)
    return np.stack(chances(lead * (np.pi / np.sqrt(3.0))), axis=-1)


def _sorted_chances(mean: Floats, deviation: Floats, distribution: Distribution) -> Floats:
    scale = deviation if distribution == "normal" else deviation * (np.sqrt(3.0) / np.pi)
    # Below `low` every product of F vanishes, above `high` every f.
    tail = TAIL if distribution == "logistic" else np.sqrt(2.0 * TAIL)
    low = (mean - tail * scale).max(axis=-1)
    high = (mean + tail * scale).max(axis=-1)
    at = low[:, None] + (high - low)[:, None] * (np.arange(POINTS) / (POINTS - 1))
    z = (at[:, :, None] - mean[:, None, :]) / scale[:, None, :]
    log_below = scipy.special.log_ndtr(z) if distribution == "normal" else -np.logaddexp(0.0, -z)
    log_density = -0.5 * z * z if distribution == "normal" else -z + 2.0 * log_below
    all_below = log_below.sum(axis=-1, keepdims=True)
    density = np.exp(log_density - log_below + all_below) / scale[:, None, :]
    weight = np.ascontiguousarray(density.transpose(0, 2, 1)).sum(axis=-1)
    return np.asarray(weight / weight.sum(axis=-1, keepdims=True))
