"""Rating periods of Glicko and Glicko-2.

Source: M. E. Glickman, 1999 and 2012. The matches of a period count as played at the same time,
each against the opponent as rated before the period. A player's state is the result of the period
so far. Their memory starts with the number of that period, followed by their state from before it
and the sums of their games in it. A player's period ends when they first play in a later one. Later
reports of earlier results count in the period that is then current for the player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.types import MICROSECONDS_PER_SECOND, NEVER, widen

if TYPE_CHECKING:
    from ratings.types import Floats, Integers


def number(times: Integers, period: float) -> Integers:
    """Return the periods of ``period`` seconds that contain ``times``, counted from 1970."""
    return times // round(period * MICROSECONDS_PER_SECOND)


def start(times: Integers, period: float) -> Integers:
    """Return the starts of those periods, in microseconds since 1970."""
    return number(times, period) * round(period * MICROSECONDS_PER_SECOND)


def first_columns(memory: Floats, width: int) -> Floats:
    """Return the first ``width`` columns of ``memory``, filled up with NaN."""
    return memory[..., :width] if memory.shape[-1] >= width else widen(memory, width)


def elapsed_periods(
    memory: Floats, last_played: Integers, times: Integers, period: float
) -> Floats:
    """Return how many periods ``times`` are after each player's last one, at least 0.

    The last period is the one in memory, or otherwise that of the last match.
    """
    now = number(times, period)
    played = number(np.where(last_played == NEVER, times, last_played), period)
    remembered = first_columns(memory, 1)[..., 0]
    last = np.where(np.isnan(remembered), played, remembered)
    return np.maximum(now - last, 0.0)


def between(memory: Floats, last_played: Integers, times: Integers, period: float) -> Floats:
    """Return how many whole periods are between each player's last one and that of ``times``."""
    return np.maximum(elapsed_periods(memory, last_played, times, period) - 1.0, 0.0)
