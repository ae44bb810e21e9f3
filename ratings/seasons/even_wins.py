"""Even wins: what a win over an equal moves a player, the unit of the rules against farming.

The same win moves a rating by 16 points in Elo with a K of 32, by half of the width of the ratings
in Kreimeier's Fermi rating, by a twentieth of a rank in a wager, and by a lot or a little in
systems that know how certain a rating is. So what players have won from each other is counted in
wins over an equal: over a copy of themselves, as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.history import NEITHER
from ratings.types import Batch, States

if TYPE_CHECKING:
    from ratings.system import RatingSystem
    from ratings.types import Floats, Integers

KEPT = 20.0
"""Points of chess won from players without a rank that may stay unconfirmed."""
KEPT_WINS = 1.25
"""The same in even wins, where this is more. With K = 32, both are the same."""


def even_wins(
    system: RatingSystem,
    states: States,
    times: Integers | None = None,
    weights: Floats | None = None,
) -> Floats:
    """Return ``(n,)`` rating points that a win over an equal is worth to each of ``n`` players.

    At the end of the range of ratings, it is what a loss costs. ``times`` and ``weights`` are those
    of the matches, now and 1 by default.
    """
    count = len(states)
    if times is None:
        times = np.maximum(states.last_played, 0)
    both = np.repeat(np.arange(count)[:, None], 2, axis=1)
    before = states.take(both)
    shape = both.shape
    batch = Batch(
        sizes=(1, 1),
        players=np.arange(2 * count).reshape(shape),
        places=np.tile([0, 1], (count, 1)),
        scores=np.full(shape, np.nan),
        seconds=np.full(shape, np.nan),
        quits=np.zeros(shape, np.bool_),
        professions=np.zeros(shape, np.int64),
        times=times,
        weights=np.ones(count) if weights is None else weights,
        perf_ceilings=np.full(count, np.inf),
        first=np.full(count, NEITHER),
    )
    changes = system.rate(before, batch).after.rating - before.rating
    return np.asarray(np.abs(changes).max(axis=1, initial=0.0))


def in_even_wins(gains: Floats, even: Floats) -> Floats:
    """Return gains in even wins. Nothing can be won where nothing moves."""
    return np.divide(gains, even, out=np.zeros(len(gains)), where=even > 0)


def unconfirmed_kept(system: RatingSystem) -> float:
    """Return how many points of chess a player may keep unconfirmed.

    Where ratings have no uncertainty, a stake says how much a result moves, whatever the scale.
    """
    shows = system.shows
    if shows.lowest_first or shows.deviation or shows.volatility:
        return KEPT
    newcomer = system.newcomers(1)
    before = newcomer.rating
    won = system.in_chess(before, before + even_wins(system, newcomer))
    return max(KEPT, KEPT_WINS * float(won[0]))
