"""Display helpers for Kreimeier's Fermi rating: a fixed range, odds and expected gains.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Fixed Range Rating" and "Estimation 101". These numbers are for display and never change ratings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import chances

if TYPE_CHECKING:
    from ratings.types import Floats

TOP = 10_000.0
DISPLAY_SCALE = 0.5
"""Fraction of the width. The article's figures use 0.5. Its "about 0.55" puts 95% of the players,
those within two widths of the mean, on 95% of the range."""


def fixed_range(
    ratings: Floats, *, mean: float, width: float, display_scale: float = DISPLAY_SCALE
) -> Floats:
    """Map ratings to numbers from 0 to 10,000, with 5,000 at the ``mean``.

    Returns ``TOP * Fermi(rating - mean, display_scale * width)``, which is roughly linear for most
    players and compressed at the ends. ``width`` is the population's standard deviation, 0 or more
    rating points. If it is 0, only being above or below the mean counts. ``display_scale`` is above
    0. Raises ``ValueError`` for other values.
    """
    if width < 0 or display_scale <= 0:
        raise ValueError("the width must be 0 or more, and the display scale above 0")
    apart = np.asarray(ratings - mean, dtype=np.float64)
    if width == 0:
        return TOP * (0.5 + 0.5 * np.sign(apart))
    win, _loss = chances(apart / (display_scale * width))
    return TOP * win


def chance_from_fixed_range(own: Floats, other: Floats) -> Floats:
    """Return the chance to win of players displayed at ``own`` against others at ``other``.

    It needs no exponential function. It equals the rating's own expectation only if the display
    scale times the width is the rating's temperature ``T``. The wider the display, the closer it is
    to a half. Both are from 0 to 10,000, else ``ValueError``. At the same end of the range, the
    chance is a half.
    """
    first, second = np.asarray(own) / TOP, np.asarray(other) / TOP
    if not all(((fraction >= 0) & (fraction <= 1)).all() for fraction in (first, second)):
        raise ValueError(f"ratings in a fixed range must be from 0 to {TOP:.0f}")
    for_own, for_other = first * (1 - second), second * (1 - first)
    total = for_own + for_other
    known = total > 0
    return np.where(known, for_own / np.where(known, total, 1.0), 0.5)


def expected_gain(win_chance: Floats, max_gain: float) -> Floats:
    """Return ``max_gain * p * (1 - p)`` rating points: the chance to win times the gain of a win.

    It is largest against an equal opponent.
    """
    return max_gain * win_chance * (1.0 - win_chance)
