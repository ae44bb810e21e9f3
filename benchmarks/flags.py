"""Measure how often the detectors of `docs/integrity.md` flag honest players.

Each league is read in consecutive windows, as if the detectors ran once in each. Football is the
demo's history; the simulated league has players of known skill who play by chance, many of them
mostly with the same few friends. ``flags_conduct`` models answers to reports and ready checks.
"""

from __future__ import annotations

import lzma
import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.flags_conduct import measure_conduct
from benchmarks.scratch import PROJECT, machine

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.system import RatingSystem

FOOTBALL = PROJECT / "league" / "demo" / "international_results.csv.xz"
DAY = 86_400_000_000
PLAYERS, WEEKS, A_WEEK = 1_000, 52, 5
"""The simulated league: players, weeks, and matches of a player in a week."""
FRIENDS = (0.0, 0.3, 0.8)
"""Shares of the matches that a player plays with friends: a third of the players each."""


def football() -> History:
    from league.services.transfer.files.result_files import read

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "results.csv"
        with lzma.open(FOOTBALL) as packed, plain.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
        return read(plain).history


def simulated(random: np.random.Generator) -> History:
    """Play a year. Pairs keep the limits of a day and a week, and repeated matches count less."""
    from ratings.history import History, Match, Participant, Side
    from ratings.seasons.fair_play import FairPlay

    rules = FairPlay()
    skill = random.normal(size=PLAYERS)
    friends = random.integers(0, PLAYERS, (PLAYERS, 3))
    share = np.array(FRIENDS)[np.arange(PLAYERS) % len(FRIENDS)]
    matches = []
    for week in range(WEEKS):
        played: Counter[tuple[int, int]] = Counter()
        today: Counter[tuple[int, int, int]] = Counter()
        for number, one in enumerate(random.integers(0, PLAYERS, PLAYERS * A_WEEK // 2).tolist()):
            others = friends[one] if random.random() < share[one] else np.arange(PLAYERS)
            other = int(random.choice(others))
            pair, day = (min(one, other), max(one, other)), int(random.integers(7))
            if one == other or played[pair] >= rules.per_week:
                continue
            if today[*pair, day] >= rules.per_day:
                continue
            won = random.random() < 1 / (1 + np.exp(1.5 * (skill[other] - skill[one])))
            matches.append(
                Match(
                    f"{week}-{number}",
                    week * 7 * DAY + number,
                    [
                        Side(int(not won), [Participant(str(one))]),
                        Side(int(won), [Participant(str(other))]),
                    ],
                    weight=rules.weight(played[pair]),
                )
            )
            played[pair] += 1
            today[*pair, day] += 1
    return History.build(matches)


def measure(name: str, history: History, system: RatingSystem, days: int) -> None:
    """Print how many flags the detectors raise in windows of some days."""
    from league.services.integrity.detectors import DETECTORS, Games
    from ratings.replay import replay
    from ratings.seasons.connections import find_connections

    rated = replay(system, history)
    gain = (rated.after.rating - rated.before.rating).reshape(-1, 2)
    players = history.player.reshape(-1, 2)
    places = history.places.reshape(-1, 2)
    score = (np.sign(places[:, 1] - places[:, 0]) + 1) / 2
    window = (history.times - history.times[0]) // (days * DAY)
    flags: Counter[str] = Counter()
    seen = 0
    seconds = 0.0
    for which in range(int(window[-1]) + 1):
        now, before = window == which, window <= which
        if not now.any():
            continue
        connected = find_connections(len(history.players), players[before], 3).connected
        games = Games(
            players[now, 0],
            players[now, 1],
            score[now],
            gain[now, 0],
            gain[now, 1],
            np.flatnonzero(connected),
        )
        begin = perf_counter()
        findings = [finding for detector in DETECTORS for finding in detector(games)]
        seconds += perf_counter() - begin
        flags.update(finding.kind.value for finding in findings)
        seen += len(np.unique(players[now]))
    print(f"{name}: {len(players):,} matches, {seen:,} players in windows of {days} days")
    for kind in ("one_sided", "one_opponent", "unranked"):
        print(f"  {kind}: {flags[kind]} flags, {1000 * flags[kind] / seen:.2f} of 1,000 players")
    print(f"  detectors: {seconds:.2f} s")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    os.environ.setdefault("LAUREL_OFFLINE", "1")

    import django

    django.setup()
    from ratings import registry

    print(machine())
    glicko = registry.build("glicko-2", {"deviation_period": "120d"})
    measure("Football", football(), glicko, 28)
    measure("Football", football(), glicko, 730)
    random = np.random.default_rng(36)
    measure("Simulated league", simulated(random), registry.build("elo", {}), 28)
    measure_conduct()


if __name__ == "__main__":
    main()
