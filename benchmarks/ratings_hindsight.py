"""Benchmark of ratings in hindsight against PyPI's `whole-history-rating`.

    python -m benchmarks.ratings_hindsight [ROUNDS]

Both rate the latest 10,000 football matches that had a winner (the peer ignores draws) under the
same model, the peer by 400 sweeps over all players. Seconds are processor time on one core. The
difference is the largest between any two ratings of a day. Then ours rates all matches.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
import time
from typing import Any

import numpy as np

from benchmarks.ratings_contests import HEADING, Row, turns
from benchmarks.ratings_duels import find_peers, football
from ratings.hindsight import YEAR, WholeHistory, whole_history
from ratings.history import History

MATCHES = 10_000
SWEEPS = 400
DRIFT = 60.0
DAY = 86_400_000_000


def read_decided() -> History:
    """Return the latest football matches with a winner, who comes first."""
    history = football()
    won = np.flatnonzero(history.places[1::2] == 1)[-MATCHES:]
    players = history.player.reshape(-1, 2)[won]
    return History.duels(history.players, history.times[won], players[:, 0], players[:, 1])


def by_whr(module: Any, history: History) -> Any:
    """Return the peer's ratings after all sweeps."""
    base = module.WHR({"w2": DRIFT**2 / YEAR, "initial_prior_wins": 1.0, "hessian_damping": 0.0})
    days = (history.times // DAY).tolist()
    for (one, other), day in zip(history.player.reshape(-1, 2).tolist(), days, strict=True):
        base.create_game(history.players[one], history.players[other], "B", day, 0)
    base.iterate(SWEEPS)
    return base


def largest(base: Any, found: WholeHistory) -> float:
    """Return the largest difference of a rating."""
    apart = 0.0
    for code in np.unique(found.player).tolist():
        mine = found.rating[found.player == code]
        theirs = [day.elo for day in base.player_by_name(found.players[code]).days]
        apart = max(apart, float(np.abs(mine - theirs).max()))
    return apart


def main(count: int) -> None:
    """Run and print all benchmarks."""
    find_peers()
    try:
        module = importlib.import_module("whr")
        print(f"whole-history-rating {importlib.metadata.version('whole-history-rating')}")
    except ImportError:
        print("not installed, so its row is omitted: pip install whole-history-rating")
        module = None
    if module is not None:
        history = read_decided()
        theirs, ours, base, found = turns(
            count,
            lambda: by_whr(module, history),
            lambda: whole_history(history, drift=DRIFT, mean=0.0),
            time.process_time,
        )
        work = f"in hindsight, {MATCHES:,} football matches"
        print(f"\n{HEADING}")
        print(Row(work, "whole-history-rating", 1, theirs, ours, largest(base, found)))
    history = football()
    began = time.process_time()
    found = whole_history(history, drift=DRIFT)
    seconds = time.process_time() - began
    print(f"all {len(history):,} matches, {len(found.day):,} ratings: {seconds:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
