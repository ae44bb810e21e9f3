"""Duels rated by several candidates of Glicko-2 side by side, see ``ratings.candidates``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.candidates import Candidates, column, logistic_shares
from ratings.numerics import clip
from ratings.systems.glicko.games import SCALE, play_one, reliability
from ratings.systems.glicko2.update import Evidence, grown_deviation, idle_variance, update
from ratings.types import MICROSECONDS_PER_SECOND, States

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.systems.glicko2.parameters import Glicko2Parameters
    from ratings.types import Floats, Integers

TABLES = ("rating", "deviation", "volatility")


class Glicko2Candidates(Candidates):
    """Tables of rating, deviation and volatility.

    Ratings by profession are not kept: without a profession ratio they change no other number.
    """

    def __init__(self, candidates: Sequence[Glicko2Parameters]) -> None:
        def each(name: str) -> float | Floats:
            return column(getattr(one, name) for one in candidates)

        self._count = len(candidates)
        self._system_constant = candidates[0].volatility_system_constant
        self._defaults = [each(f"{group}_default") for group in TABLES]
        self._lowest = [each(f"{group}_min") for group in TABLES]
        self._highest = [each(f"{group}_max") for group in TABLES]
        self._furthest = each("rating_max_change")
        self._by_volatility = candidates[0].grows_by_volatility
        self._variance = each("variance_per_period")
        self._period = column(one.deviation_period * MICROSECONDS_PER_SECOND for one in candidates)

    @classmethod
    def of(cls, candidates: Sequence[Glicko2Parameters]) -> Glicko2Candidates | None:
        """Return these candidates if they rate match by match with one τ and one growth, else
        ``None``."""
        by_match = all(
            one.update == "match" and not one.rating_profession_ratio for one in candidates
        )
        shared = {(one.volatility_system_constant, one.deviation_growth) for one in candidates}
        return cls(candidates) if by_match and len(shared) == 1 else None

    def newcomers(self, players: int) -> Floats:
        table = np.empty((len(TABLES), players, self._count))
        for row, default in zip(table, self._defaults, strict=True):
            row[:] = default
        return table

    def at(self, before: Floats, idle: Integers) -> Floats:
        variance = idle_variance(before[2]) if self._by_volatility else self._variance
        before[1] = grown_deviation(before[1], idle / self._period, variance, self._highest[1])
        return before

    def chances(self, now: Floats, lead: Floats | float) -> Floats:
        rating, deviation, _volatility = now
        first, second = deviation**2
        trust = reliability(np.sqrt(2.0 * (first + second) / 2))
        return logistic_shares(trust * (rating[0] + lead) / SCALE, trust * rating[1] / SCALE)

    def rate(self, now: Floats, lead: Floats | float, results: Floats, weights: Floats) -> Floats:
        rating, deviation, volatility = now
        opposition = np.stack([rating[1] - lead, rating[0] + lead])
        game = play_one(rating, opposition, deviation[::-1], results)
        evidence = Evidence(weights * game.surprise, weights * game.information)
        updated = update(
            deviation,
            volatility,
            evidence,
            system_constant=self._system_constant,
            volatility_range=(self._lowest[2], self._highest[2]),
        )
        change = clip(updated.step * evidence.surprise, -self._furthest, self._furthest)
        after = np.empty_like(now)
        after[0] = clip(rating + change, self._lowest[0], self._highest[0])
        after[1] = clip(updated.deviation, self._lowest[1], self._highest[1])
        after[2] = updated.volatility
        return after

    def states(self, table: Floats, games: Integers, last_played: Integers, which: int) -> States:
        rating, deviation, volatility = np.ascontiguousarray(table[..., which])
        empty = np.empty((len(games), 0))
        return States(rating, deviation, volatility, games, last_played, empty)
