"""Duels rated by Glicko-2 in compiled code, see ``ratings.compiled``.

This is the arithmetic of ``ratings.systems.glicko.games`` and ``ratings.systems.glicko2.update``,
operation by operation. Change both together: the tests compare the bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.compiled.blocks import BLOCK, end_of_block, players_of, put_back
from ratings.compiled.numpy_loops import (
    NumpyLoop,
    apply,
    inline,
    keep,
    numpy_loop,
    place_of,
    value,
)
from ratings.systems.glicko.games import LARGEST_LEAD, SCALE
from ratings.systems.glicko2.update import CONVERGENCE, NEAR, STEEP
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, Matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.systems.glicko2.parameters import Glicko2Parameters
    from ratings.types import Floats, States

EXP, LOG = place_of(np.exp), place_of(np.log)
# Of g(phi) in Glickman's step 3, for deviations that are not on Glicko-2's own scale.
DISTRUST = 3.0 / (math.pi * SCALE) ** 2


class Limits(NamedTuple):
    """The needs of duels among the parameters."""

    rating_min: float
    rating_max: float
    rating_max_change: float
    deviation_min: float
    deviation_max: float
    volatility_min: float
    volatility_max: float
    variance: float
    """The addition of each period of inactivity to the square of a deviation."""
    by_volatility: bool
    """Whether it is the player's volatility squared instead."""
    period: float
    """Its length in microseconds."""
    tau: float
    """The system constant."""
    tau_squared: float


class Known(NamedTuple):
    """A player's values as step 5 needs them."""

    spread: float
    """``φ² + v``."""
    before: float
    """``σ²``."""
    improvement_squared: float
    """``Δ²``."""


class Functions(NamedTuple):
    exp: NumpyLoop
    """For all players of a block."""
    exp_of_one: NumpyLoop
    log_of_one: NumpyLoop


class Block(NamedTuple):
    """The players of a block, each next to their opponent; ``(2 BLOCK,)`` each."""

    rating: Floats
    deviation: Floats
    volatility: Floats
    trust: Floats
    """Glickman's g of the opponent."""
    surprise: Floats
    information: Floats
    step: Floats
    """By how much ln(volatility²) grows."""


def rate_duels(parameters: Glicko2Parameters, duels: Matches, table: States) -> None:
    """Rate duels into the ``table`` of all players."""
    tau = parameters.volatility_system_constant
    limits = Limits(
        rating_min=parameters.rating_min,
        rating_max=parameters.rating_max,
        rating_max_change=parameters.rating_max_change,
        deviation_min=parameters.deviation_min,
        deviation_max=parameters.deviation_max,
        volatility_min=parameters.volatility_min,
        volatility_max=parameters.volatility_max,
        variance=parameters.variance_per_period,
        by_volatility=parameters.grows_by_volatility,
        period=parameters.deviation_period * MICROSECONDS_PER_SECOND,
        tau=tau,
        tau_squared=tau**2,
    )
    players = players_of(table)
    functions = Functions(
        exp=numpy_loop(EXP, 2 * BLOCK), exp_of_one=numpy_loop(EXP), log_of_one=numpy_loop(LOG)
    )
    block = Block(*(np.empty(2 * BLOCK) for _ in Block._fields))
    _rate(limits, functions, duels, players, block)
    put_back(players, table)


@keep
def _rate(
    limits: Limits, functions: Functions, duels: Matches, players: NDArray[np.void], block: Block
) -> None:
    seen = np.zeros(len(players), np.int64)
    start = 0
    while start < len(duels.times):
        stop = end_of_block(duels.players, seen, start)
        _start(limits, duels, players, block, start, stop)
        _play(functions.exp, duels, block, start, stop)
        _find_steps(limits, functions, block, 2 * (stop - start))
        _move(limits, functions.exp, duels, players, block, start, stop)
        start = stop


@inline
def _start(
    limits: Limits,
    duels: Matches,
    players: NDArray[np.void],
    block: Block,
    start: int,
    stop: int,
) -> None:
    """Note the players' states, with their deviations after inactivity."""
    for match in range(start, stop):
        time = duels.times[match]
        for side in range(2):
            player, row = players[duels.players[match, side]], 2 * (match - start) + side
            deviation = player.deviation
            if player.last_played != NEVER:
                elapsed = (time - player.last_played) / limits.period
                if elapsed >= 1.0:
                    variance = limits.variance
                    if limits.by_volatility:
                        points = SCALE * player.volatility
                        variance = points * points
                    grown = deviation * deviation + np.floor(elapsed) * variance
                    deviation = min(math.sqrt(grown), limits.deviation_max)
            block.rating[row] = player.rating
            block.deviation[row] = deviation
            block.volatility[row] = player.volatility


@inline
def _play(exp: NumpyLoop, duels: Matches, block: Block, start: int, stop: int) -> None:
    """Note what the games say, as ``games.play_one`` does."""
    for row in range(2 * (stop - start)):
        opponent = row ^ 1
        lead = duels.leads[start + row // 2]
        opposition = block.rating[opponent] + (lead if row % 2 else -lead)
        deviation = block.deviation[opponent]
        block.trust[row] = 1.0 / math.sqrt(1.0 + DISTRUST * (deviation * deviation))
        difference = block.trust[row] * (opposition - block.rating[row]) / SCALE
        exp.given[row] = _clip(difference, -LARGEST_LEAD, LARGEST_LEAD)
    apply(exp, 2 * (stop - start))
    for row in range(2 * (stop - start)):
        match, side = start + row // 2, row % 2
        weight, trust, odds = duels.weights[match], block.trust[row], exp.found[row]
        result = _result(duels.places[match, side], duels.places[match, 1 - side])
        win = 1.0 / (1.0 + odds)
        loss = odds * win
        block.surprise[row] = weight * (trust * (result * loss - (1.0 - result) * win))
        block.information[row] = weight * (trust * trust * win * loss)


@inline
def _find_steps(limits: Limits, functions: Functions, block: Block, rows: int) -> None:
    """Run step 5, as ``update.new_volatility`` does."""
    exp = functions.exp
    for row in range(rows):
        known = _read_known(block, row)
        step, _slope = _newton(limits, known, known.before, 0.0)
        block.step[row] = step
        exp.given[row] = _clip(step, -1.0, 1.0)
    apply(exp, rows)
    for row in range(rows):
        if not abs(block.step[row]) <= NEAR:
            known, first = _read_known(block, row), exp.given[row]
            step, slope = _newton(limits, known, known.before * exp.found[row], first)
            if abs(step) <= NEAR and slope < STEEP:
                block.step[row] = first + step
            else:
                start = value(functions.log_of_one, known.before)
                block.step[row] = _within_bracket(limits, functions, known, start) - start


@inline
def _clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


@inline
def _result(place: int, other_place: int) -> float:
    if place == other_place:
        return 0.5
    return 1.0 if place < other_place else 0.0


@inline
def _read_known(block: Block, row: int) -> Known:
    phi, volatility = block.deviation[row] / SCALE, block.volatility[row]
    variance = 1.0 / block.information[row]
    improvement = variance * block.surprise[row]
    return Known(phi * phi + variance, volatility * volatility, improvement * improvement)


@inline
def _newton(limits: Limits, known: Known, power: float, above: float) -> tuple[float, float]:
    """Return Newton's step and the slope, as ``update._newton`` does."""
    total = known.spread + power
    share = power / total
    excess = known.improvement_squared / total - 1.0
    half = (0.5 * limits.tau_squared) * share
    slope = half * (excess - share * (2.0 * excess + 1.0)) - 1.0
    return (above - half * excess) / min(slope, STEEP), slope


@inline
def _curve(limits: Limits, exp: NumpyLoop, known: Known, start: float, x: float) -> float:
    """Return Glickman's ``f(x)``, where ``start`` is his ``a``."""
    power = value(exp, x)
    total = known.spread + power
    pull = 0.5 * power * (known.improvement_squared - total) / (total * total)
    return pull - (x - start) / limits.tau_squared


@inline
def _within_bracket(limits: Limits, functions: Functions, known: Known, start: float) -> float:
    """Solve step 5 by the Illinois method, as ``update._within_bracket`` does."""
    exp, low = functions.exp_of_one, start
    excess = known.improvement_squared - known.spread
    if excess > 0.0:
        high = value(functions.log_of_one, excess)
    else:
        high = start - limits.tau
        while _curve(limits, exp, known, start, high) < 0.0:
            high -= limits.tau
    f_low = _curve(limits, exp, known, start, low)
    f_high = _curve(limits, exp, known, start, high)
    while abs(high - low) > CONVERGENCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = _curve(limits, exp, known, start, middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low = 0.5 * f_low
        high, f_high = middle, f_middle
    return low


@inline
def _move(
    limits: Limits,
    exp: NumpyLoop,
    duels: Matches,
    players: NDArray[np.void],
    block: Block,
    start: int,
    stop: int,
) -> None:
    """Run steps 6 to 8 within the limits of a league, and count the matches."""
    for row in range(2 * (stop - start)):
        exp.given[row] = 0.5 * block.step[row]
    apply(exp, 2 * (stop - start))
    furthest = limits.rating_max_change
    for row in range(2 * (stop - start)):
        match = start + row // 2
        player = players[duels.players[match, row % 2]]
        if duels.counts[match]:
            phi = block.deviation[row] / SCALE
            sigma = block.volatility[row] * exp.found[row]
            sigma = _clip(sigma, limits.volatility_min, limits.volatility_max)
            pre_period = phi * phi + sigma * sigma
            phi_squared = 1.0 / (1.0 / pre_period + block.information[row])
            change = _clip(SCALE * phi_squared * block.surprise[row], -furthest, furthest)
            player.rating = _clip(player.rating + change, limits.rating_min, limits.rating_max)
            deviation = SCALE * math.sqrt(phi_squared)
            player.deviation = _clip(deviation, limits.deviation_min, limits.deviation_max)
            player.volatility = sigma
        if duels.played[match]:
            player.games += 1
            player.last_played = max(player.last_played, duels.times[match])
