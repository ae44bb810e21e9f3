"""Matches of two sides rated by TrueSkill in compiled code.

See ``ratings.compiled``. This is the arithmetic of ``ratings.systems.trueskill.system`` for two
sides and of ``ratings.systems.trueskill.gaussians``, operation by operation. Change both together:
the tests compare the bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from ratings.compiled.blocks import BLOCK, end_of_block, players_of, put_back
from ratings.compiled.numpy_loops import NumpyLoop, apply, inline, keep, numpy_loop, place_of
from ratings.systems.trueskill.gaussians import (
    FAR_OUT,
    FRACTIONS,
    NODES,
    STEEPEST,
    WEIGHTS,
    WIDEST,
)
from ratings.systems.trueskill.system import LEAST_LEFT, LEAST_SHARE, TrueSkill
from ratings.types import Matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.types import Floats, States

ERFCX, EXP = place_of(scipy.special.erfcx), place_of(np.exp)
HALF_ROOT, PEAK = math.sqrt(0.5), math.sqrt(2.0 / math.pi)


class Limits(NamedTuple):
    """The needs of matches among the parameters."""

    beta_squared: float
    drift_squared: float
    seat: float
    """The rating of an empty seat."""
    width: float
    """The draw margin of one player, or of the match if draws have no probability."""
    draws: bool
    """Whether the margin grows with the number of players."""


class Functions(NamedTuple):
    erfcx: NumpyLoop
    """For all sides of a block."""
    erfcx_of_one: NumpyLoop
    exp: NumpyLoop
    """For the nodes of an interval."""


class Block(NamedTuple):
    """Matches as each of their sides sees them, ``(2 BLOCK,)``."""

    lead: Floats
    """Of the side listed first, in standard deviations of the difference."""
    variance: Floats
    """Of the difference of both sides' performances."""
    deviation: Floats
    margin: Floats
    """In standard deviations of the difference."""
    shift: Floats
    ratio: Floats
    """Mean and variance of the truncated difference."""


def rate_two_sides(
    system: TrueSkill, sizes: tuple[int, int], matches: Matches, table: States
) -> None:
    """Rate matches of two sides into the ``table`` of all players."""
    parameters = system.parameters
    limits = Limits(
        parameters.beta**2,
        parameters.drift**2,
        parameters.empty_seat,
        system.margin_of_one(),
        bool(parameters.draw_probability),
    )
    players = players_of(table)
    functions = Functions(
        erfcx=numpy_loop(ERFCX, 2 * BLOCK),
        erfcx_of_one=numpy_loop(ERFCX),
        exp=numpy_loop(EXP, len(NODES)),
    )
    block = Block(*(np.empty(2 * BLOCK) for _ in Block._fields))
    _rate(limits, sizes, functions, matches, players, block)
    put_back(players, table)


@keep
def _rate(
    limits: Limits,
    sizes: tuple[int, int],
    functions: Functions,
    matches: Matches,
    players: NDArray[np.void],
    block: Block,
) -> None:
    seen = np.zeros(len(players), np.int64)
    start = 0
    while start < len(matches.times):
        stop = end_of_block(matches.players, seen, start)
        for match in range(start, stop):
            _start(limits, sizes, matches, players, block, match, 2 * (match - start))
        _learn(functions, matches, block, start, stop)
        for match in range(start, stop):
            _move(limits, sizes, matches, players, block, match, 2 * (match - start))
        start = stop


@inline
def _share_played(seconds: Floats, member: int) -> float:
    """Return a member's share of the longest time played, as ``shares_played`` does."""
    own, longest = seconds[member], 0.0
    for each in seconds:
        longest = max(longest, each)
    return 1.0 if np.isnan(own) or longest == 0.0 else max(own / longest, LEAST_SHARE)


@inline
def _start(
    limits: Limits,
    sizes: tuple[int, int],
    matches: Matches,
    players: NDArray[np.void],
    block: Block,
    match: int,
    row: int,
) -> None:
    """Add up the members, and compare the sides as each of them sees the match."""
    lead, weight = matches.leads[match], matches.weights[match]
    noise = limits.beta_squared / weight
    empty = limits.seat * max(sizes)
    strengths = seen = (0.0, 0.0)
    difference, member = 0.0, 0
    for side in range(2):
        advantage = (lead if side == 0 else -lead) / sizes[side]
        strength = seen_strength = variance = 0.0
        for _each in range(sizes[side]):
            player = players[matches.players[match, member]]
            played = _share_played(matches.seconds[match], member)
            strength += played * (player.rating - limits.seat)
            seen_strength += played * (player.rating + advantage - limits.seat)
            own = player.deviation * player.deviation + limits.drift_squared + noise
            variance += played * played * own
            member += 1
        strengths = (strengths[1], strength + empty)
        seen = (seen[1], seen_strength + empty)
        difference += variance
    deviation = math.sqrt(difference)
    margin = limits.width
    if limits.draws:
        margin = limits.width * math.sqrt(float(sizes[0] + sizes[1]) / weight)
    for side in range(2):
        block.variance[row + side] = difference
        block.deviation[row + side] = deviation
        block.margin[row + side] = margin / deviation
    block.lead[row] = (strengths[0] - seen[1]) / deviation
    block.lead[row + 1] = (seen[0] - strengths[1]) / deviation


@inline
def _learn(functions: Functions, matches: Matches, block: Block, start: int, stop: int) -> None:
    """Truncate the differences, as ``TrueSkill._two_sides`` does."""
    rows = 2 * (stop - start)
    erfcx = functions.erfcx
    for row in range(rows):
        winner = _winner(matches, start + row // 2)
        erfcx.given[row] = HALF_ROOT * min(block.margin[row] - winner * block.lead[row], FAR_OUT)
    apply(erfcx, rows)
    for row in range(rows):
        match = start + row // 2
        winner = _winner(matches, match)
        if winner == 0:
            if row % 2 and matches.leads[match] == 0.0:
                shift, ratio = block.shift[row - 1], block.ratio[row - 1]
            else:
                shift, ratio = _between(functions, -block.lead[row], block.margin[row])
        else:
            x = block.margin[row] - winner * block.lead[row]
            shift, ratio = _above(x, erfcx.found[row])
            shift *= winner
        block.shift[row], block.ratio[row] = shift, ratio


@inline
def _winner(matches: Matches, match: int) -> int:
    """Return 1 if the side listed first has won, -1 if it has lost, 0 after a draw."""
    ahead = matches.places[match, 1] - matches.places[match, 0]
    return 1 if ahead > 0 else -1 if ahead < 0 else 0


@inline
def _above(x: float, scaled: float) -> tuple[float, float]:
    """Return mean and variance as ``gaussians.above`` does, where ``scaled`` is its erfcx."""
    if x > FAR_OUT:
        deeper = 0.0
        for number in range(FRACTIONS, 1, -1):
            deeper = number / (x + deeper)
        excess = 1.0 / (x + deeper)
        return x + excess, excess * (deeper - excess)
    mean = PEAK / scaled
    return mean, 1.0 - mean * (mean - x)


@inline
def _between(functions: Functions, middle: float, width: float) -> tuple[float, float]:
    """Return mean and variance as ``gaussians.between`` does."""
    away = abs(middle)
    if width > WIDEST or away * width > STEEPEST:
        erfcx, x = functions.erfcx_of_one, away - width
        erfcx.given[0] = HALF_ROOT * min(x, FAR_OUT)
        apply(erfcx, 1)
        mean, variance = _above(x, erfcx.found[0])
    else:
        mean, variance = _by_quadrature(functions.exp, away, width)
    return math.copysign(1.0, middle) * mean, variance


@inline
def _by_quadrature(exp: NumpyLoop, middle: float, half_width: float) -> tuple[float, float]:
    """Integrate as ``gaussians._by_quadrature`` does."""
    slope, bend = middle * half_width, 0.5 * (half_width * half_width)
    exponent = exp.given
    for node in range(len(NODES)):
        exponent[node] = -NODES[node] * (slope + bend * NODES[node])
    highest = exponent.max()
    for node in range(len(NODES)):
        exponent[node] -= highest
    apply(exp, len(NODES))
    density = WEIGHTS * exp.found
    total = _sum(density)
    centre = _sum(density * NODES) / total
    away = NODES - centre
    spread = _sum(density * (away * away)) / total
    return middle + half_width * centre, half_width * half_width * spread


@inline
def _sum(numbers: Floats) -> float:
    """Add up 8 n numbers, at most 128, in the order in which NumPy does."""
    part = numbers[:8].copy()
    for start in range(8, len(numbers), 8):
        for lane in range(8):
            part[lane] += numbers[start + lane]
    return float(
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]))
    )


@inline
def _move(
    limits: Limits,
    sizes: tuple[int, int],
    matches: Matches,
    players: NDArray[np.void],
    block: Block,
    match: int,
    row: int,
) -> None:
    """Move all members of both sides, and count the match."""
    counts = matches.counts[match]
    for member in range(sizes[0] + sizes[1]):
        player = players[matches.players[match, member]]
        at = row if member < sizes[0] else row + 1
        if counts:
            push = block.shift[at] / block.deviation[at]
            push = push if member < sizes[0] else -push
            narrowing = (1.0 - block.ratio[at]) / block.variance[at]
            played = _share_played(matches.seconds[match], member)
            variance = player.deviation * player.deviation + limits.drift_squared
            part = played * variance
            left = 1.0 - played * part * narrowing
            player.rating += part * push
            player.deviation = math.sqrt(variance * max(left, LEAST_LEFT))
        if matches.played[match]:
            player.games += 1
            player.last_played = max(player.last_played, matches.times[match])
