"""A yardstick: sort by rating, slide a window, part the closest into the two most even teams.

This is what most small matchmakers do. It has the shortest typical waits and the most even teams
that can be had so simply; it looks at no professions, dishonor, modes, filters or waits, and those
far from all others may wait for ever. It is for comparison only: no arena can choose it.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.tick import Match, Tick

if TYPE_CHECKING:
    from numpy.random import Generator

    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline
    from matchmaking.ticket import Queue

WIDEST = 300.0
"""Effective rating points that a window may span."""


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,  # noqa: ARG001 - every matcher takes one; a window looks at no waits
    generator: Generator | None = None,  # noqa: ARG001 - as above
    deadline: Deadline | None = None,  # noqa: ARG001 - as above
) -> Tick:
    """One tick: the narrowest windows first, until none is narrow enough."""
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
    """First and last place of the narrowest window that has exactly these players."""
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
    """The two teams whose effective ratings differ least."""
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
