"""The Glicko-2 update of many players at once.

Source: M. E. Glickman, "Example of the Glicko-2 system", 2012, with his step numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ratings.numerics import chances, clip
from ratings.systems.glicko.games import SCALE, reliability

if TYPE_CHECKING:
    from ratings.types import Booleans, Floats

CONVERGENCE = 1e-6
"""Glickman's ε: the final width of the bracket of ln(volatility²)."""
NEAR = 1e-5
"""A Newton step in ln(volatility²) that is shorter than this is the last."""
STEEP = -0.5
"""A step is trusted only if the slope of ``τ² f``, which tends to -1, is at most this."""


class Evidence(NamedTuple):
    """The evidence of one period's games about each player, on Glicko-2's own scale."""

    surprise: Floats
    """``Σ g(φ_j) (s_j - E_j)``."""
    information: Floats
    """``1 / v = Σ g(φ_j)² E_j (1 - E_j)``, above 0."""


class Updated(NamedTuple):
    """Players after the period, limited only in volatility."""

    step: Floats
    """Rating points for a full unit of surprise."""
    deviation: Floats
    volatility: Floats


def idle_variance(volatility: Floats) -> Floats:
    """Return the square that step 6 adds to a deviation's, in rating points², for one period."""
    points = SCALE * volatility
    return np.asarray(points * points)


def grown_deviation(
    deviation: Floats, elapsed: Floats, variance: float | Floats, most: float | Floats
) -> Floats:
    """Return deviations after ``elapsed`` periods, each whole one of which adds ``variance``.

    They grow to ``most`` at most. All arrays broadcast.
    """
    grows = elapsed >= 1.0
    if not np.count_nonzero(grows):
        return deviation
    inactive = np.floor(np.maximum(elapsed, 0.0))
    grown = np.minimum(np.sqrt(deviation**2 + inactive * variance), most)
    return np.where(grows, grown, deviation)


def update(
    deviation: Floats,
    volatility: Floats,
    evidence: Evidence,
    *,
    system_constant: float,
    volatility_range: tuple[float | Floats, float | Floats] = (0.0, math.inf),
) -> Updated:
    """Run steps 3 to 8 for players with at least one game. All arrays share one shape.

    The volatility is clamped to ``volatility_range`` as soon as it is known, so the limit also
    applies to what volatility adds to the deviation in step 6.
    """
    phi = deviation / SCALE
    variance = 1.0 / evidence.information
    improvement = variance * evidence.surprise
    sigma = clip(
        new_volatility(phi, volatility, variance, improvement, system_constant), *volatility_range
    )
    pre_period = phi**2 + sigma**2
    phi_squared = 1.0 / (1.0 / pre_period + evidence.information)
    return Updated(
        step=SCALE * phi_squared, deviation=SCALE * np.sqrt(phi_squared), volatility=sigma
    )


def new_volatility(
    phi: Floats, volatility: Floats, variance: Floats, improvement: Floats, system_constant: float
) -> Floats:
    """Run step 5 by one or two Newton steps if they suffice, else by Glickman's own method.

    A step within ``NEAR`` leaves its square as error, far below Glickman's. The second step is that
    short unless a large surprise meets a high volatility.
    """
    known = phi**2 + variance, volatility**2, improvement**2
    step, _ = _newton(system_constant, *known)
    far = ~(np.abs(step) <= NEAR)
    if np.count_nonzero(far):
        step[far] = _further(system_constant, step[far], *(part[far] for part in known))
    return volatility * np.exp(0.5 * step)


def _newton(
    system_constant: float,
    spread: Floats,
    before: Floats,
    improvement_squared: Floats,
    above: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Return Newton's step for ``τ² f`` and the slope, ``above`` the start or at the start.

    ``spread`` is ``φ² + v`` and ``before`` is ``σ²``.
    """
    power = before if above is None else before * np.exp(above)
    total = spread + power
    share = power / total
    excess = improvement_squared / total - 1.0
    half = (0.5 * system_constant**2) * share
    slope = half * (excess - share * (2.0 * excess + 1.0)) - 1.0
    value = -half * excess if above is None else above - half * excess
    # The step is at most twice that for a straight line.
    return value / np.minimum(slope, STEEP), slope


def _further(
    system_constant: float,
    first: Floats,
    spread: Floats,
    before: Floats,
    improvement_squared: Floats,
) -> Floats:
    """Return the log growth ``(n,)`` of squared volatilities, continuing after ``first``."""
    first = clip(first, -1.0, 1.0)
    step, slope = _newton(system_constant, spread, before, improvement_squared, first)
    grown: Floats = first + step
    hard = ~((np.abs(step) <= NEAR) & (slope < STEEP))
    if np.count_nonzero(hard):
        start = np.log(before[hard])
        curve = _Curve(start, improvement_squared[hard], spread[hard], system_constant)
        grown[hard] = _within_bracket(curve) - start
    return grown


def _within_bracket(curve: _Curve) -> Floats:
    """Solve Glickman's step 5 by the Illinois method, until each player's bracket has closed.

    Players with a closed bracket drop out, so nobody's result depends on the other players in the
    arrays.
    """
    low, high = curve.bracket()
    result = low.copy()
    f_low, f_high = curve(low), curve(high)
    open_ = np.arange(low.size)
    while True:
        going = np.abs(high - low) > CONVERGENCE
        if not going.all():
            closed = ~going
            result[open_[closed]] = low[closed]
            if not going.any():
                break
            open_, low, high = open_[going], low[going], high[going]
            f_low, f_high, curve = f_low[going], f_high[going], curve.of_rows(going)
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = curve(middle)
        crossed = f_middle * f_high <= 0
        low = np.where(crossed, high, low)
        f_low = np.where(crossed, f_high, 0.5 * f_low)
        high, f_high = middle, f_middle
    return result


@dataclass(frozen=True)
class _Curve:
    """Step 5's ``f(x)``, whose zero is the logarithm of the new volatility squared."""

    start: Floats
    """``a = ln σ²``."""
    improvement_squared: Floats
    """``Δ²``."""
    spread: Floats
    """``φ² + v``."""
    system_constant: float

    def of_rows(self, rows: Booleans) -> _Curve:
        return _Curve(
            self.start[rows],
            self.improvement_squared[rows],
            self.spread[rows],
            self.system_constant,
        )

    def __call__(self, x: Floats) -> Floats:
        power = np.exp(x)
        total = self.spread + power
        pull = 0.5 * power * (self.improvement_squared - total) / total**2
        return pull - (x - self.start) / self.system_constant**2

    def bracket(self) -> tuple[Floats, Floats]:
        """Return step 5.2's ``A`` and ``B``, on either side of the zero."""
        excess = self.improvement_squared - self.spread
        above = excess > 0
        high = np.log(np.where(above, excess, 1.0))
        if not above.all():
            high = np.where(above, high, self._below_start(~above))
        return self.start, high

    def _below_start(self, wanted: Booleans) -> Floats:
        """Return ``a - kτ`` with the smallest k from 1 for which ``f`` is not negative."""
        high = self.start - self.system_constant
        while (short := wanted & (self(high) < 0)).any():
            high = np.where(short, high - self.system_constant, high)
        return high


@dataclass(frozen=True)
class Period:
    """Players after one rating period, without the limits of a league."""

    rating: Floats
    deviation: Floats
    volatility: Floats


def rate_period(
    rating: ArrayLike,
    deviation: ArrayLike,
    volatility: ArrayLike,
    opponent_ratings: ArrayLike,
    opponent_deviations: ArrayLike,
    results: ArrayLike,
    system_constant: float = 0.5,
) -> Period:
    """Run Glickman's whole procedure: one rating period of k games for each of n players.

    The first three arguments are ``(n,)``. The opponents' and ``results`` (1 for a win, ½ for a
    draw, 0 for a loss) are ``(n, k)``. For one player, pass numbers and ``(k,)`` arrays. No
    league's limits apply.
    """
    ratings = np.atleast_1d(np.asarray(rating, dtype=np.float64))
    deviations = np.atleast_1d(np.asarray(deviation, dtype=np.float64))
    volatilities = np.atleast_1d(np.asarray(volatility, dtype=np.float64))
    games = [
        np.ascontiguousarray(np.atleast_2d(np.asarray(values, dtype=np.float64)))
        for values in (opponent_ratings, opponent_deviations, results)
    ]
    opposition, opposition_deviation, actual = games
    trust = reliability(opposition_deviation)
    win, loss = chances(trust * (ratings[:, None] - opposition) / SCALE)
    evidence = Evidence(
        surprise=(trust * (actual - win)).sum(axis=-1),
        information=(trust**2 * win * loss).sum(axis=-1),
    )
    updated = update(deviations, volatilities, evidence, system_constant=system_constant)
    return Period(
        rating=ratings + updated.step * evidence.surprise,
        deviation=updated.deviation,
        volatility=updated.volatility,
    )
