"""Handicaps from a forecast: a race of several matches that is even although its matches are not.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000: handicaps based on skill
estimates. No rating system says how its ratings relate to the scores of a game. All forecast who
wins a match, so the handicap is one of matches: the favourite needs more wins than the other side.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

EVEN = 0.05
"""A chance this far from one half, or nearer, is even."""
NEARLY_EVEN = 0.1
"""The most that a race can be off. Beyond it, no race of this length would be fair."""
LONGEST = 10
"""The most wins that a side needs. Nobody plays longer races."""


class Race(NamedTuple):
    """The wins that each side needs to win a race."""

    first: int
    second: int


def is_even(chance: float) -> bool:
    """Return whether a match with this chance of the first side needs no handicap."""
    return abs(chance - 0.5) <= EVEN


def fair_race(chance: float) -> Race | None:
    """Return the shortest even race for sides of which the first wins a match with this chance.

    Draws count for neither. One of the nearest if none is even, ``None`` if that is not near.
    """
    if chance < 0.5:
        mirrored = fair_race(1 - chance)
        return mirrored and Race(mirrored.second, mirrored.first)
    races = [Race(most, least) for most in range(1, LONGEST + 1) for least in range(1, most + 1)]
    offs = [abs(chance_in(race, chance) - 0.5) for race in races]
    even = [race for race, off in zip(races, offs, strict=True) if off <= EVEN]
    if even:
        return even[0]
    nearest = min(offs)
    return races[offs.index(nearest)] if nearest <= NEARLY_EVEN else None


def chance_in(race: Race, chance: float) -> float:
    """Return the first side's chance to win a race, given its chance in each match."""
    return sum(
        comb(race.first - 1 + lost, lost) * chance**race.first * (1 - chance) ** lost
        for lost in range(race.second)
    )
