"""Rating periods: which one a match belongs to, and what a player brings into it.

Source: M. E. Glickman, 1999 and 2012: the matches of a period count as played at the same time,
each against the opponent as rated before the period. A player's state is the result of the period
so far; their memory begins with the number of that period, followed by what they brought into it
and the sums of their games in it. The period a player is in ends for them when they first play in a
later one; a result told after that counts in the period that they are in by then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.types import MICROSECONDS_PER_SECOND, NEVER, widen

if TYPE_CHECKING:
    from ratings.types import Floats, Integers, States


def number(times: Integers, period: float) -> Integers:
    """The periods of ``period`` seconds that ``times`` fall into, counted from 1970."""
    return times // round(period * MICROSECONDS_PER_SECOND)


def start(times: Integers, period: float) -> Integers:
    """When those periods began, in microseconds since 1970."""
    return number(times, period) * round(period * MICROSECONDS_PER_SECOND)


def first_columns(memory: Floats, width: int) -> Floats:
    """The first ``width`` columns of ``memory``, NaN where it has fewer."""
    return memory[..., :width] if memory.shape[-1] >= width else widen(memory, width)


def elapsed(states: States, times: Integers, period: float) -> Floats:
    """How many periods later than each player's last one ``times`` are: 0 in it or before.

    The last period is the one in memory, or without one, that of the last match.
    """
    now = number(times, period)
    played = number(np.where(states.last_played == NEVER, times, states.last_played), period)
    remembered = first_columns(states.memory, 1)[..., 0]
    last = np.where(np.isnan(remembered), played, remembered)
    return np.maximum(now - last, 0.0)
