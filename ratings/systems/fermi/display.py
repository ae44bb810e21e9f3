"""What players see of Kreimeier's Fermi rating: a fixed range, odds, and what there is to gain.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Fixed Range Rating" and "Estimation 101". Shown numbers are for the eye: ratings stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.numerics import chances

if TYPE_CHECKING:
    from ratings.types import Floats

TOP = 10_000.0
DISPLAY_SCALE = 0.5
"""Parts of the width. The article's figures are those of 0.5; its "about 0.55" shows 95% of the
players, those within two widths of the mean, on 95% of the range."""


def fixed_range(
    ratings: Floats, *, mean: float, width: float, display_scale: float = DISPLAY_SCALE
) -> Floats:
    """Ratings as numbers from 0 to 10,000, with 5,000 for the ``mean``.

    ``TOP * Fermi(rating - mean, display_scale * width)``: about linear for the majority, crowded at
    the ends. ``width`` is the population's standard deviation, 0 or more in rating points; as it
    goes to 0 all that counts is who is above the mean. ``display_scale`` is above 0. Raises
    ``ValueError`` for others.
    """
    if width < 0 or display_scale <= 0:
        raise ValueError("the width is 0 or more, and the display scale more than 0")
    apart = np.asarray(ratings - mean, dtype=np.float64)
    if width == 0:
        return TOP * (0.5 + 0.5 * np.sign(apart))
    win, _loss = chances(apart / (display_scale * width))
    return TOP * win


def chance_from_fixed_range(own: Floats, other: Floats) -> Floats:
    """The chance to win of players shown at ``own`` against those shown at ``other``.

    Without an exponential function. It is the rating's own expectation only if the display scale
    times the width is the rating's temperature ``T``: the wider the display, the closer to a half.
    Both are from 0 to 10,000, else ``ValueError``; at the same end of the range the chance is a
    half.
    """
    first, second = np.asarray(own) / TOP, np.asarray(other) / TOP
    if not all(((shown >= 0) & (shown <= 1)).all() for shown in (first, second)):
        raise ValueError(f"ratings of a fixed range are from 0 to {TOP:.0f}")
    for_own, for_other = first * (1 - second), second * (1 - first)
    total = for_own + for_other
    known = total > 0
    return np.where(known, for_own / np.where(known, total, 1.0), 0.5)


def expected_gain(win_chance: Floats, max_gain: float) -> Floats:
    """``max_gain * p * (1 - p)`` rating points: the chance to win times what the win would give.

    Greatest for an equal, whom a player choosing an opponent should seek.
    """
    return max_gain * win_chance * (1.0 - win_chance)
