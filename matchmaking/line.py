"""The waiting line during a tick: who is tried next, who can still be picked, who failed.

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
"""Rosters that the filter looks at in one go: it often has enough long before the last."""


class Line:
    """A queue of T tickets in which targets are tried from the front.

    Who was not tried yet stands in the original order, so behind the target there is a range;
    ``waiting`` (T,) says who can still be picked. Failed targets stand behind everybody else.
    """

    def __init__(self, length: int, *, failed_available: bool) -> None:
        self.waiting: Booleans = np.ones(length, dtype=np.bool_)
        self._failed: list[int] = []
        self._failed_available = failed_available
        self._untried = 0

    def next_target(self) -> int | None:
        """The first in line who was not tried yet, now out of the line; ``None`` at the end."""
        while self._untried < len(self.waiting):
            target = self._untried
            self._untried += 1
            if self.waiting[target]:
                self.waiting[target] = False
                return target
        return None

    def sections(self) -> Iterator[Section]:
        """Who may be in line, in its order: parts that index arrays with T rows."""
        for start in range(self._untried, len(self.waiting), _LONGEST_SECTION):
            yield slice(start, min(start + _LONGEST_SECTION, len(self.waiting)))
        if self._failed_available and self._failed:
            yield np.array(self._failed)

    def matched(self, match: Match) -> None:
        """Everybody of the match leaves the line."""
        self.waiting[list(match.tickets)] = False

    def failed(self, target: int) -> None:
        """No match was found for the target, who goes to the end."""
        self._failed.append(target)
        self.waiting[target] = True

    def left(self) -> tuple[int, ...]:
        """Who is left: the untried in their order, then the failed in theirs."""
        untried = np.flatnonzero(self.waiting[self._untried :]) + self._untried
        failed = [ticket for ticket in self._failed if self.waiting[ticket]]
        return (*untried.tolist(), *failed)


def tickets(section: Section, chosen: Booleans) -> Integers:
    """The tickets of a section of the line for which ``chosen`` holds."""
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
    """Try to make a match around each of the first rosters in line, as many as a tick tries.

    Each attempt counts; a roster taken into another's match costs none. The first is made however
    late it is, so that no queue is ever too long to move.
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
            line.failed(target)
        else:
            line.matched(match)
            matches.append(match)
    return Tick(tuple(matches), line.left())
