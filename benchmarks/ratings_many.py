"""A history of ten million duels: how long rating it takes, and how much memory.

    python -m benchmarks.ratings_many [MATCHES] [PLAYERS]

500,000 players of different skills, a tenth of the duels drawn. Seconds exclude building the
history but include starting Numba. Memory is the peak of the whole process. With Numba the duels
are rated in compiled code, without it by NumPy. No other library is measured, as the fastest takes
minutes.
"""

from __future__ import annotations

import platform
import resource
import sys
import time

import numpy as np

from benchmarks.ratings_contests import duels
from ratings import compiled
from ratings.registry import build
from ratings.replay import final_states

SYSTEMS = ("glicko-2", "bar")


def main(count: int, players: int) -> None:
    """Rate the duels with each system, and print what it took."""
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}")
    print("in compiled code" if compiled.INSTALLED else "with NumPy, as Numba is not installed")
    history = duels(count, players)
    for name in SYSTEMS:
        system = build(name)
        start = time.perf_counter()
        states = final_states(system, history)
        took = time.perf_counter() - start
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        assert int(states.games.sum()) == 2 * count
        print(
            f"{name}: {count:,} matches of {players:,} players in {took:.2f} s, {most:.2f} GiB",
            flush=True,
        )


if __name__ == "__main__":
    main(*(int(number) for number in [*sys.argv[1:], *("10000000", "500000")[len(sys.argv) - 1 :]]))
