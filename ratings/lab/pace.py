"""Whether a system and its parameters suit a history: its number of sides, and its pace."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.tunables.durations import UNITS, format_duration
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.system import RatingSystem

PERIOD = "deviation_period"
"""The parameter for the time after which ratings grow uncertain, in systems that have one."""
GENEROUS = 3
"""A period of so many typical gaps leaves regular players their certainty."""


def typical_gap(history: History) -> float:
    """Return the median time between two matches of a player in seconds, NaN without any."""
    counts = np.diff(history.match_offsets)
    times = np.repeat(history.times, counts)
    order = np.lexsort((times, history.player))
    same = np.diff(history.player[order]) == 0
    gaps = np.diff(times[order])[same]
    return float(np.median(gaps)) / MICROSECONDS_PER_SECOND if len(gaps) else float("nan")


def warning(system: RatingSystem, history: History) -> str:
    """Return what to know if a system does not suit a history, empty if it does.

    It may not be meant for matches of two sides, or its ratings grow uncertain between usual
    matches.
    """
    if system.against_two_sides and len(history) and (np.diff(history.side_offsets) == 2).all():
        return system.against_two_sides
    period, gap = system.idle_period, typical_gap(history)
    if period is None or not system.unsettles(gap):
        return ""
    day = UNITS["d"]
    longer = max(round(GENEROUS * gap / day), 1) * day
    return (
        f"Players' matches are typically {gap / day:.1f} days apart, but ratings in {system.label} "
        f"grow uncertain after {format_duration(period)} without one. So no rating becomes "
        f"certain, and each match moves it far. Set {PERIOD} to about "
        f"{format_duration(longer)}, or fit the parameters."
    )
