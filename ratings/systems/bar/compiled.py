"""Matches of two sides rated by BAR in compiled code, see ``ratings.compiled``.

This is the arithmetic of ``ratings.systems.bar.system`` for two sides, operation by operation.
Change both together: the tests compare the bits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.compiled.blocks import BLOCK, end_of_block, players_of, put_back
from ratings.compiled.numpy_loops import NumpyLoop, apply, inline, keep, numpy_loop, place_of
from ratings.contests.performance import LOGISTIC
from ratings.types import Matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.systems.bar.system import BarParameters
    from ratings.types import Floats, States


EXP = place_of(np.exp)


class Limits(NamedTuple):
    """The needs of matches among the parameters."""

    beta_squared: float
    drift_squared: float
    kappa: float


class Block(NamedTuple):
    """The sides of a block, each next to the other side of its match; ``(2 BLOCK,)`` each."""

    strength: Floats
    opposition: Floats
    """The other side's strength, as this side sees it."""
    variance: Floats
    lead: Floats
    """In units of the logistic scale."""
    doubt: Floats
    pull: Floats
    information: Floats


def rate_two_sides(
    parameters: BarParameters, sizes: tuple[int, int], matches: Matches, table: States
) -> None:
    """Rate matches of two sides into the ``table`` of all players."""
    limits = Limits(parameters.beta**2, parameters.drift**2, parameters.kappa)
    players = players_of(table)
    block = Block(*(np.empty(2 * BLOCK) for _ in Block._fields))
    _rate(limits, sizes, numpy_loop(EXP, 2 * BLOCK), matches, players, block)
    put_back(players, table)


@keep
def _rate(
    limits: Limits,
    sizes: tuple[int, int],
    exp: NumpyLoop,
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
        _play(limits, exp, matches, block, start, stop)
        for match in range(start, stop):
            _move(limits, sizes, matches, players, block, match, 2 * (match - start))
        start = stop


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
    """Add up the members of both sides of a match."""
    lead, member = matches.leads[match], 0
    for side in range(2):
        advantage = (lead if side == 0 else -lead) / sizes[side]
        strength = seen_strength = variance = 0.0
        for _each in range(sizes[side]):
            player = players[matches.players[match, member]]
            strength += player.rating
            seen_strength += player.rating + advantage
            variance += player.deviation * player.deviation + limits.drift_squared
            member += 1
        block.strength[row + side] = strength
        block.opposition[row + 1 - side] = seen_strength
        block.variance[row + side] = variance


@inline
def _play(
    limits: Limits, exp: NumpyLoop, matches: Matches, block: Block, start: int, stop: int
) -> None:
    """Note each side's pull and information, as ``Bar.rate`` does."""
    rows = 2 * (stop - start)
    for row in range(rows):
        noise = 2.0 * (limits.beta_squared / matches.weights[start + row // 2])
        block.doubt[row] = math.sqrt(block.variance[row] + block.variance[row ^ 1] + noise)
        difference = LOGISTIC * (block.strength[row] - block.opposition[row])
        block.lead[row] = difference / block.doubt[row]
        block.information[row] = 0.25 / (block.variance[row] + noise)
        exp.given[row] = -abs(block.lead[row])
    apply(exp, rows)
    for row in range(rows):
        match, side = start + row // 2, row % 2
        place, other_place = matches.places[match, side], matches.places[match, 1 - side]
        result = 0.5 if place == other_place else 1.0 if place < other_place else 0.0
        favourite = 1.0 / (1.0 + exp.found[row])
        underdog = exp.found[row] * favourite
        ahead = block.lead[row] >= 0.0
        win, loss = (favourite, underdog) if ahead else (underdog, favourite)
        block.pull[row] = (result * loss - (1.0 - result) * win) / block.doubt[row] * 0.5


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
        side_row = row if member < sizes[0] else row + 1
        if counts:
            variance = player.deviation * player.deviation + limits.drift_squared
            left = max(1.0 - variance * block.information[side_row], limits.kappa)
            player.rating += variance * block.pull[side_row]
            player.deviation = math.sqrt(variance * left)
        if matches.played[match]:
            player.games += 1
            player.last_played = max(player.last_played, matches.times[match])
