"""The games of one match in Glicko and Glicko-2: every side plays every other.

Source: M. E. Glickman, "Parameter estimation in large dynamic paired comparison experiments", 1999,
and "Example of the Glicko-2 system", 2012. His letters are ``g`` (``reliability``), ``E`` (the
expected result) and ``s`` (the actual result).

Between teams the match is played by composites. A side's rating is the mean, sum or maximum of its
members' ratings. Its deviation is their root mean square (for the mean), the root of the sum of
squares (for the sum) or the best member's (for the maximum). A player alone on a side is their own
composite.

The standard error of a mean would be smaller than the root mean square by the root of the team's
size. We keep the larger value, as one result of a team says less about each member than a duel.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ratings.contests.logistic_round import LARGE_MATCH, Expectations, FinishOrder
from ratings.contests.team_strength import of_representatives
from ratings.numerics import (
    TeamStrength,
    chances,
    clip,
    encounter_results,
    opponents,
    per_side,
    surprise,
)
from ratings.systems.fermi.system import shares_of_exp
from ratings.types import Forecast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SCALE = 400 / math.log(10)
"""Rating points per unit of the logistic scale, Glickman's ``1 / q``. He prints 173.7178."""

LARGEST_LEAD = 100.0
"""Leads are limited to this (chances of 4e-44), so that their squares stay finite."""


def reliability(deviation: Floats, scale: float | Floats = SCALE) -> Floats:
    """Return ``g``: from 1 for opponents known exactly down to 0 for unknown ones."""
    return 1.0 / np.sqrt(1.0 + (3.0 / (math.pi * scale) ** 2) * deviation**2)


class Sides(NamedTuple):
    """The sides of matches as one player each, ``(m, s)``."""

    rating: Floats
    deviation: Floats


def composites(rating: Floats, deviation: Floats, sizes: Sequence[int], how: TeamStrength) -> Sides:
    """Return the sides of ``(m, p)`` participants."""
    side_rating = per_side(rating, sizes, how)
    if len(sizes) == rating.shape[-1]:
        return Sides(side_rating, deviation)
    if how in ("max", "min"):
        return Sides(side_rating, of_representatives(deviation, rating, sizes, how))
    return Sides(side_rating, np.sqrt(per_side(deviation**2, sizes, how)))


class Games(NamedTuple):
    """The games of each participant's side, ``(m, p)``, shared by all members."""

    expected: Floats
    """The mean of ``E``."""
    actual: Floats
    """The mean of ``s``."""
    opposition: Floats
    opposition_deviation: Floats
    """Root mean square."""
    surprise: Floats
    """``Σ g (s - E)``."""
    information: Floats
    """``Σ g² E (1 - E)``, above 0."""


def play(own: Floats, others: Sides, batch: Batch, scale: float | Floats = SCALE) -> Games:
    """Play every side of rating ``own`` ``(m, s)`` against every other.

    ``scale`` is a number, or ``(m, 1)`` if the matches have different scales.
    """
    if own.shape[-1] == 2:
        sums = _one_game(own, others, batch.places, scale)
    elif own.shape[-1] < LARGE_MATCH:
        sums = _pair_by_pair(own, others, batch.places, scale)
    else:
        scales = np.broadcast_to(scale, (len(own), 1)).ravel().tolist()
        matches = [
            _large_match(
                own[row],
                Sides(others.rating[row], others.deviation[row]),
                batch.places[row],
                scales[row],
            )
            for row in range(len(own))
        ]
        sums = {name: np.stack([match[name] for match in matches]) for name in SUMS}
    if len(batch.sizes) < batch.players.shape[-1]:
        side_of = batch.side_of
        sums = {name: values[:, side_of] for name, values in sums.items()}
    return Games(**sums)


SUMS = (
    "expected",
    "actual",
    "opposition",
    "opposition_deviation",
    "surprise",
    "information",
)


class Game(NamedTuple):
    """One game of one side, in arrays of any shape."""

    expected: Floats
    """``E``."""
    surprise: Floats
    """``g (s - E)``."""
    information: Floats
    """``g² E (1 - E)``."""


def play_one(
    own: Floats,
    opposition: Floats,
    deviation: Floats,
    result: Floats,
    scale: float | Floats = SCALE,
) -> Game:
    """Play one game of rating ``own`` against an opponent's rating and deviation.

    ``result`` is 1 for a win, ½ for a draw, 0 for a loss. All arrays broadcast.
    """
    trust = reliability(deviation, scale)
    odds = np.exp(clip(trust * (opposition - own) / scale, -LARGEST_LEAD, LARGEST_LEAD))
    win = 1.0 / (1.0 + odds)
    loss = odds * win
    return Game(win, trust * surprise(win, loss, result), trust**2 * win * loss)


def _one_game(
    own: Floats, others: Sides, places: Integers, scale: float | Floats
) -> dict[str, Floats]:
    """Return the sums ``(m, 2)`` for two sides, with one game each."""
    opposition = np.ascontiguousarray(others.rating[:, ::-1])
    deviation = np.ascontiguousarray(others.deviation[:, ::-1])
    result = encounter_results(places, places[:, ::-1])
    game = play_one(own, opposition, deviation, result, scale)
    return {
        "expected": game.expected,
        "actual": result,
        "opposition": opposition,
        "opposition_deviation": deviation,
        "surprise": game.surprise,
        "information": game.information,
    }


def _pair_by_pair(
    own: Floats, others: Sides, places: Integers, scale: float | Floats
) -> dict[str, Floats]:
    """Return sums over each side's games, and means of the displayed values, ``(m, s)``."""
    sums = {name: np.empty_like(own) for name in SUMS}
    count = own.shape[-1] - 1
    scale = scale[..., None] if isinstance(scale, np.ndarray) else scale
    for block, against in opponents(own.shape[-1], len(own)):
        opposition = np.take(others.rating, against, axis=1)
        deviation = np.take(others.deviation, against, axis=1)
        trust = reliability(deviation, scale)
        lead = trust * (own[:, block, None] - opposition) / scale
        win, loss = chances(np.clip(lead, -LARGEST_LEAD, LARGEST_LEAD))
        result = encounter_results(places[:, block, None], np.take(places, against, axis=1))
        sums["expected"][:, block] = win.sum(axis=-1) / count
        sums["actual"][:, block] = result.sum(axis=-1) / count
        sums["opposition"][:, block] = opposition.sum(axis=-1) / count
        sums["opposition_deviation"][:, block] = np.sqrt((deviation**2).sum(axis=-1) / count)
        sums["surprise"][:, block] = (trust * surprise(win, loss, result)).sum(axis=-1)
        sums["information"][:, block] = (trust**2 * win * loss).sum(axis=-1)
    return sums


def _large_match(own: Floats, others: Sides, places: Integers, scale: float) -> dict[str, Floats]:
    """Return the same for one large match, ``(s,)``, by sums over all sides minus one's own."""
    trust = reliability(others.deviation, scale)
    sharpness = trust / scale
    low = float(min(own.min(), others.rating.min()))
    high = float(max(own.max(), others.rating.max()))
    if not Expectations.fits(sharpness, low, high):
        one = Sides(others.rating[None], others.deviation[None])
        sums = _pair_by_pair(own[None], one, places[None], scale)
        return {name: values[0] for name, values in sums.items()}
    count = len(own) - 1
    finish_order = FinishOrder(places)
    everyone = np.ones_like(own)
    win, loss = chances(sharpness * (own - others.rating))
    expected = Expectations(others.rating, sharpness, everyone, low, high).value(own)
    trusted = Expectations(others.rating, sharpness, trust, low, high)
    variance = others.deviation**2
    information = scale * trusted.slope(own) - trust**2 * win * loss
    # A small difference of large numbers is not accurate enough.
    for side in np.flatnonzero(information < 1e-3 * information.max()).tolist():
        lead = np.delete(sharpness * (own[side] - others.rating), side)
        win_one, loss_one = chances(np.clip(lead, -LARGEST_LEAD, LARGEST_LEAD))
        information[side] = (np.delete(trust, side) ** 2 * win_one * loss_one).sum()
    return {
        "expected": (expected - win) / count,
        "actual": (finish_order.wins(everyone) - 0.5) / count,
        "opposition": (others.rating.sum() - others.rating) / count,
        "opposition_deviation": np.sqrt((variance.sum() - variance) / count),
        "surprise": finish_order.wins(trust) - trusted.value(own) - trust * (0.5 - win),
        "information": information,
    }


def forecast(sides: Sides, scale: float | Floats = SCALE) -> Forecast:
    """Predict Glickman's expected result of two sides, counting both deviations.

    With several sides, each side's chance is its share of ``exp(g * rating)``, with g for twice
    their mean variance, which is the same for two sides. Draws are not modelled: a draw is half a
    win.
    """
    # Sort, so that the order of sides does not affect the last digit.
    variance = np.sort(sides.deviation, axis=-1) ** 2
    together = np.sqrt(2.0 * variance.sum(axis=-1, keepdims=True) / sides.rating.shape[-1])
    strength = reliability(together, scale) * sides.rating / scale
    return Forecast(win=shares_of_exp(strength), draw=np.zeros(len(strength)))
