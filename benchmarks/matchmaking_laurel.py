"""The time that ``laurel`` takes for a whole queue, and its growth with the queue.

The queues are those of the published measurements: 5 against 5, three in four tickets a single
player and the fourth a duo, ratings normal(1500, 350), waits uniform from 0 to 10 minutes. Sizes
take turns in rounds, and the best round counts, in processor seconds, which other work on the
machine hardly changes, and in clock seconds. The last column stays level or falls as long as the
time grows no faster than n log n.
"""

from __future__ import annotations

import math
import time

import numpy as np

from benchmarks.scratch import machine
from matchmaking.laurel import matcher
from matchmaking.presets import PRESETS
from matchmaking.ticket import Queue

SIZES = (500, 1_500, 5_000, 15_000, 50_000)
MOST = {5_000: 0.2, 50_000: 3.0}
"""Maximum processor seconds for a whole queue."""

ROUNDS = 5


def draw_queue(tickets: int, seed: int = 1) -> Queue:
    """Return a queue of this many tickets at time 0."""
    generator = np.random.default_rng(seed)
    sizes = np.where(generator.random(tickets) < 0.25, 2, 1)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    players = int(starts[-1])
    own = np.repeat(generator.normal(1500, 350, tickets), sizes)
    stacks = generator.integers(1, 21, players) * (generator.random(players) < 0.08)
    return Queue(
        ids=tuple(range(tickets)),
        queued_at=-generator.uniform(0, 600, tickets),
        mode_codes=np.zeros(tickets, dtype=np.int64),
        mode_sets=(frozenset(),),
        guild_team=np.zeros(tickets, dtype=np.bool_),
        starts=starts,
        player_ids=tuple(range(players)),
        rating=own + generator.normal(0, 90, players),
        deviation=generator.uniform(30, 250, players),
        rank=np.full(players, 20.0),
        games=generator.integers(0, 500, players).astype(np.float64),
        dishonor=stacks.astype(np.float64),
        profession=generator.integers(0, 9, players),
        professions=tuple("ABCDEFGHI"),
    )


def main() -> None:
    """Print the table."""
    print(machine())
    rules = PRESETS["recommended"].rules()
    queues = {size: draw_queue(size) for size in SIZES}
    best = dict.fromkeys(SIZES, (math.inf, math.inf))
    matches = {}
    for _ in range(ROUNDS):
        for size, queue in queues.items():
            clock, processor = time.perf_counter(), time.process_time()
            made = matcher.match(queue, rules, now=0.0, generator=None)
            taken = time.process_time() - processor, time.perf_counter() - clock
            best[size] = min(best[size], taken)
            matches[size] = len(made.matches)
    print(
        f"{'tickets':>7} {'matches':>8} {'processor s':>12} {'clock s':>8} {'aim s':>6} {'':8} "
        f"{'µs a ticket':>11} {'µs / n log2 n':>13}"
    )
    for size, (processor, clock) in best.items():
        aim = MOST.get(size)
        verdict = "" if aim is None else "reached" if processor <= aim else "MISSED"
        each = 1e6 * processor / size
        print(
            f"{size:7,} {matches[size]:8,} {processor:12.3f} {clock:8.3f} {aim or '':>6} "
            f"{verdict:8} {each:11.1f} {each / math.log2(size):13.2f}"
        )


if __name__ == "__main__":
    main()
