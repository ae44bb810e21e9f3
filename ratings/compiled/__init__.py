"""Long histories rated in compiled code, in blocks of matches that share no player.

A replay with NumPy rates many matches at once. Where few players play many matches, few can be
rated at once, and most of the time goes to the overhead of NumPy's calls. If Numba is installed,
``replay.final_states`` lets a system with a compiled loop rate the history instead. The results are
the same to the last bit (only a zero may have another sign).
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests import first_side, margins
from ratings.history import NEGLIGIBLE_WEIGHT, History
from ratings.levels import shape_codes
from ratings.matches import Match, Participant, Side
from ratings.types import Batch, Matches

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.system import RatingSystem
    from ratings.types import Loop, States

INSTALLED = find_spec("numba") is not None
FEWEST = 400_000
"""With fewer participants, NumPy is done before Numba has started."""
FEWEST_STARTED = 40_000
"""Enough once the system's loop has run in this process."""
PART = 1_000_000
"""Matches between two calls of ``progress``."""
_started: set[type[RatingSystem]] = set()
"""The systems whose loops have run."""


def rate_all(
    system: RatingSystem,
    history: History,
    table: States,
    progress: Callable[[int], object] | None = None,
) -> bool:
    """Rate a history into the ``table`` of its players, if compiled code can.

    Return whether it did. Raises ``UnsupportedMatch`` before rating anything.
    """
    fewest = FEWEST_STARTED if type(system) in _started else FEWEST
    if len(history.player) < fewest or _is_special(system, history, table):
        return False
    _, shapes = shape_codes(history)
    loop = _loop(system, shapes[0]) if len(shapes) == 1 else None
    if loop is None:
        return False
    system.check_sizes(shapes[0], perf_ceiling=bool(np.isfinite(history.perf_ceilings).any()))
    matches = _matches(system, history, shapes[0])
    for start in range(0, len(history), PART):
        part = matches.part(start, start + PART)
        loop(part, table)
        if progress:
            progress(len(part.times))
    _started.add(type(system))
    return True


def start(system: RatingSystem, sizes: tuple[int, ...] = (1, 1)) -> bool:
    """Compile a system's loop for sides of these sizes now, not at the first long history.

    Return whether there is one.
    """
    loop = _loop(system, sizes)
    if loop is None:
        return False
    sides = [
        Side(place, [Participant(f"{place} {number}") for number in range(size)])
        for place, size in enumerate(sizes)
    ]
    history = History.build([Match("start", 0, sides)])
    loop(_matches(system, history, sizes), system.newcomers(len(history.players)))
    _started.add(type(system))
    return True


def _loop(system: RatingSystem, sizes: tuple[int, ...]) -> Loop | None:
    """Return the loop for matches of these sides. ``None`` if there is none that works here."""
    if not INSTALLED:
        return None
    try:
        return system.compiled_loop(sizes)
    except ImportError:  # Numba does not work with this Python or NumPy
        return None


def _is_special(system: RatingSystem, history: History, table: States) -> bool:
    """Return whether a history needs what compiled loops leave out, such as professions.

    Player codes outside the table are left to NumPy, as compiled code does not check them.
    """
    inside = history.player.min(initial=0) >= 0 and history.player.max(initial=-1) < len(table)
    floats = (table.rating, table.deviation, table.volatility)
    integers = (table.games, table.last_played)
    usual = all(column.dtype == np.float64 for column in floats)
    usual &= all(column.dtype == np.int64 for column in integers)
    return bool(
        not (inside and usual)
        or system.anchors
        or system.ignores_all_tied
        or (system.rates_events and history.events)
        or (len(history.professions) > 1 and history.profession.any())
        or table.memory.shape[-1]
    )


def _matches(system: RatingSystem, history: History, sizes: tuple[int, ...]) -> Matches:
    """Return the history as arrays of fixed types and layout: each loop is compiled only once."""
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
    played = np.ones(count, dtype=np.bool_) if history.played is None else history.played
    weights = np.maximum(margins.weigh(system, batch).weights, NEGLIGIBLE_WEIGHT)
    return Matches(
        players=np.require(batch.players, np.int64, ["C", "W"]),
        places=np.require(batch.places, np.int64, ["C", "W"]),
        seconds=np.require(batch.seconds, np.float64, ["C", "W"]),
        times=np.require(batch.times, np.int64, ["C", "W"]),
        weights=np.require(weights, np.float64, ["C", "W"]),
        counts=history.weights > NEGLIGIBLE_WEIGHT,
        leads=np.zeros(count) if leads is None else leads,
        played=np.require(played, np.bool_, ["C", "W"]),
        ceilings=np.require(batch.perf_ceilings, np.float64, ["C", "W"]),
    )
