"""Percentiles, divisions and the rating distribution of active players.

Sources. Percentiles and placement: "Ranking in Team-Based Competitive Games", section Visibility.
The distribution, its width and its normal curve: B. Kreimeier, "Rising from the Ranks", 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Explained, mark
from ratings.tunables.wording import plain
from ratings.types import MICROSECONDS_PER_SECOND, NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Booleans, Floats, Integers, States

PERCENTILES = 100
SOURCE = "Team rank, Visibility"


class Activity(Parameters):
    """The players who are ranked."""

    window: Duration = parameter(
        "30d",
        label="Active within",
        description="Only players who finished a match within this time are ranked.",
        unit="time",
        minimum="1m",
        maximum="3650d",
        source=f"{SOURCE}: “such as in the last month”",
    )
    placement_matches: int = parameter(
        10,
        label="Placement matches",
        description="Matches a player must finish to be ranked, so that their rating can settle.",
        unit="matches",
        minimum=0,
        maximum=100_000,
        source=f"{SOURCE}; the number is the field's usual one",
    )


def is_ranked(activity: Activity, states: States, now: int) -> Booleans:
    """Return ``(n,)`` whether each player is ranked at ``now`` (microseconds since 1970)."""
    oldest = now - round(activity.window * MICROSECONDS_PER_SECOND)
    lately = (states.last_played != NEVER) & (states.last_played >= oldest)
    settled: Booleans = states.games >= activity.placement_matches
    return np.asarray(lately & settled)


def percentiles(rating: Floats, among: Booleans, *, lowest_first: bool = False) -> Integers:
    """Return ``(n,)`` percentiles from 1 to 100 among the players in ``among``, 0 for the others.

    The groups are as equal in size as the number of players allows. Equal ratings share the group
    given by the number of strictly worse players, and the best players have 100. Fewer than 100
    players spread from 1 to 100.
    ``lowest_first`` is for systems in which the smallest number is the best.
    """
    strength = -rating[among] if lowest_first else rating[among]
    count = len(strength)
    worse = np.searchsorted(np.sort(strength), strength, side="left")
    if count >= PERCENTILES:
        groups = 1 + PERCENTILES * worse // count
    else:
        groups = 1 + (PERCENTILES - 1) * worse // max(count - 1, 1)
    result = np.zeros(len(rating), dtype=np.int64)
    result[among] = np.where(strength == strength.max(initial=-np.inf), PERCENTILES, groups)
    return result


class DivisionError(Explained):
    """Divisions that do not form a scale. The message says which and why."""


@dataclass(frozen=True)
class Division:
    """A named range of percentiles (or of ratings or ranks: see ``ratings.divisions``)."""

    name: str
    first: float
    """Its lowest percentile. It ends where the next division begins."""
    colour: str = ""
    """A CSS colour such as ``#b87333``."""


DIVISIONS = (
    Division("Bronze", 1, "#8c5a2b"),
    Division("Silver", 26, "#66707a"),
    Division("Gold", 51, "#8a6a00"),
    Division("Platinum", 76, "#1f7a6d"),
    Division("Diamond", 91, "#2563a8"),
    Division("Master", 99, "#8b2fa0"),
)
"""The default divisions of a league."""


BEGINS_BELOW = mark(
    "%(name)s must begin above %(below)s, which begins at %(begins)s; you gave %(first)s"
)
"""The problem of divisions out of order."""


def check_divisions(divisions: Sequence[Division]) -> None:
    """Raise ``DivisionError`` unless the divisions cut 1 to 100 into named ranges, lowest first."""
    if not divisions:
        raise DivisionError("there must be at least one division")
    names = [division.name.strip() for division in divisions]
    for number, (division, name) in enumerate(zip(divisions, names, strict=True), start=1):
        if not name:
            raise DivisionError("division %(number)d needs a name", number=number)
        if names.count(name) > 1:
            raise DivisionError(
                "two divisions are called %(name)s; give each its own name", name=name
            )
        if not 1 <= division.first <= PERCENTILES:
            raise DivisionError(
                "%(name)s must begin at a percentile from 1 to %(most)d; you gave %(first)s",
                name=name,
                most=PERCENTILES,
                first=plain(division.first),
            )
        before = divisions[number - 2] if number > 1 else None
        if before is None and division.first != 1:
            raise DivisionError(
                "the lowest division, %(name)s, must begin at percentile 1; you gave %(first)s",
                name=name,
                first=plain(division.first),
            )
        if before and division.first <= before.first:
            raise DivisionError(
                BEGINS_BELOW,
                name=name,
                below=before.name,
                begins=plain(before.first),
                first=plain(division.first),
            )


def division_indices(percentile: Integers, divisions: Sequence[Division]) -> Integers:
    """Return ``(n,)`` division indices of percentiles, -1 for percentile 0 (unranked)."""
    firsts = np.array([division.first for division in divisions])
    return np.where(percentile > 0, np.searchsorted(firsts, percentile, side="right") - 1, -1)


@dataclass(frozen=True)
class Distribution:
    """Statistics of a population's ratings, with the normal curve of the same mean and width."""

    count: int
    mean: float
    """NaN if there are no players."""
    variance: float
    """The sample variance (with N - 1), NaN for fewer than two players."""
    within: tuple[float, float, float]
    """Shares of players within one, two and three widths of the mean, NaN without a width."""

    @property
    def width(self) -> float:
        return math.sqrt(self.variance)

    def curve(self, rating: Floats) -> Floats:
        """Return the normal density per rating point at these ratings, NaN without a width."""
        if not self.variance > 0:
            return np.full_like(rating, np.nan)
        density = np.exp(-((rating - self.mean) ** 2) / (2.0 * self.variance))
        return np.asarray(density / math.sqrt(2.0 * math.pi * self.variance))


NORMAL_SHARES = tuple(math.erf(widths / math.sqrt(2.0)) for widths in (1, 2, 3))
"""``Distribution.within`` of a normal population: 68.3%, 95.4% and 99.7%."""


def distribution(rating: Floats) -> Distribution:
    """Return mean, width and shares of ``(n,)`` ratings."""
    count = len(rating)
    if not count:
        return Distribution(0, math.nan, math.nan, (math.nan,) * 3)
    mean = float(rating.mean())
    variance = float(((rating - mean) ** 2).sum() / (count - 1)) if count > 1 else math.nan
    if not variance > 0:
        return Distribution(count, mean, variance, (math.nan,) * 3)
    away = np.abs(rating - mean) / math.sqrt(variance)
    one, two, three = (float(np.mean(away <= widths)) for widths in (1, 2, 3))
    return Distribution(count, mean, variance, (one, two, three))


@dataclass(frozen=True)
class Histogram:
    """Rating counts in bins of equal width."""

    edges: Floats
    """``(bins + 1,)``."""
    counts: Integers
    """``(bins,)``."""

    @property
    def density(self) -> Floats:
        """``(bins,)`` shares per rating point, comparable to ``Distribution.curve``."""
        total = max(int(self.counts.sum()), 1)
        return np.asarray(self.counts / total / np.diff(self.edges))


def histogram(rating: Floats, width: float) -> Histogram:
    """Count ``(n,)`` ratings in bins that begin at multiples of ``width``."""
    if not width > 0:
        raise ValueError(f"the width of a bin must be above 0; you gave {width}")
    if not len(rating):
        return Histogram(np.array([0.0, width]), np.zeros(1, dtype=np.int64))
    which = np.floor(rating / width).astype(np.int64)
    lowest = int(which.min())
    counts = np.bincount(which - lowest)
    return Histogram(width * (lowest + np.arange(len(counts) + 1.0)), counts)
