"""The share of players in each division: of an arena's players, or as a system expects them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from league.models import Season, Standing, StandingHistogram
from league.services.standings.histogram import Histogram

if TYPE_CHECKING:
    from ratings.divisions import Scale
    from ratings.system import RatingSystem

COUNTED_SINGLY = 2_000
CLUB_WIDTH = 200.0
"""The standard deviation of ratings in Elo's chess clubs, for systems without a deviation."""

Reached = Callable[[float], float]
"""The share of players, from 0 to 1, with at least a rating."""


@dataclass(frozen=True)
class Population:
    """Players to be divided: how many have reached a rating, and how many there are."""

    reached: Reached
    players: int | None
    """``None`` if they are only expected."""


def expected_population(system: RatingSystem) -> Population:
    """Return newcomers of a system, whose strengths spread as their deviation says."""
    newcomer = system.newcomers(1)
    mean, width = float(newcomer.rating[0]), float(newcomer.deviation[0])
    if not math.isfinite(width) or width <= 0:
        width = CLUB_WIDTH * system.scale
    return Population(lambda rating: math.erfc((rating - mean) / width / math.sqrt(2)) / 2, None)


def of_arena(arena_id: int) -> Population | None:
    """Return the ranked players of an arena's latest season, ``None`` if there are none.

    Above ``COUNTED_SINGLY`` players, counts are correct to within a bucket of the histogram.
    """
    season = Season.objects.opened().filter(arena=arena_id).order_by("-starts_at").first()
    stored = StandingHistogram.objects.filter(season_id=season.pk).first() if season else None
    if season is None or stored is None or not stored.total:
        return None
    if stored.total <= COUNTED_SINGLY:
        active = Standing.objects.filter(season_id=season.pk, active=True)
        keys = np.array(active.order_by("key").values_list("key", flat=True))
        return Population(
            lambda rating: float(np.searchsorted(keys, -rating, "right")) / max(len(keys), 1),
            len(keys),
        )
    histogram = Histogram.from_bytes(
        bytes(stored.low_keys), bytes(stored.low_players), bytes(stored.counts)
    )
    ahead = np.concatenate([[0], np.cumsum(histogram.counts)])
    return Population(
        lambda rating: (
            float(ahead[np.searchsorted(histogram.low_keys, -rating, "right")])
            / max(stored.total, 1)
        ),
        stored.total,
    )


def shares(scale: Scale, population: Population) -> list[float | None]:
    """Return the share of each division, lowest first, ``None`` where it depends on the number of
    players and that is unknown."""
    cuts = [division.first for division in scale.divisions]
    if not cuts:
        return []
    above = [share_above(scale, cut, population) for cut in cuts[1:]]
    known = [1.0, *above, 0.0]
    return [
        None if low is None or high is None else max(low - high, 0.0)
        for low, high in pairwise(known)
    ]


def share_above(scale: Scale, cut: float, population: Population) -> float | None:
    """Return the share of players who have reached a cut."""
    if scale.cuts.by == "percentile":
        return (101 - cut) / 100
    if scale.cuts.by == "rating":
        return population.reached(cut)
    return min(cut / population.players, 1.0) if population.players else None
