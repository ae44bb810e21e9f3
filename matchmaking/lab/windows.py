"""A baseline: sort by rating, slide a window, and split the closest players into even teams.

Most small matchmakers do this. It has the shortest typical waits and the most even teams that so
simple a method can have. It ignores professions, dishonor, modes, filters and waits, and a player
far from all others may wait forever. It is for comparison only: no arena can choose it.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.tick import Match, Tick

if TYPE_CHECKING:
    from numpy.random import Generator

    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline, Forecast
    from matchmaking.ticket import Queue

WIDEST = 300.0
"""Effective rating points that a window may span."""


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,  # noqa: ARG001 - every matcher takes one; a window ignores waits
    generator: Generator | None = None,  # noqa: ARG001 - the same: nothing is drawn
    deadline: Deadline | None = None,  # noqa: ARG001 - the same: it is quick
    forecast: Forecast | None = None,  # noqa: ARG001 - the same: it ignores odds
) -> Tick:
    """Run one tick: the narrowest windows first, until none is narrow enough."""
    free = np.argsort(queue.effective_mean, kind="stable").tolist()
    made: list[Match] = []
    while found := _narrowest(queue, free, 2 * rules.team_size):
        window = free[found[0] : found[1]]
        teams = _best_split(queue, window, rules.team_size)
        if teams:
            made.append(teams)
            del free[found[0] : found[1]]
        else:
            del free[found[0]]
    gone = {ticket for each in made for ticket in each.tickets}
    return Tick(tuple(made), tuple(ticket for ticket in range(len(queue)) if ticket not in gone))


def _narrowest(queue: Queue, free: list[int], players: int) -> tuple[int, int] | None:
    """Return the first and last place of the narrowest window with exactly this many players."""
    best: tuple[int, int] | None = None
    width = WIDEST
    ends = np.concatenate(([0], np.cumsum(queue.sizes[free])))
    for first in range(len(free)):
        last = int(np.searchsorted(ends, ends[first] + players))
        if last < len(ends) and ends[last] == ends[first] + players:
            span = float(queue.effective_mean[free[last - 1]] - queue.effective_mean[free[first]])
            if span <= width:
                best, width = (first, last), span
    return best


def _best_split(queue: Queue, window: list[int], team_size: int) -> Match | None:
    """Return the two teams with the smallest difference in effective rating."""
    best: Match | None = None
    smallest = float("inf")
    total = float(queue.effective_total[window].sum())
    for length in range(1, team_size + 1):
        for others in itertools.combinations(window[1:], length - 1):
            team = [window[0], *others]
            if int(queue.sizes[team].sum()) != team_size:
                continue
            gap = abs(total - 2 * float(queue.effective_total[team].sum()))
            if gap < smallest:
                rest = tuple(ticket for ticket in window if ticket not in team)
                best, smallest = Match(tuple(team), rest), gap
    return best
