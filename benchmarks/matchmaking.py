"""The published matchmakers compared with the plain reading of their page in the tests.

    python -m benchmarks.matchmaking [ROUNDS]

Both match the same aged queue in turn, in one process, and must make the same matches. Times are
processor seconds, which other work on the machine does not change, and medians of ROUNDS turns (3;
the plain reading takes two turns of the largest queue). Neither time includes making the tickets;
ours includes every array computed from them.

The queue: waits uniform from 0 to 10 minutes, three in four tickets a single player and the fourth
a duo, ratings normal (1500, 350), deviations 40 to 120, nine professions, 8 % of players
dishonored.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from matchmaking.presets import PRESETS
from matchmaking.published import alternating, wave
from matchmaking.rules.arena import Rules
from matchmaking.tick import Matcher, Tick
from matchmaking.ticket import Player, Queue, Ticket
from tests.support import plain_matchers

PROFESSIONS = "ABCDEFGHI"
LIMIT = 0.25
"""Seconds that a published tick may take."""


def draw_tickets(tickets: int, seed: int = 1) -> list[Ticket]:
    """Return tickets that have waited for 0 to 10 minutes."""
    rng = np.random.default_rng(seed)
    queue = []
    player = 0
    for number in range(tickets):
        members = []
        for _ in range(1 if rng.random() < 0.75 else 2):
            player += 1
            members.append(
                Player(
                    id=player,
                    rating=rng.normal(1500, 350),
                    deviation=rng.uniform(40, 120),
                    rank=int(rng.integers(20, 80)),
                    games=int(rng.integers(0, 2000)),
                    profession=PROFESSIONS[rng.integers(len(PROFESSIONS))],
                    dishonor=int(rng.integers(1, 20)) if rng.random() < 0.08 else 0,
                )
            )
        queue.append(Ticket(number, -rng.uniform(0, 600), tuple(members)))
    return queue


class Work(NamedTuple):
    """A tick to time; ``least`` is how many times faster than the plain reading it must be."""

    name: str
    tickets: int
    rules: Rules
    ours: Matcher
    theirs: Callable[[list[Ticket], Rules, float], plain_matchers.PlainTick]
    least: float


RANKED = PRESETS["gw2-ranked"].rules()
WHOLE = RANKED.model_copy(
    update={"queue": RANKED.queue.model_copy(update={"iteration_rosters": 1_000_000})}
)
WORKS = (
    Work("new, 100 attempts", 100, RANKED, wave.match, plain_matchers.new, 1),
    Work("new, 100 attempts", 1_000, RANKED, wave.match, plain_matchers.new, 15),
    Work("new, 100 attempts", 5_000, RANKED, wave.match, plain_matchers.new, 15),
    Work("new, whole queue", 5_000, WHOLE, wave.match, plain_matchers.new, 15),
    Work("old, 100 attempts", 1_000, RANKED, alternating.match, plain_matchers.old, 1),
    Work("old, 100 attempts", 5_000, RANKED, alternating.match, plain_matchers.old, 1),
    Work("old, whole queue", 5_000, WHOLE, alternating.match, plain_matchers.old, 1),
)


def time_work(work: Work, rounds: int) -> None:
    """Time a work and print its row."""
    tickets = draw_tickets(work.tickets)
    plainly, ours = [], []
    for turn in range(rounds):
        if turn < 2 or work.rules is not WHOLE:
            before = time.process_time()
            read = work.theirs(tickets, work.rules, 0.0)
            plainly.append(time.process_time() - before)
        queue = Queue.of(tickets)
        before = time.process_time()
        made = work.ours(queue, work.rules, now=0.0, generator=None)
        ours.append(time.process_time() - before)
    check_equal(queue, made, read)
    slow, fast = statistics.median(plainly), statistics.median(ours)
    ratio = slow / fast
    verdict = "reached" if ratio >= work.least else "MISSED"
    print(
        f"{work.name:20} {work.tickets:7,} {len(made.matches):8} {slow:9.3f} {fast:9.4f} "
        f"{ratio:7.1f}x {work.least:4g}x {verdict:8} {fast / LIMIT:7.1%}"
    )


def check_equal(queue: Queue, made: Tick, read: plain_matchers.PlainTick) -> None:
    """Check that both made the same matches and left the same queue."""
    ours = [(match.team1, match.team2) for match in made.matches]
    theirs = [(tuple(match.team1), tuple(match.team2)) for match in read.matches]
    assert ours == theirs
    assert [queue.ids[ticket] for ticket in made.left] == read.queue


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores")
    print(
        f"{'work':20} {'tickets':>7} {'matches':>8} {'plain s':>9} {'ours s':>9} {'ratio':>8} "
        f"{'aim':>5} {'':8} {'of 250 ms':>9}"
    )
    for work in WORKS:
        time_work(work, rounds)


if __name__ == "__main__":
    main()
