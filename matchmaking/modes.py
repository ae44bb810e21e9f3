"""Game modes: which tickets share one, and the mode of each match.

All tickets of a match share a mode. So all of its players want every mode that comes into question,
and none of these is better than another: chance draws the mode, each with the same probability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.random import Generator

    from matchmaking.tick import Match
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans

    Modes = frozenset[str]


def shared(queue: Queue, tickets: Iterable[int]) -> Modes:
    """Return the modes that all of these tickets want."""
    return frozenset.intersection(*(queue.mode_sets[queue.mode_codes[one]] for one in tickets))


def fitting(mode_sets: Sequence[Modes], wanted: Modes) -> Booleans:
    """Return which sets of modes share one with ``wanted``; without any, the empty sets do."""
    return np.array([bool(modes & wanted) or modes == wanted for modes in mode_sets], np.bool_)


def drawn(queue: Queue, matches: Iterable[Match], generator: Generator) -> list[str]:
    """Return the mode of each match, empty where its tickets have none.

    The same matches and the same ``generator`` give the same modes.
    """
    modes = []
    for match in matches:
        possible = sorted(shared(queue, match.tickets))
        place = int(generator.integers(len(possible))) if len(possible) > 1 else 0
        modes.append(possible[place] if possible else "")
    return modes
