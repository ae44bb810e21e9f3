"""Measure how often honest players are flagged for how they answer reports and accept matches.

No real league's answers are public, so these are models. Their assumptions are the constants below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from league.services.integrity.detectors import Answers
    from ratings.types import Floats, Integers

WINDOWS = 13
"""Windows of 28 days in a year."""
A_WINDOW = 20
"""Matches of a player in a window."""
ALONE, HOMES, SIBLINGS, HALL = 600, 100, 25, 50
"""Players on their own, homes of two who also play others, pairs who play nobody else, and players
of one hall of residence with one address, who play half of their matches there."""
HOME_SHARE, HALL_SHARE = 0.3, 0.5
"""Shares of their matches that people play with those at home or in the hall."""
EVENT, ROUNDS = 64, 6
"""Players at an event in each window, all with one address, and their matches there."""
ELSEWHERE = 3600.0
"""Seconds until people confirm who are not at one place: the median."""

CARELESS = 0.1
"""Share of players who miss a quarter of the ready checks. The others miss one in thirteen."""


@dataclass
class League:
    """Pairs of players who meet in a window, and whether they sit side by side."""

    random: np.random.Generator
    players: int = ALONE + 2 * HOMES + 2 * SIBLINGS + HALL

    def window(self) -> tuple[Integers, Integers, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        hall = np.arange(ALONE + 2 * HOMES + 2 * SIBLINGS, self.players)
        one, other, together = [], [], []
        for player in range(self.players):
            for _match in range(A_WINDOW // 2):
                opponent, near = self.opponent(player, hall)
                if opponent != player:
                    one.append(player)
                    other.append(opponent)
                    together.append(near)
        guests = self.random.permutation(self.players)[:EVENT]
        for _round in range(ROUNDS):
            pairs = self.random.permutation(guests).reshape(-1, 2)
            one += pairs[:, 0].tolist()
            other += pairs[:, 1].tolist()
            together += [True] * len(pairs)
        return np.array(one), np.array(other), np.array(together)

    def opponent(self, player: int, hall: Integers) -> tuple[int, bool]:
        """Return whom a player meets, and whether both are at one place."""
        chance = self.random.random()
        neighbour = ALONE + ((player - ALONE) ^ 1)
        if ALONE <= player < ALONE + 2 * HOMES and chance < HOME_SHARE:
            return neighbour, True
        if ALONE + 2 * HOMES <= player < hall[0]:
            return neighbour, True
        if player >= hall[0] and chance < HALL_SHARE:
            return int(self.random.choice(hall)), True
        return int(self.random.integers(self.players)), False


def draw_answers(league: League, side_by_side: float) -> Answers:
    """Return the answers of a window, given by people who sit together after a median time."""
    from league.services.integrity.detectors import Answers

    one, other, together = league.window()
    median = np.where(together, side_by_side, ELSEWHERE)
    spread = np.where(together, 1.0, 2.0)
    seconds: Floats = median * np.exp(spread * league.random.normal(size=len(one)))
    return Answers(one, other, seconds, together)


def measure_answers(side_by_side: float) -> None:
    """Print how many pairs are flagged, and how many of them play nobody else."""
    from league.services.integrity.detectors import quick_answers

    league = League(np.random.default_rng(44))
    only = range(ALONE + 2 * HOMES, ALONE + 2 * HOMES + 2 * SIBLINGS)
    found = [
        finding
        for _ in range(WINDOWS)
        for finding in quick_answers(draw_answers(league, side_by_side))
    ]
    among = sum(finding.player in only for finding in found)
    print(f"Answers, {league.players * WINDOWS:,} players in windows of 28 days")
    print(f"  side by side, confirmed after {side_by_side:.0f} s in the median:")
    print(f"  one_address: {len(found)} pairs, {among} of them of {len(only) // 2 * WINDOWS} "
          "who only play each other")  # fmt: skip


def measure_dodging(offers: int, players: int = 1_000) -> None:
    """Print how many players are flagged who miss ready checks without meaning to."""
    from league.services.integrity.detectors import dodgers

    random = np.random.default_rng(45)
    careless = random.random(players) < CARELESS
    rate = np.where(careless, random.beta(2, 6, players), random.beta(1, 12, players))
    flags = kept = 0
    for _window in range(WINDOWS):
        offered = random.poisson(offers, players)
        missed = random.binomial(offered, rate)
        found = dodgers(np.arange(players), missed, offered)
        flags += len(found)
        kept += sum(bool(careless[finding.player]) for finding in found)
    seen = players * WINDOWS
    print(f"Queue, {seen:,} players in windows of 28 days, {offers} matches offered to each")
    print(f"  dodging: {flags} flags, {1000 * flags / seen:.2f} of 1,000 players, "
          f"{kept} of them for careless ones")  # fmt: skip


def measure_conduct() -> None:
    for side_by_side in (120.0, 60.0, 20.0):
        measure_answers(side_by_side)
    for offers in (20, 60, 200):
        measure_dodging(offers)
