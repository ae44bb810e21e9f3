"""Game modes: the mode of each match.

All tickets of a match share a mode. So all of its players want every mode that comes into question,
and none of these is better than another: chance draws the mode, each with the same probability.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from matchmaking.shared import Shared

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.random import Generator

    from matchmaking.tick import Match
    from matchmaking.ticket import Queue


def draw_modes(queue: Queue, matches: Iterable[Match], generator: Generator) -> list[str]:
    """Return the mode of each match, empty where its tickets have none.

    The same matches and the same ``generator`` give the same modes.
    """
    wanted, modes = Shared.modes(queue), []
    for match in matches:
        possible = sorted(wanted.by_all(match.tickets))
        place = int(generator.integers(len(possible))) if len(possible) > 1 else 0
        modes.append(possible[place] if possible else "")
    return modes
