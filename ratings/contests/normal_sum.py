"""Expected places of all players of a contest, with normally distributed performances.

``S_i = sum_j Phi((rating_j - rating_i) / sqrt(spread_i^2 + spread_j^2))`` has n^2 terms, but each
is a step smoothed by two normal distributions, one per player. In a Fourier series both become
factors. With ``w_n = n pi / H`` for odd n, and H larger than any relevant difference::

    Phi = 1/2 + sum_n 2 / (pi n) exp(-(spread_i^2 + spread_j^2) w_n^2 / 2) sin(w_n (r_j - r_i))

so ``S_i`` is ``n / 2`` plus a sum over the frequencies of the imaginary part of
``conj(z_i) sum_j z_j``, ``z_j = exp(-spread_j^2 w_n^2 / 2 + i w_n r_j)``. The terms fall so fast
that those up to ``w = 6.3 / (smallest spread)`` give all digits of a double.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

if TYPE_CHECKING:
    from ratings.types import Floats

MOST_DIRECT = 128
"""Larger contests are summed by frequencies, smaller ones pair by pair."""
LAST = 6.3
"""``exp(-LAST^2)`` is below the last digit of a double."""
TAIL = 9.0
"""Beyond this many deviations, a normal distribution is below it too."""
_TERMS_AT_ONCE = 1 << 15


def expected_places(rating: Floats, spread: Floats) -> Floats:
    """Return ``(m, n)`` sums of everyone's chance to be ahead, including 1/2 for oneself."""
    if rating.shape[-1] <= MOST_DIRECT:
        return _by_pairs(rating, spread)
    return np.stack([_by_frequencies(rating[row], spread[row]) for row in range(len(rating))])


def _by_pairs(rating: Floats, spread: Floats) -> Floats:
    matches, players = rating.shape
    own_rating, own_variance = rating.reshape(-1), (spread**2).reshape(-1)
    variance = spread**2
    places = np.empty(matches * players)
    block = max(1, _TERMS_AT_ONCE // players)
    for start in range(0, matches * players, block):
        some = slice(start, min(start + block, matches * players))
        match = np.arange(some.start, some.stop) // players
        lead = rating[match] - own_rating[some, None]
        deviation = np.sqrt(variance[match] + own_variance[some, None])
        places[some] = scipy.special.ndtr(lead / deviation).sum(axis=-1)
    return np.asarray(places.reshape(matches, players))


def _by_frequencies(rating: Floats, spread: Floats) -> Floats:
    """Return the ``(n,)`` sums of one contest."""
    range_ = float(rating.max() - rating.min())
    half_period = range_ + TAIL * np.sqrt(2.0) * float(spread.max())
    last = int(LAST / float(spread.min()) * half_period / np.pi) + 1
    if last > len(rating):
        return np.asarray(_by_pairs(rating[None], spread[None])[0])
    angle = (np.pi / half_period) * (rating - rating.min())
    turn, double_turn = np.exp(1j * angle), np.exp(2j * angle)
    exponent = -0.5 * (spread * (np.pi / half_period)) ** 2
    total = np.zeros_like(rating)
    z = np.empty_like(turn)
    for number in range(1, last + 1, 2):
        np.multiply(turn, np.exp(exponent * number**2), out=z)
        whole = complex(z.sum()) * (2.0 / (np.pi * number))
        total += whole.imag * z.real - whole.real * z.imag
        turn *= double_turn
    return np.asarray(total + 0.5 * len(rating))
