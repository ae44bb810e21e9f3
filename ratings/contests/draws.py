"""Chances of draws, for systems whose model of a match has none.

Source: R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties in paired
comparison experiments", 1970. With the ratio ``x²`` of both sides' strengths and a constant nu::

    win : draw : loss  =  x² : nu x : 1

Between equals, ``nu / (2 + nu)`` of matches are drawn, so a share of p needs ``nu = 2p / (1 - p)``.

A rating system already says what a side is expected to score, a draw counting as half a win. This
must not change, or forecasts and ratings would contradict each other. So x is chosen such that
``win + draw / 2`` is still that expected score e, which leads to::

    (1 - e) x²  +  nu (1/2 - e) x  -  e  =  0

The further apart the sides, the fewer draws there are. Davidson's own x would be the square root of
``e / (1 - e)`` and change e. Only forecasts know of draws: ratings stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.tunables.parameters import parameter
from ratings.types import Forecast

if TYPE_CHECKING:
    from ratings.system import RatingSystem
    from ratings.types import Floats

MOST = 0.9


def draws() -> Any:
    """Return the declaration of a system's ``draws`` parameter."""
    return parameter(
        0.0,
        label="Draws between equals",
        description="The share of draws that is forecast for two equal sides. The further apart "
        "they are, the fewer draws are expected. What a side is expected to score stays the same, "
        "and so do all ratings. At 0, no draw is forecast.",
        minimum=0,
        maximum=MOST,
        source="Davidson 1970",
    )


def with_draws(system: RatingSystem, forecast: Forecast) -> Forecast:
    """Return the forecast of matches of two sides with the system's share of draws."""
    share = float(getattr(system.parameters, "draws", 0.0))
    if system.knows_draws or not share or forecast.win.shape[-1] != 2:
        return forecast
    return split(forecast.win, 2.0 * share / (1.0 - share))


def split(expected: Floats, nu: float) -> Forecast:
    """Return wins and draws that give both sides these expected scores ``(m, 2)``.

    Swapping the sides swaps the same bits. The equation is solved for ``1 / x`` as seen by the
    favourite, from 0 to 1, in the form without cancellation.
    """
    own, other = expected[:, 0], expected[:, 1]
    favourite, underdog = np.maximum(own, other), np.minimum(own, other)
    slope = 0.5 * nu * (favourite - underdog)
    against = 2.0 * underdog / (slope + np.sqrt(slope * slope + 4.0 * favourite * underdog))
    total = 1.0 + nu * against + against * against
    better, worse = 1.0 / total, against * against / total
    win = np.stack([np.where(own >= other, better, worse), np.where(own >= other, worse, better)])
    # Equals have the same chance to the last bit.
    win[:, own == other] = worse[own == other]
    return Forecast(win=np.ascontiguousarray(win.T), draw=nu * against / total)
