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
    from collections.abc import Sequence

    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import Floats

FOOTBALL = PROJECT / "league" / "demo" / "international_results.csv.xz"
DAY = 86_400_000_000
PLAYERS, WEEKS, A_WEEK = 1_000, 52, 5
"""The simulated league: players, weeks, and matches of a player in a week."""
CLUBS = 10
FRIENDS = (0.0, 0.3, 0.8)
"""Shares of the matches that a player plays with friends: a third of the players each."""


def football() -> History:
    from league.services.transfer.files.repeats import EACH
    from league.services.transfer.files.result_files import read

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "results.csv"
        with lzma.open(FOOTBALL) as packed, plain.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
        return read(plain, repeats=EACH).history


def clubs(random: np.random.Generator, members: int) -> list[History]:
    """Play a year in ``CLUBS`` clubs. Everybody plays five matches a week with anybody."""
    return [simulate(random, members, np.zeros(members)) for _ in range(CLUBS)]


def simulate(
    random: np.random.Generator, players: int = PLAYERS, share: Floats | None = None
) -> History:
    """Play a year, with a ``share`` of each player's matches against three friends.

    Pairs keep the limits of a day and a week, and repeated matches count less.
    """
    from ratings.history import History, Match, Participant, Side
    from ratings.seasons.fair_play import FairPlay

    rules = FairPlay()
    skill = random.normal(size=players)
    friends = random.integers(0, players, (players, 3))
    if share is None:
        share = np.array(FRIENDS)[np.arange(players) % len(FRIENDS)]
    matches = []
    for week in range(WEEKS):
        played: Counter[tuple[int, int]] = Counter()
        today: Counter[tuple[int, int, int]] = Counter()
        for number, one in enumerate(random.integers(0, players, players * A_WEEK // 2).tolist()):
            others = friends[one] if random.random() < share[one] else np.arange(players)
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


def measure(name: str, histories: Sequence[History], system: RatingSystem, days: int) -> None:
    """Print how many flags the detectors raise in windows of some days."""
    flags: Counter[str] = Counter()
    seconds = 0.0
    matches = seen = 0
    for history in histories:
        begin = perf_counter()
        found, players = flags_in(history, system, days)
        seconds += perf_counter() - begin
        flags.update(found)
        seen += players
        matches += len(history.match_ids)
    print(f"{name}: {matches:,} matches, {seen:,} players in windows of {days} days")
    for kind in ("one_sided", "one_opponent", "few_opponents", "unranked"):
        print(f"  {kind}: {flags[kind]} flags, {1000 * flags[kind] / seen:.2f} of 1,000 players")
    print(f"  rating and detectors: {seconds:.2f} s", flush=True)


def flags_in(history: History, system: RatingSystem, days: int) -> tuple[list[str], int]:
    """Return the kinds of all flags in a history, and how many players its windows have."""
    from league.services.integrity.detectors import DETECTORS, Games
    from ratings.replay import replay
    from ratings.seasons.connections import find_connections

    rated = replay(system, history)
    gain = (rated.after.rating - rated.before.rating).reshape(-1, 2)
    players = history.player.reshape(-1, 2)
    places = history.places.reshape(-1, 2)
    score = (np.sign(places[:, 1] - places[:, 0]) + 1) / 2
    window = (history.times - history.times[0]) // (days * DAY)
    kinds: list[str] = []
    seen = 0
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
        kinds += [finding.kind.value for detector in DETECTORS for finding in detector(games)]
        seen += len(np.unique(players[now]))
    return kinds, seen


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    os.environ.setdefault("LAUREL_OFFLINE", "1")

    import django

    django.setup()
    from ratings import registry

    print(machine())
    glicko = registry.build("glicko-2", {"deviation_period": "120d"})
    measure("Football", [football()], glicko, 28)
    measure("Football", [football()], glicko, 730)
    random = np.random.default_rng(36)
    measure("Simulated league", [simulate(random)], registry.build("elo", {}), 28)
    for system in ("elo", "glicko-2"):
        for members in (8, 16, 32):
            honest = clubs(random, members)
            measure(f"Clubs of {members}, {system}", honest, registry.build(system, {}), 28)
    measure_conduct()


if __name__ == "__main__":
    main()
