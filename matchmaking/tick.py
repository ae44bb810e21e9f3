"""What a matcher makes of a queue in one tick, and the form that every matcher has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from numpy.random import Generator

    from matchmaking.rules.arena import Rules
    from matchmaking.ticket import Queue

TeamNumber = Literal[1, 2]

Deadline = Callable[[], bool]
"""Asked between targets: whether the time for this tick is used up. The caller has the clock."""


@dataclass(frozen=True)
class Pick:
    """One ticket (its index in the queue) chosen for a team, and the score that won it the seat."""

    ticket: int
    team: TeamNumber
    score: float


@dataclass(frozen=True)
class Match:
    """Two full teams: ticket indices in the order of picking, the target first in ``team1``.

    ``picks`` leaves out the target, which was not picked but began the match.
    """

    team1: tuple[int, ...]
    team2: tuple[int, ...]
    picks: tuple[Pick, ...] = ()

    @property
    def tickets(self) -> tuple[int, ...]:
        """Everybody's tickets, those of team 1 first."""
        return self.team1 + self.team2


@dataclass(frozen=True)
class Tick:
    """The matches in the order in which they were made, and who is left, in the queue's new order.

    ``left`` holds ticket indices: with the tickets of the matches it has each index once.
    """

    matches: tuple[Match, ...]
    left: tuple[int, ...]


class Matcher(Protocol):
    """Makes matches of a queue. The same arguments give the same tick."""

    def __call__(
        self,
        queue: Queue,
        rules: Rules,
        *,
        now: float,
        generator: Generator | None,
        deadline: Deadline | None = None,
    ) -> Tick:
        """Matches of the queue's tickets at ``now`` (seconds, on the queue's clock).

        ``generator`` is the only source of chance; with ``None`` nothing is left to it. With a
        ``deadline`` the matcher stops at the first target that finds the time used up.
        """
        ...
