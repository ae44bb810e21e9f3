"""Benchmarks of fitting: many candidates of Glicko-2 on one history, and a whole fit.

    python -m benchmarks.ratings_fits [ROUNDS]

Two hundred candidates replay the football matches and forecast each of them before it is rated. In
turn with them, each peer (PyPI's `glicko2` and `riix`) replays the same matches once, with no
forecasts. Seconds are processor time on one core. The largest difference is that of the first and
the last candidate's ratings from a replay of their own.

Then two parameters are fitted to 112,056 generated duels of 5,000 players whose form changes, in a
tournament of 31 matches every three days. The search without generations is timed beside it.
"""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any

import numpy as np

from benchmarks.ratings_contests import HEADING, Row, turns
from benchmarks.ratings_duels import by_glicko2, find_peers, football, pairs
from ratings.history import History
from ratings.lab.fitting import Search, fit
from ratings.lab.side_by_side import Duels, losses, states_after
from ratings.registry import build
from ratings.replay import final_states
from ratings.system import RatingSystem

CANDIDATES = 200
LEAST = 0.2
"""All candidates may take five times as long as the peer takes for one replay."""
LONGEST = 60.0
"""Seconds that the fit may take."""
MATCHES = 112_056
DAY = 86_400_000_000


def candidates() -> list[RatingSystem]:
    """Return systems over the range that a fit searches."""
    rng = np.random.default_rng(4)
    return [
        build("glicko-2", {"deviation_min": float(low), "deviation_max_periods": int(periods)})
        for low, periods in zip(
            rng.uniform(10, 150, CANDIDATES), rng.integers(5, 2000, CANDIDATES), strict=True
        )
    ]


def tournaments() -> History:
    """Generate duels of 5,000 players, of whom the best play most and whose form changes."""
    rng = np.random.default_rng(5)
    players, year = 5_000, 3_400
    skill = rng.normal(0.0, 1.0, players)
    first, second, wins = [], [], []
    for start in range(0, MATCHES, year):
        count = min(year, MATCHES - start)
        often = np.exp(1.5 * skill) * (rng.random(players) < 0.15)
        one = rng.choice(players, count, p=often / often.sum())
        other = rng.choice(players, count, p=often / often.sum())
        other = np.where(other == one, (one + 1) % players, other)
        first.append(one)
        second.append(other)
        wins.append(rng.random(count) < 1 / (1 + np.exp(skill[other] - skill[one])))
        skill = 0.95 * skill + rng.normal(0.0, 0.3, players)
    one, other, won = np.concatenate(first), np.concatenate(second), np.concatenate(wins)
    return History.duels(
        [str(number) for number in range(players)],
        (np.arange(MATCHES) // 31) * 3 * DAY,
        np.where(won, one, other),
        np.where(won, other, one),
    )


def side_by_side(history: History, systems: list[RatingSystem]) -> float:
    """Return the least loss of the systems, from an unprepared history."""
    duels = Duels.of(systems[0], history)
    found = None if duels is None else losses(duels, systems)
    if found is None:
        raise RuntimeError("these systems cannot be rated side by side")
    return float(found.min())


def difference(history: History, systems: list[RatingSystem]) -> float:
    """Return the largest difference of ratings between both ways."""
    some = [systems[0], systems[-1]]
    duels = Duels.of(systems[0], history)
    after = None if duels is None else states_after(duels, some)
    alone = [final_states(system, history) for system in some]
    return max(
        float(np.abs(one.rating - two.rating).max())
        for one, two in zip(after or [], alone, strict=True)
    )


def rows(peers: dict[str, Any], count: int) -> list[Row]:
    history, systems = football(), candidates()
    work = f"glicko-2, {CANDIDATES} candidates of football"
    apart, found = difference(history, systems), []

    def ours() -> float:
        return side_by_side(history, systems)

    if "glicko2" in peers:
        duels, module = pairs(history), peers["glicko2"]
        theirs, took, *_ = turns(
            count,
            lambda: by_glicko2(module, duels, len(history.players)),
            ours,
            time.process_time,
        )
        found.append(Row(work, "glicko2, one replay", LEAST, theirs, took, apart))
    if "riix" in peers:
        sets = importlib.import_module("riix.utils").MatchupDataset
        model = importlib.import_module("riix.models.glicko2").Glicko2
        days = ((history.times - history.times[0]) // DAY).astype(np.int32)
        scores = np.where(history.places[1::2] == 0, 0.5, 1.0)
        dataset = sets.init_from_arrays(
            days, history.player.reshape(-1, 2), scores, history.players
        )
        theirs, took, *_ = turns(
            count, lambda: model(history.players).fit_dataset(dataset), ours, time.process_time
        )
        found.append(Row(work, "riix, one replay", LEAST, theirs, took, apart))
    return found


def timed_fit() -> None:
    history, system = tournaments(), build("glicko-2")
    began = time.process_time()
    found = fit(system, history)
    seconds = time.process_time() - began
    verdict = "reached" if seconds <= LONGEST else "MISSED"
    print(
        f"\nfit of {' and '.join(found.names)} of glicko-2, {MATCHES:,} duels: {seconds:.1f} s "
        f"for {found.trials} candidates (aim {LONGEST:g} s, {verdict}), log loss "
        f"{found.loss_before:.5f} -> {found.loss:.5f}",
        flush=True,
    )
    began = time.process_time()
    search = Search(system, history, found.names)
    search.one_by_one()
    seconds = time.process_time() - began
    print(f"one by one: {seconds:.1f} s for {search.trials} candidates, {search.loss:.5f}")


def main(count: int) -> None:
    """Run and print all benchmarks."""
    found = rows(find_peers(), count)
    print(f"\n{HEADING}")
    for row in found:
        print(row)
    timed_fit()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
