"""Whole histories rated match by match in compiled code.

A replay with NumPy rates many matches at once. Where few players play many matches, few can be
rated at once, and what each call of NumPy costs is most of the time. If Numba is installed,
``replay.final_states`` lets a system with a compiled loop rate one match after another instead.
The results are the same to the last bit.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests import first_side, margins
from ratings.levels import shape_codes
from ratings.types import Batch, Matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import States

INSTALLED = find_spec("numba") is not None
FEWEST = 200_000
"""With fewer matches, NumPy is done before Numba has started."""
FEWEST_STARTED = 20_000
"""The same once it has started."""
PART = 1_000_000
"""Matches between two calls of ``progress``."""


def rate_all(
    system: RatingSystem,
    history: History,
    table: States,
    progress: Callable[[int], object] | None = None,
) -> bool:
    """Rate a history into the ``table`` of its players, if compiled code can.

    Return whether it did. Raises ``UnsupportedMatch`` before rating anything.
    """
    fewest = FEWEST_STARTED if "numba" in sys.modules else FEWEST
    if not INSTALLED or len(history) < fewest or _is_special(system, history, table):
        return False
    _, shapes = shape_codes(history)
    loop = system.compiled(shapes[0]) if len(shapes) == 1 else None
    if loop is None:
        return False
    system.check(shapes[0], perf_ceiling=bool(np.isfinite(history.perf_ceilings).any()))
    matches = _matches(system, history, shapes[0])
    for start in range(0, len(history), PART):
        part = matches.part(start, start + PART)
        loop(part, table)
        if progress:
            progress(len(part.times))
    return True


def _is_special(system: RatingSystem, history: History, table: States) -> bool:
    """Return whether more than places, weights and sides has to be looked at."""
    return bool(
        system.anchors
        or system.ignores_all_tied
        or (system.rates_events and history.events)
        or (len(history.professions) > 1 and history.profession.any())
        or table.memory.shape[-1]
    )


def _matches(system: RatingSystem, history: History, sizes: tuple[int, ...]) -> Matches:
    count = len(history)
    batch = Batch(
        sizes=sizes,
        players=history.player.reshape(count, -1),
        places=history.places.reshape(count, -1),
        scores=history.scores.reshape(count, -1),
        seconds=history.seconds.reshape(count, -1),
        quits=history.quits.reshape(count, -1),
        professions=history.profession.reshape(count, -1),
        times=history.times,
        weights=history.weights,
        perf_ceilings=history.perf_ceilings,
        first=history.first,
    )
    leads = first_side.leads(system, batch)
    return Matches(
        players=batch.players,
        places=batch.places,
        seconds=batch.seconds,
        times=batch.times,
        weights=margins.weighed(system, batch).weights,
        leads=np.zeros(count) if leads is None else leads,
        played=np.ones(count, dtype=np.bool_) if history.played is None else history.played,
    )
