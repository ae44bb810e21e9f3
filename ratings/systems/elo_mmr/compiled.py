"""Small contests of individuals rated by Elo-MMR in compiled code, see ``ratings.compiled``.

This is the arithmetic of ``ratings.systems.elo_mmr.system`` and ``belief`` for sides of one player,
and of ``ratings.contests.performance`` for few sides, operation by operation. Change them together:
the tests compare the bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.compiled.blocks import players_of, put_back
from ratings.compiled.numpy_loops import NumpyLoop, inline, keep, numpy_loop, place_of, value
from ratings.compiled.tanh_sums import Terms, pairwise, terms_of, zero_of
from ratings.contests.performance import LOGISTIC
from ratings.systems.elo_mmr.belief import (
    ALWAYS_KEPT,
    FACTOR,
    HEAD,
    NEGLIGIBLE,
    PADDED,
    TYPICAL_BEND,
)
from ratings.systems.elo_mmr.parameters import SECONDS_PER_DAY
from ratings.systems.elo_mmr.system import NO_LIMIT
from ratings.types import MICROSECONDS_PER_SECOND, NEVER, Matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.systems.elo_mmr.parameters import EloMMRParameters
    from ratings.types import Floats, Integers, States

LOG, TANH = place_of(np.log), place_of(np.tanh)
LOGISTIC_SQUARED = LOGISTIC**2
ROOM = 16
"""Factors for which there is room at first. It is doubled when it is full, so that there is always
room for the length to which a row is padded."""


class Limits(NamedTuple):
    """The needs of matches among the parameters."""

    is_paper: bool
    beta_squared: float
    gamma_squared: float
    """Of the paper's parametrisation."""
    weight: float
    sig_squared: float
    drift_per_day: float
    delays: Floats
    """Factors of newcomers' weights, and 1 for all others."""
    split_ties: bool
    remembers: bool
    """Whether ``rho`` is finite."""
    most: int
    """The most factors before a match's own is added."""


class Beliefs(NamedTuple):
    """The beliefs about ``n`` players, as ``belief.Beliefs``, with room for some factors."""

    centre: Floats
    weight: Floats
    length: Integers
    factors: Floats
    """``(n, FACTOR, room)`` performance, slope and pull of each factor, newest first."""


class Contest(NamedTuple):
    """The sides of one match, ``(s,)`` each."""

    terms: Terms
    variance: Floats
    """Of a strength, including drift."""
    scatter: Floats
    performance: Floats


class Functions(NamedTuple):
    log: NumpyLoop
    tanh: NumpyLoop


def rate_contests(parameters: EloMMRParameters, matches: Matches, table: States) -> None:
    """Rate matches of few individuals into the ``table`` of all players."""
    limits = limits_of(parameters)
    players, beliefs = players_of(table), beliefs_of(table)
    sides = matches.places.shape[-1]
    contest = Contest(terms_of(-8 * (-sides // 8)), *(np.empty(sides) for _ in range(3)))
    functions = Functions(numpy_loop(LOG), numpy_loop(TANH))
    done = 0
    while True:
        terms = terms_of(beliefs.factors.shape[-1])
        done = _rate(limits, functions, matches, players, beliefs, contest, terms, done)
        if done == len(matches.times):
            break
        beliefs = beliefs._replace(factors=np.concatenate([beliefs.factors] * 2, axis=-1))
    put_back(players, table)
    if limits.remembers:
        table.memory = memory_of(beliefs)


def limits_of(parameters: EloMMRParameters) -> Limits:
    is_paper = parameters.parametrisation == "paper"
    return Limits(
        is_paper,
        parameters.beta**2,
        parameters.gamma**2,
        parameters.weight_limit,
        parameters.sig_limit**2,
        parameters.drift_per_day,
        np.append(parameters.noob_delay, 1.0),
        parameters.split_ties,
        not math.isinf(parameters.rho),
        (parameters.history_limit or NO_LIMIT) - 1,
    )


def beliefs_of(table: States) -> Beliefs:
    """Read the beliefs from the memory of a table."""
    count, held = len(table), max(table.memory.shape[-1] - HEAD, 0) // FACTOR
    factors = np.zeros((count, FACTOR, ROOM << (held // ROOM).bit_length()))
    if not held:
        return Beliefs(np.full(count, np.nan), np.empty(count), np.zeros(count, np.int64), factors)
    known = table.memory[:, HEAD : HEAD + FACTOR * held].reshape(count, held, FACTOR)
    factors[:, :, :held] = known.transpose(0, 2, 1)
    length = np.count_nonzero(~np.isnan(known[:, :, 0]), axis=-1)
    return Beliefs(table.memory[:, 0].copy(), table.memory[:, 1].copy(), length, factors)


def memory_of(beliefs: Beliefs) -> Floats:
    """Return the beliefs as a table remembers them."""
    most = int(beliefs.length.max(initial=0))
    memory = np.full((len(beliefs.length), HEAD + FACTOR * most), np.nan)
    there = beliefs.length > 0
    memory[there, 0], memory[there, 1] = beliefs.centre[there], beliefs.weight[there]
    held = np.arange(most) < beliefs.length[:, None]
    for column in range(FACTOR):
        memory[:, HEAD + column :: FACTOR] = np.where(
            held, beliefs.factors[:, column, :most], np.nan
        )
    return memory


@keep
def _rate(
    limits: Limits,
    functions: Functions,
    matches: Matches,
    players: NDArray[np.void],
    beliefs: Beliefs,
    contest: Contest,
    terms: Terms,
    start: int,
) -> int:
    """Rate matches from ``start`` on. Return how many are rated: all, if there was enough room."""
    sides = matches.players.shape[-1]
    for match in range(start, len(matches.times)):
        of_match = matches.players[match]
        for side in range(sides):
            if beliefs.length[of_match[side]] >= beliefs.factors.shape[-1]:
                return match
            for other in range(side):
                if of_match[side] == of_match[other]:
                    raise ValueError("a player appears twice in a match")
        if matches.counts[match]:
            for side in range(sides):
                _prepare(limits, matches, players, contest, match, side)
            for side in range(sides):
                contest.performance[side] = _performance(
                    limits, functions.log, contest, matches.places[match], side
                )
            for side in range(sides):
                ceiling = matches.ceilings[match]
                performance = min(contest.performance[side], ceiling)
                _move(
                    limits,
                    functions,
                    players,
                    beliefs,
                    contest,
                    terms,
                    of_match[side],
                    side,
                    performance,
                )
        for side in range(sides):
            player = players[of_match[side]]
            if matches.played[match]:
                player.games += 1
                player.last_played = max(player.last_played, matches.times[match])
    return len(matches.times)


@inline
def _prepare(
    limits: Limits,
    matches: Matches,
    players: NDArray[np.void],
    contest: Contest,
    match: int,
    side: int,
) -> None:
    """Let a strength drift, and set up the side's performance, as ``Sides.of`` does."""
    player, weight_of = players[matches.players[match, side]], matches.weights[match]
    if limits.is_paper:
        scatter, drifted = limits.beta_squared / weight_of, limits.gamma_squared
    else:
        weight = limits.weight * weight_of
        weight *= limits.delays[min(player.games, len(limits.delays) - 1)]
        drifted = weight * limits.sig_squared
        scatter = (1.0 + 1.0 / weight) * limits.sig_squared
        if limits.drift_per_day > 0.0:
            scatter += limits.drift_per_day / weight
            time = matches.times[match]
            since = time if player.last_played == NEVER else player.last_played
            days = max(time - since, 0) / (MICROSECONDS_PER_SECOND * SECONDS_PER_DAY)
            drifted += limits.drift_per_day * days
    variance = player.deviation * player.deviation + drifted
    contest.variance[side], contest.scatter[side] = variance, scatter
    contest.terms.mean[side] = player.rating
    contest.terms.k[side] = LOGISTIC / math.sqrt(variance + scatter)


@inline
def _performance(
    limits: Limits, log: NumpyLoop, contest: Contest, places: Integers, side: int
) -> float:
    """Return the performance of a side, as ``performance._by_pairs`` does."""
    terms, sides = contest.terms, len(places)
    beaten = beating = tied = 0.0
    for other in range(sides):
        order, k = places[other] - places[side], terms.k[other]
        terms.pull[other] = k
        if order > 0:
            beaten += k
        elif order < 0:
            beating += k
        else:
            tied += k
            if not limits.split_ties:
                terms.pull[other] = 2.0 * k
    if limits.split_ties:
        shift = value(log, (2.0 * beaten + tied) / (2.0 * beating + tied))
    else:
        shift = value(log, (beaten + tied) / (beating + tied))
    low = high = total = terms.mean[0] + shift / terms.k[0]
    for other in range(1, sides):
        around = terms.mean[other] + shift / terms.k[other]
        low, high, total = min(low, around), max(high, around), total + around
    bracket = (total / sides, low, high)
    return zero_of(terms, sides, sides, beaten - beating, (0.0, 0.0), bracket)


@inline
def _pad(length: int) -> int:
    """Return the length to which ``belief`` pads a number of factors."""
    return int(PADDED[np.searchsorted(PADDED, length)])


@inline
def _move(
    limits: Limits,
    functions: Functions,
    players: NDArray[np.void],
    beliefs: Beliefs,
    contest: Contest,
    terms: Terms,
    code: int,
    side: int,
    performance: float,
) -> None:
    """Update a belief with drift and a performance, as ``EloMMR._update`` does."""
    player, factors = players[code], beliefs.factors[code]
    variance, grown = player.deviation * player.deviation, contest.variance[side]
    centre, weight, length = beliefs.centre[code], beliefs.weight[code], beliefs.length[code]
    shrunk = 1.0
    if not limits.remembers:
        centre, weight, length = player.rating, 1.0 / grown, 0
    else:
        if length == 0:
            centre, weight = player.rating, 1.0 / variance
        remaining = variance / grown
        new = (1.0 - remaining) / variance
        total = remaining * weight + new
        share = new / total if total > 0 else 0.0
        centre += share * (player.rating - centre)
        weight = remaining * total
        shrunk = remaining * remaining
    is_long = length > limits.most
    if length > ALWAYS_KEPT:
        oldest = factors[2, length - 1] * shrunk * factors[1, length - 1] / LOGISTIC_SQUARED
        is_long |= oldest * grown < NEGLIGIBLE
    forgotten = length > limits.most
    if is_long:
        centre, weight, length = _compress(
            limits, factors, terms, shrunk, grown, (centre, weight), length
        )
    slope = LOGISTIC / math.sqrt(contest.scatter[side])
    for at in range(length, 0, -1):
        factors[0, at], factors[1, at] = factors[0, at - 1], factors[1, at - 1]
        factors[2, at] = factors[2, at - 1] * shrunk
    factors[0, 0], factors[1, 0], factors[2, 0] = performance, slope, slope
    length += 1
    beliefs.centre[code], beliefs.weight[code], beliefs.length[code] = centre, weight, length
    player.rating = _mode(
        functions.tanh, factors, terms, length, (centre, weight), (player.rating, grown), forgotten
    )
    player.deviation = math.sqrt(1.0 / (1.0 / grown + 1.0 / contest.scatter[side]))
    if not limits.remembers:
        beliefs.length[code] = 0


@inline
def _compress(
    limits: Limits,
    factors: Floats,
    terms: Terms,
    shrunk: float,
    variance: float,
    normal: tuple[float, float],
    length: int,
) -> tuple[float, float, int]:
    """Merge old factors into the normal one. Return its centre and weight, and how many stay."""
    centre, weight = normal
    weights, moments = terms.parts[0], terms.parts[1]
    last = 0
    for at in range(length):
        weights[at] = shrunk * factors[2, at] * factors[1, at] / LOGISTIC_SQUARED
        if weights[at] * variance >= NEGLIGIBLE:
            last = at + 1
    stay = min(last, limits.most, length)
    padded = _pad(length)
    for at in range(padded):
        if at < stay or at >= length:
            weights[at] = moments[at] = 0.0
        else:
            moments[at] = weights[at] * (factors[0, at] - centre)
    folded, moment = pairwise(weights, 0, padded), pairwise(moments, 0, padded)
    total = weight + folded
    centre += moment / total if total > 0 else 0.0
    return centre, total, stay


@inline
def _mode(
    tanh: NumpyLoop,
    factors: Floats,
    terms: Terms,
    length: int,
    normal: tuple[float, float],
    before: tuple[float, float],
    forgotten: bool,
) -> float:
    """Return the mode of a belief, as ``Beliefs._modes`` does."""
    old, variance = before
    newest, slope = factors[0, 0], factors[1, 0]
    flat = value(tanh, (old - newest) * (0.5 * slope))
    bend = TYPICAL_BEND / variance + 0.5 * slope * slope * (1.0 - flat * flat)
    low, high = min(old, newest), max(old, newest)
    for at in range(length):
        terms.mean[at], terms.k[at], terms.pull[at] = factors[0, at], factors[1, at], factors[2, at]
    if forgotten:
        low = high = normal[0]
        for at in range(length):
            low, high = min(low, factors[0, at]), max(high, factors[0, at])
    start = min(max(old - slope * flat / bend, low), high)
    return zero_of(terms, length, _pad(length), 0.0, normal, (start, low, high))
