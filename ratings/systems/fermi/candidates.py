"""Duels rated by several candidates of Elo or the Fermi rating, see ``ratings.candidates``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.candidates import Candidates, column, logistic_shares
from ratings.numerics import chances, surprise
from ratings.types import States

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.systems.fermi.system import FermiParameters
    from ratings.types import Floats, Integers


class FermiCandidates(Candidates):
    """Tables of ratings alone."""

    rates_unplayed = False

    def __init__(self, candidates: Sequence[FermiParameters]) -> None:
        self._count = len(candidates)
        self._mean = column(one.mean for one in candidates)
        self._temperature = column(one.T for one in candidates)
        self._max_gain = column(one.max_gain for one in candidates)

    def newcomers(self, players: int) -> Floats:
        return np.full((1, players, self._count), self._mean)

    def chances(self, now: Floats, lead: Floats | float) -> Floats:
        (rating,) = now
        scale = self._temperature
        return logistic_shares((rating[0] + lead) / scale, rating[1] / scale)

    def rate(self, now: Floats, lead: Floats | float, results: Floats, weights: Floats) -> Floats:
        (rating,) = now
        opposition = np.stack([rating[1] - lead, rating[0] + lead])
        win, loss = chances((rating - opposition) / self._temperature)
        stake = self._max_gain * weights
        after: Floats = rating + stake * surprise(win, loss, results)
        return after[None]

    def states(self, table: Floats, games: Integers, last_played: Integers, which: int) -> States:
        states = States.full(len(games), rating=np.nan)
        states.rating[:] = table[0, :, which]
        states.games, states.last_played = games, last_played
        return states
