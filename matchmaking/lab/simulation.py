"""A league in simulated time: parties arrive, queue, play, rest, queue again, and leave.

The same workload and seed give every matcher the same parties at the same times; only the matches
differ. A tick takes no simulated time.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.lab.quality import Figures, Quality, figures, quality
from matchmaking.lab.workload import parties
from matchmaking.ticket import Queue, Ticket

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matchmaking.lab.workload import Workload
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Match, Matcher
    from matchmaking.ticket import Player
    from matchmaking.types import Integers


@dataclass
class Run:
    """The record of one simulation after its warm-up.

    ``times`` and ``matches`` have an entry per match; ``waits`` (seconds) and ``ratings`` (mean
    rating) have one per matched ticket; ``still_waiting`` are the waits of the tickets in the queue
    at the end; ``queue_lengths`` are the tickets before each tick.
    """

    times: list[float] = field(default_factory=list)
    matches: list[Quality] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    ratings: list[float] = field(default_factory=list)
    still_waiting: list[float] = field(default_factory=list)
    queue_lengths: list[int] = field(default_factory=list)

    def figures(self) -> Figures:
        """Return the figures that matchers are compared by."""
        return figures(self.matches, self.waits, self.still_waiting, self.queue_lengths)


@dataclass(frozen=True)
class _Waiting:
    """A party in the queue, and the time when it queued."""

    party: int
    since: float


class League:
    """A league in simulated time, one tick after another."""

    def __init__(
        self, workload: Workload, rules: Rules, seed: int, known: Sequence[Player] = ()
    ) -> None:
        people, chance, matcher = np.random.default_rng(seed).spawn(3)
        self.now = 0.0
        self.run = Run()
        self._workload, self._rules = workload, rules
        self._chance, self._matcher_chance = chance, matcher
        self.parties = parties(workload, people, known, rules.team_size)
        self.queue: list[_Waiting] = []
        """The waiting parties, in queue order."""
        self.coming: list[tuple[float, int]] = [
            (party.arrives, number) for number, party in enumerate(self.parties)
        ]
        """A heap of (time, party) for the next time each other party queues."""
        self.left: set[int] = set()
        """Parties whose session is over."""
        self._last_sides: dict[int, tuple[int, int]] = {}
        self._matches = 0

    def tick(self, matcher: Matcher, seconds: float) -> list[Match]:
        """Let this much time pass, then make matches."""
        self.now += seconds
        self._join()
        queue = self.snapshot()
        tick = matcher(queue, self._rules, now=self.now, generator=self._matcher_chance)
        counted = self.now > self._workload.warm_up
        if counted:
            self.run.queue_lengths.append(len(queue))
        for match in tick.matches:
            self._play(queue, match, counted=counted)
        self.queue = [self.queue[ticket] for ticket in tick.left]
        return list(tick.matches)

    def snapshot(self) -> Queue:
        """Return the queue as a matcher sees it."""
        queue = Queue.of([self._ticket(waiting) for waiting in self.queue])
        return replace(queue, met=self._last_opponents())

    def finish(self) -> Run:
        """Return the record, including the tickets still waiting."""
        self.run.still_waiting = [self.now - waiting.since for waiting in self.queue]
        return self.run

    def _join(self) -> None:
        """Let the parties that are due queue, or leave if their session is over."""
        while self.coming and self.coming[0][0] <= self.now:
            time, number = heapq.heappop(self.coming)
            if time > self.parties[number].leaves:
                self.left.add(number)
            else:
                self.queue.append(_Waiting(number, time))

    def _ticket(self, waiting: _Waiting) -> Ticket:
        party = self.parties[waiting.party]
        return Ticket(
            waiting.party, waiting.since, party.players, party.modes, regions=party.regions
        )

    def _last_opponents(self) -> Integers:
        """Return the pairs of tickets that were opponents in the last match of both."""
        sides: dict[int, tuple[list[int], list[int]]] = {}
        for ticket, waiting in enumerate(self.queue):
            if waiting.party in self._last_sides:
                match, side = self._last_sides[waiting.party]
                sides.setdefault(match, ([], []))[side].append(ticket)
        pairs = [
            (one, other) for first, second in sides.values() for one in first for other in second
        ]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2)

    def _play(self, queue: Queue, match: Match, *, counted: bool) -> None:
        workload, chance = self._workload, self._chance
        self._matches += 1
        over = self.now + chance.uniform(workload.shortest_match, workload.longest_match)
        for side, team in enumerate((match.team1, match.team2)):
            for ticket in team:
                number = self.queue[ticket].party
                self._last_sides[number] = (self._matches, side)
                rest = chance.uniform(workload.shortest_rest, workload.longest_rest)
                heapq.heappush(self.coming, (over + rest, number))
        if counted:
            tickets = list(match.tickets)
            self.run.times.append(self.now)
            self.run.matches.append(quality(queue, match))
            self.run.waits += queue.waits(self.now)[tickets].tolist()
            self.run.ratings += queue.rating_mean[tickets].tolist()


def simulate(
    workload: Workload,
    matcher: Matcher,
    rules: Rules,
    *,
    seed: int,
    interval: float | None = None,
    known: Sequence[Player] = (),
) -> Run:
    """Run a matcher on a workload, with a tick every ``interval`` seconds (default: the rules').

    Parties are drawn from the ``known`` players; without any, players are generated.
    """
    seconds = rules.queue.iteration_interval if interval is None else interval
    league = League(workload, rules, seed, known)
    while league.now < workload.hours * 3600:
        league.tick(matcher, seconds)
    return league.finish()
