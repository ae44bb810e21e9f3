"""Match quality: the figures that matchers are compared by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.expected import chance_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matchmaking.tick import Match
    from matchmaking.ticket import Queue
    from matchmaking.types import Integers

SCALE = 400.0
"""Rating points at which ten wins are expected for each loss."""

FAIR = 0.1
"""Maximum difference of a fair match's win chances from one half."""

LONG = 900.0
"""Seconds above which a wait is long."""


@dataclass(frozen=True)
class Quality:
    """The quality of one match of 2n players.

    ``chance`` is the win chance of the first team by ratings and deviations, ``gap`` the difference
    of the teams' average effective ratings, ``spread`` the highest minus the lowest rating, and
    ``mirror`` the number of professions that the teams do not share, 0 to n. ``mates`` sums, over
    the dishonored players, the other players who are dishonored too; ``companions`` sums all other
    players. ``repeats`` is the share of the pairs of opponents who were opponents in their last
    match.
    """

    chance: float
    gap: float
    spread: float
    mirror: float
    mates: int
    companions: int
    repeats: float

    @property
    def fair(self) -> bool:
        """Whether both teams' win chances are near one half."""
        return abs(self.chance - 0.5) <= FAIR


@dataclass(frozen=True)
class Figures:
    """A matcher's figures over a simulation: waits in seconds, and means over its matches.

    ``long`` is the share of waits over 15 minutes; ``long`` and ``longest`` include the waits of
    tickets still waiting at the end. ``rematches`` is the share of matches in which more than half
    of the pairs of opponents met again.
    """

    matches: float
    median: float
    p95: float
    longest: float
    long: float
    fair: float
    gap: float
    spread: float
    mirror: float
    mates: float
    repeats: float
    rematches: float
    queue: float
    """Average number of tickets in the queue, over the ticks."""


def quality(queue: Queue, match: Match, scale: float = 1.0) -> Quality:
    """Return the quality of a match of the queue's tickets, whose rules have this ``scale``."""
    rows = [_players(queue, team) for team in (match.team1, match.team2)]
    both = np.concatenate(rows)
    first, second = (queue.effective[team].mean() for team in rows)
    counts = [
        np.bincount(queue.profession[team] + 1, minlength=len(queue.professions) + 1)[1:]
        for team in rows
    ]
    dishonored = int((queue.dishonor[both] > 0).sum())
    return Quality(
        chance=chance_of(queue, match, SCALE * scale),
        gap=abs(float(first - second)),
        spread=float(np.ptp(queue.rating[both])),
        mirror=float(len(rows[0]) - np.minimum(*counts).sum()) if len(queue.professions) else 0.0,
        mates=dishonored * (dishonored - 1),
        companions=dishonored * (len(both) - 1),
        repeats=_repeats(queue, match, len(rows[0])),
    )


def figures(
    matches: Sequence[Quality],
    waits: Sequence[float],
    still_waiting: Sequence[float],
    queue_lengths: Sequence[int],
) -> Figures:
    """Return the figures of matches, completed waits, and waits that did not end."""
    longest = max([*waits, *still_waiting], default=0.0)
    long = sum(wait > LONG for wait in [*waits, *still_waiting])
    companions = sum(match.companions for match in matches)
    return Figures(
        matches=len(matches),
        median=float(np.percentile(waits, 50)) if len(waits) else float("nan"),
        p95=float(np.percentile(waits, 95)) if len(waits) else float("nan"),
        longest=longest,
        long=long / max(len(waits) + len(still_waiting), 1),
        fair=_mean([match.fair for match in matches]),
        gap=_mean([match.gap for match in matches]),
        spread=_mean([match.spread for match in matches]),
        mirror=_mean([match.mirror for match in matches]),
        mates=sum(match.mates for match in matches) / companions if companions else float("nan"),
        repeats=_mean([match.repeats for match in matches]),
        rematches=_mean([match.repeats > 0.5 for match in matches]),
        queue=_mean(queue_lengths),
    )


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")


def _players(queue: Queue, team: Sequence[int]) -> Integers:
    return np.concatenate([np.arange(queue.starts[t], queue.starts[t + 1]) for t in team])


def _repeats(queue: Queue, match: Match, team_size: int) -> float:
    first, second = set(match.team1), set(match.team2)
    pairs = {(min(pair), max(pair)) for pair in queue.met.tolist()}
    met = sum(
        int(queue.sizes[one] * queue.sizes[other])
        for one, other in pairs
        if (one in first and other in second) or (one in second and other in first)
    )
    return met / team_size**2
