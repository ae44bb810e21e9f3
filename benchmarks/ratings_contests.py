"""Benchmarks of the contest systems against other libraries: Elo-MMR, Codeforces, Topcoder, BAR.

    python -m benchmarks.ratings_contests [ROUNDS] [--quick]

Each peer and our code rate the same contests in turn, in one process, and the medians of ROUNDS
turns are compared. The peers are PyPI's `Elo-MMR-Py` (Rust, all cores) and `openskill`. Ours is
NumPy or, for small contests, Numba on one core. Times exclude the creation of input objects.
openskill also uses one core, so its row is in processor time, which other work on the machine does
not affect. It does affect the other rows. Differences are the largest between any player's ratings.
Then follows the growth of a round's processor time with its size and with the players' histories.
`--quick` omits everything that takes minutes.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import math
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ratings import compiled
from ratings.history import History
from ratings.lab.reproduction.parts import as_published
from ratings.lab.synthetic import LARGE, SMALL, free_for_all, generate, place
from ratings.registry import build
from ratings.replay import final_states
from ratings.system import RatingSystem
from ratings.types import States

PEERS = {"elo_mmr_py": "Elo-MMR-Py", "openskill": "openskill"}
GIBIBYTE = 1024**2
"""In kibibytes, the unit of ``ru_maxrss``."""


@dataclass(frozen=True)
class Comparison:
    """One line of the table. ``least`` is how many times faster ours is meant to be."""

    work: str
    peer: str
    least: float
    theirs: list[float]
    ours: list[float]
    difference: float | None

    def __str__(self) -> str:
        theirs, ours = statistics.median(self.theirs), statistics.median(self.ours)
        verdict = "reached" if theirs / ours >= self.least else "MISSED"
        apart = "" if self.difference is None else f"{self.difference:.1e}"
        return (
            f"{self.work:42} {self.peer:22} {theirs:9.3f} {ours:9.3f} {theirs / ours:8.1f}x "
            f"{self.least:6g}x {verdict:8} {apart}"
        )


HEADING = (
    f"{'work':42} {'peer':22} {'peer s':>9} {'ours s':>9} {'ratio':>9} {'aim':>7} "
    f"{'':8} largest difference"
)


def peer(module: str) -> Any:
    """Import the peer's module, or print how to get it and return ``None``."""
    try:
        return importlib.import_module(module)
    except ImportError:
        name = PEERS[module]
        print(f"{name} is not installed, so its rows are omitted: pip install {name}")
        return None


def versions(*peers: str) -> None:
    """Print what is compared."""
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}")
    for name in ("numpy", "scipy", "numba", *peers):
        try:
            print(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            print(f"{name}: not installed")


def turns(
    count: int,
    theirs: Callable[[], Any],
    ours: Callable[[], Any],
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[Any, ...]:
    """Run both ``count`` times in turn, and return their seconds and last results."""
    seconds: tuple[list[float], list[float]] = ([], [])
    results = [None, None]
    for number in range(count):
        order = ((0, theirs), (1, ours)) if number % 2 else ((1, ours), (0, theirs))
        for at, work in order:
            begin = clock()
            results[at] = work()
            seconds[at].append(clock() - begin)
    return seconds[0], seconds[1], results[0], results[1]


def contests(elo_mmr: Any, history: History) -> list[Any]:
    """Convert a history of free-for-alls without ties to Elo-MMR-Py's contests."""
    bounds = history.match_offsets.tolist()
    converted = []
    for match, name in enumerate(history.match_ids):
        some = slice(bounds[match], bounds[match + 1])
        placed_players = zip(
            history.places[some].tolist(), history.player[some].tolist(), strict=True
        )
        standings = [
            (history.players[code], place, place) for place, code in sorted(placed_players)
        ]
        seconds = int(history.times[match]) // 1_000_000
        converted.append(elo_mmr.Contest(standings, name=name, time_seconds=seconds))
    return converted


def largest_difference(theirs: dict[str, Any], ours: States, players: list[str]) -> float:
    expected = np.array([theirs[name].mu for name in players])
    return float(np.abs(expected - ours.rating).max())


def rounds_of(players: int, count: int, seed: int = 1) -> History:
    """Generate ``count`` rounds with all ``players``."""
    rng = np.random.default_rng(seed)
    skills = rng.normal(1500, 350, players)
    player = np.stack([rng.permutation(players) for _ in range(count)])
    performances = rng.logistic(skills[player], 200 * math.sqrt(3) / math.pi)
    return free_for_all([str(number) for number in range(players)], player, place(performances))


def second_round(
    elo_mmr: Any, peer_system: str, system: str, players: int, least: float, count: int
) -> Comparison:
    """Rate a round of players with distinct ratings from a first round.

    The peer puts all newcomers' ratings into one bucket, so a first round would be meaningless.
    """
    history = rounds_of(players, 2)
    first, second = contests(elo_mmr, history)
    rating = as_published(system)
    states = final_states(rating, history.part(0, 1))
    raters = []
    for _ in range(count):
        rater = elo_mmr.Rater(peer_system)
        rater.add(first)
        raters.append(rater)
    unused = list(raters)
    later = history.part(1, 2)
    theirs, ours, _, after = turns(
        count,
        lambda: unused.pop().add(second),
        lambda: final_states(rating, later, states),
    )
    apart = largest_difference(raters[0].ratings, after, history.players)
    work = f"{system}, one round of {players:,}, distinct"
    return Comparison(work, peer_system, least, theirs, ours, apart)


def whole_history(
    elo_mmr: Any, name: str, peer_system: str, history: History, least: float, count: int
) -> Comparison:
    """Rate a history with Elo-MMR."""
    converted = contests(elo_mmr, history)
    system = build("elo-mmr")
    compiled.start(system, (1, 1))
    theirs, ours, states, after = turns(
        count,
        lambda: elo_mmr.rate_latest(converted, peer_system),
        lambda: final_states(system, history),
    )
    apart = largest_difference(states, after, history.players)
    return Comparison(name, peer_system, least, theirs, ours, apart)


def duels(count: int, players: int) -> History:
    """Return duels of players of different skills, a second apart, a tenth of them drawn."""
    rng = np.random.default_rng(9)
    skills = rng.normal(0.0, 1.0, players)
    one = rng.integers(0, players, count)
    two = (one + rng.integers(1, players, count)) % players
    wins = rng.random(count) < 1 / (1 + np.exp(skills[two] - skills[one]))
    return History.duels(
        [str(number) for number in range(players)],
        np.arange(count) * 1_000_000,
        np.where(wins, one, two),
        np.where(wins, two, one),
        draws=rng.random(count) < 0.1,
        match_ids=[""] * count,
    )


def team_matches(count: int, players: int, seed: int = 5) -> History:
    """Generate matches of five against five."""
    rng = np.random.default_rng(seed)
    player = np.stack([rng.choice(players, 10, replace=False) for _ in range(count)])
    return History(
        players=[str(number) for number in range(players)],
        professions=[""],
        match_ids=[str(number) for number in range(count)],
        times=np.arange(count) * 60_000_000,
        weights=np.ones(count),
        perf_ceilings=np.full(count, np.inf),
        side_offsets=np.arange(count + 1) * 2,
        places=np.tile(np.array([0, 1]), count),
        scores=np.full(2 * count, np.nan),
        participant_offsets=np.arange(2 * count + 1) * 5,
        player=player.reshape(-1),
        seconds=np.full(10 * count, np.nan),
        quits=np.zeros(10 * count, dtype=np.bool_),
        profession=np.zeros(10 * count, dtype=np.int64),
    )


def bar_beside_openskill(count: int) -> Comparison:
    """Rate 20,000 team matches. openskill uses another model, so there is no difference."""
    history = team_matches(20_000, 5_000)
    model = importlib.import_module("openskill.models").BradleyTerryFull()
    rows = history.player.reshape(-1, 2, 5).tolist()

    def theirs() -> None:
        ratings = [model.rating() for _ in history.players]
        for winners, losers in rows:
            teams = [[ratings[player] for player in side] for side in (winners, losers)]
            for side, after in zip((winners, losers), model.rate(teams), strict=True):
                for player, rating in zip(side, after, strict=True):
                    ratings[player] = rating

    system = build("bar")
    compiled.start(system, (5, 5))
    their_seconds, our_seconds, *_ = turns(
        count, theirs, partial(final_states, system, history), time.process_time
    )
    return Comparison(
        "bar, 20,000 matches 5v5", "openskill BT full", 20, their_seconds, our_seconds, None
    )


def growth_by_size(system: str, sizes: list[int]) -> None:
    print(f"\n{system}: seconds per round with distinct ratings, and microseconds per player")
    rating = build(system)
    for size in sizes:
        history = rounds_of(size, 2)
        states = final_states(rating, history.part(0, 1))
        seconds = seconds_of(rating, history.part(1, 2), states)
        print(f"{size:9,} {seconds:9.4f} {seconds / size * 1e6:8.2f}")


def growth_by_history(played: list[int]) -> None:
    """Use rho = 0.04, where single performances count for long, so that histories grow."""
    print("\nelo-mmr: seconds per round of 10,000 by earlier rounds, and factors remembered")
    last = max(played)
    history = rounds_of(10_000, last + 1)
    rating = build("elo-mmr", {"rho": 0.04, "weight_limit": 0.05})
    states = rating.newcomers(len(history.players))
    for number in range(last + 1):
        some = history.part(number, number + 1)
        if number in played:
            factors = (np.count_nonzero(~np.isnan(states.memory[0])) - 2) // 3
            seconds = seconds_of(rating, some, states)
            print(f"{number:9,} {seconds:9.4f} {max(factors, 0):6}")
        states = final_states(rating, some, states)


def seconds_of(system: RatingSystem, history: History, states: States) -> float:
    """Return the least processor time of three runs."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        final_states(system, history, states)
        seconds.append(time.process_time() - begin)
    return min(seconds)


def main(count: int, *, quick: bool) -> None:
    """Run and print all benchmarks."""
    versions(*PEERS.values())
    elo_mmr, openskill = peer("elo_mmr_py"), peer("openskill")
    print(HEADING, flush=True)
    if elo_mmr:
        rng = np.random.default_rng(1)
        small = generate(SMALL, rng).history
        print(whole_history(elo_mmr, "elo-mmr, 15,000 x 5 (synth-small)", "mmr", small, 5, count))
        print(second_round(elo_mmr, "mmr", "elo-mmr", 10_000, 200, count), flush=True)
        for system, theirs in (("codeforces", "cfsys"), ("topcoder", "tcsys")):
            print(second_round(elo_mmr, theirs, system, 10_000, 50, count), flush=True)
    if openskill:
        print(bar_beside_openskill(count), flush=True)
    if elo_mmr and not quick:
        large = generate(LARGE, rng).history
        work = "elo-mmr, 10,000 x 50 (synth-large)"
        print(whole_history(elo_mmr, work, "mmr-fast", large, 16, count), flush=True)
        some = large.part(0, 4)
        work = "elo-mmr, the first 4 of these rounds"
        print(whole_history(elo_mmr, work, "mmr", some, 200, 1), flush=True)
        print(second_round(elo_mmr, "mmr-fast", "elo-mmr", 1_000_000, 20, count), flush=True)
        print(second_round(elo_mmr, "mmx", "elo-mmx", 10_000, 1, 1), flush=True)
    sizes = [1_000, 10_000, 100_000, *([] if quick else [1_000_000])]
    for system in ("elo-mmr", "elo-mmx", "codeforces", "topcoder", "bar", "glicko", "glicko-2"):
        growth_by_size(system, sizes)
    growth_by_size("trueskill", sizes[:3])
    growth_by_history([1, 25, 50, 100] if quick else [1, 25, 50, 100, 200, 300])
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / GIBIBYTE
    print(f"\npeak memory of this process, including peers: {memory:.2f} GiB")


if __name__ == "__main__":
    arguments = [each for each in sys.argv[1:] if each != "--quick"]
    main(int(arguments[0]) if arguments else 3, quick="--quick" in sys.argv)
