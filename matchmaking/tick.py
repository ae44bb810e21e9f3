"""The result of one matcher tick, and the interface of every matcher."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from numpy.random import Generator

    from matchmaking.rules.arena import Rules
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers

TeamNumber = Literal[1, 2]

Deadline = Callable[[], bool]
"""Return whether the time for this tick is used up. The caller has the clock."""


Forecast = Callable[["Integers", "Booleans"], "Floats"]
"""Return the chance (M,) of the first team in each of M matches, NaN where it cannot tell.

The tickets (M, S) are indices in the queue, and the flags (M, S) mark the first team. All matches
have rosters of the same sizes in the same order.
"""


@dataclass(frozen=True)
class Pick:
    """A ticket (its index in the queue) chosen for a team, and its score."""

    ticket: int
    team: TeamNumber
    score: float


@dataclass(frozen=True)
class Match:
    """Two full teams: ticket indices in picking order, the target first in ``team1``.

    ``picks`` does not include the target, which started the match.
    """

    team1: tuple[int, ...]
    team2: tuple[int, ...]
    picks: tuple[Pick, ...] = ()

    @property
    def tickets(self) -> tuple[int, ...]:
        """All tickets, those of team 1 first."""
        return self.team1 + self.team2


@dataclass(frozen=True)
class Tick:
    """The matches in the order they were made, and the remaining tickets in their new order.

    Each ticket index is either in one match or once in ``left``.
    """

    matches: tuple[Match, ...]
    left: tuple[int, ...]


class Matcher(Protocol):
    """Makes matches from a queue. The same arguments give the same tick."""

    def __call__(
        self,
        queue: Queue,
        rules: Rules,
        *,
        now: float,
        generator: Generator | None,
        deadline: Deadline | None = None,
        forecast: Forecast | None = None,
    ) -> Tick:
        """Return the matches at ``now`` (seconds, on the queue's clock).

        ``generator`` is the only source of chance; with ``None`` there is none. With a ``deadline``
        the matcher stops at the first target after the time is used up. A matcher that promises
        fair matches promises them by the ``forecast``.
        """
        ...
