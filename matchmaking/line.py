"""The queue during a tick: the next target, the tickets still available, and the failed ones.

Source: ``createMatches`` of the GW2 matchmaker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from matchmaking.tick import Tick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline, Match
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Integers

    Section: TypeAlias = slice | Integers

_LONGEST_SECTION = 8192
"""Rosters that the filter reads at a time. It often has enough long before the end of the queue."""


class Line:
    """A queue of T tickets in which targets are tried from the front.

    Untried tickets keep their order, so those behind the target are a range. ``waiting`` (T,) marks
    the tickets that can still be picked. Failed targets go behind all others.
    """

    def __init__(self, length: int, *, failed_available: bool) -> None:
        self.waiting: Booleans = np.ones(length, dtype=np.bool_)
        self._failed: list[int] = []
        self._failed_available = failed_available
        self._untried = 0

    def next_target(self) -> int | None:
        """Take the first untried ticket out of the line and return it, ``None`` at the end."""
        while self._untried < len(self.waiting):
            target = self._untried
            self._untried += 1
            if self.waiting[target]:
                self.waiting[target] = False
                return target
        return None

    def sections(self) -> Iterator[Section]:
        """Yield the line in order, as parts that index arrays with T rows.

        The parts include tickets that are no longer ``waiting``.
        """
        for start in range(self._untried, len(self.waiting), _LONGEST_SECTION):
            yield slice(start, min(start + _LONGEST_SECTION, len(self.waiting)))
        if self._failed_available and self._failed:
            yield np.array(self._failed)

    def remove_matched(self, match: Match) -> None:
        """Remove the tickets of a match from the line."""
        self.waiting[list(match.tickets)] = False

    def move_to_end(self, target: int) -> None:
        """Send a target without a match to the end of the line."""
        self._failed.append(target)
        self.waiting[target] = True

    def remaining(self) -> tuple[int, ...]:
        """Return the remaining tickets: the untried in their order, then the failed in theirs."""
        untried = np.flatnonzero(self.waiting[self._untried :]) + self._untried
        failed = [ticket for ticket in self._failed if self.waiting[ticket]]
        return (*untried.tolist(), *failed)


def tickets(section: Section, chosen: Booleans) -> Integers:
    """Return the tickets of a section of the line for which ``chosen`` is true."""
    found: Integers
    if isinstance(section, slice):
        found = np.flatnonzero(chosen) + section.start
    else:
        found = section[chosen]
    return found


def make_matches(
    queue: Queue,
    rules: Rules,
    attempt: Callable[[int, Line], Match | None],
    deadline: Deadline | None,
) -> Tick:
    """Try to make a match around each of the first rosters, up to the rules' limit.

    Each attempt counts; a roster that joins another's match costs none. The first attempt is made
    even after the deadline, so a queue always makes progress.
    """
    line = Line(len(queue), failed_available=rules.choices.failed_available)
    matches: list[Match] = []
    for tried in range(rules.queue.iteration_rosters):
        if tried and deadline is not None and deadline():
            break
        target = line.next_target()
        if target is None:
            break
        match = attempt(target, line)
        if match is None:
            line.move_to_end(target)
        else:
            line.remove_matched(match)
            matches.append(match)
    return Tick(tuple(matches), line.remaining())
