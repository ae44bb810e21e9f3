"""The odds between entrants, by the present ratings of their captains."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from league.services.core.clock import microseconds
from league.services.rating.rate import states_of
from league.services.results.stakes import ratings_of
from ratings.points.history import side_odds
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import numpy.typing as npt

    from league.models import Entrant, Season

    Floats = npt.NDArray[np.float64]


def odds_between(season: Season, entrants: Sequence[Entrant], now: datetime) -> Floats | None:
    """Return (entrants, entrants) the chance of one to beat another, a draw shared between them.

    ``None`` if the rating system makes no forecasts.
    """
    captains = [entrant.captain.pk for entrant in entrants]
    held, _flags, newcomers = ratings_of(season, [[[captain] for captain in captains]])
    for rows in newcomers:
        held |= rows
    _ids, states = states_of(held[captain] for captain in captains)
    one, other = np.triu_indices(len(entrants), 1)
    times = np.full(len(one), microseconds(now))
    try:
        by_side = side_odds(
            season.system(), states.take(np.stack([one, other], axis=1)), (1, 1), times
        )
    except UnsupportedMatch:
        return None
    win = np.full((len(entrants), len(entrants)), 0.5)
    win[one, other], win[other, one] = by_side[:, 0], by_side[:, 1]
    return win


def odds_of_series(win: Floats, best_of: int) -> Floats:
    """Return the chances to win a series, from those to win each of its games."""
    needed = best_of // 2 + 1
    series: Floats = np.sum(
        [
            comb(best_of, won) * win**won * (1 - win) ** (best_of - won)
            for won in range(needed, best_of + 1)
        ],
        axis=0,
    )
    return series
