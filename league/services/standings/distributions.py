"""How the ratings of a season's ranked players lie, beside the normal curve of the same width.

Few players are counted one by one. Of many, the histogram that the standings keep tells how many
stand between any two ratings, to within a stretch of it, at the same cost for any number.
Source of the picture: B. Kreimeier, "Rising from the Ranks", 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.services.standings.board import VERSION, asked

if TYPE_CHECKING:
    from league.models import Season
    from league.services.standings.board import Board
    from ratings.types import Floats

COUNTED_SINGLY = 2_000
BARS = 30
"""About how many stretches the picture has."""

KEYS = "SELECT key FROM league_standing WHERE season_id = %s AND active ORDER BY key"

ENDS = f"""
    SELECT {VERSION},
        (SELECT key FROM league_standing WHERE season_id = %(season)s AND active
            ORDER BY key, player_id LIMIT 1),
        (SELECT key FROM league_standing WHERE season_id = %(season)s AND active
            ORDER BY key DESC, player_id DESC LIMIT 1)
"""  # noqa: S608 - a literal of the board


@dataclass(frozen=True)
class Bar:
    """The players of one stretch of ratings."""

    low: float
    high: float
    """Of the last bar inclusive, of all others not."""
    players: int
    normal: float
    """How many there would be if ratings lay on the normal curve."""


@dataclass(frozen=True)
class Shape:
    """The ratings of ``count`` players."""

    count: int
    mean: float
    width: float
    """The standard deviation; 0 of one player, or of equal ones."""
    within: tuple[float, float, float]
    """Shares of the players within one, two and three widths of the mean."""
    bars: list[Bar]


def shape_of(season: Season) -> Shape | None:
    """How ratings lie now; none before anybody is ranked."""
    return asked(season.pk, lambda board: measured(season, board))


def measured(season: Season, board: Board) -> Shape | None:
    total = board.histogram.total
    if not total:
        board.check()
        return None
    if total <= COUNTED_SINGLY:
        with connection.cursor() as cursor:
            cursor.execute(KEYS, [season.pk])
            keys = np.array([row[0] for row in cursor.fetchall()])
        bounds, below = keys, np.arange(1.0, len(keys) + 1)
        mean, variance = keys.mean(), keys.var(ddof=1) if len(keys) > 1 else 0.0
        return drawn(bounds, below, float(mean), float(variance), exact=True)
    ((first, last),) = board.ask(ENDS)
    histogram = board.histogram
    bounds = np.concatenate([[first], histogram.low_keys[1:], [last]])
    below = np.concatenate([histogram.ahead, [total]]).astype(float)
    middle, width = (bounds[1:] + bounds[:-1]) / 2, np.diff(bounds)
    mean = float((histogram.counts * middle).sum() / total)
    spread = histogram.counts * ((middle - mean) ** 2 + width**2 / 12)
    return drawn(bounds, below, mean, float(spread.sum() / max(total - 1, 1)), exact=False)


def drawn(keys: Floats, below: Floats, mean: float, variance: float, *, exact: bool) -> Shape:
    """The picture of an order: ``below[i]`` stand up to ``keys[i]``, which ascend.

    Keys are ratings with their sign turned. ``exact``: each key is one player's.
    """
    total = int(below[-1])
    deviation = math.sqrt(variance)

    def better(ratings: Floats) -> Floats:
        """How many have more than these ratings."""
        if exact:
            return np.searchsorted(keys, -ratings, side="left").astype(float)
        return np.interp(-ratings, keys, below)

    lowest, highest = float(-keys[-1]), float(-keys[0])
    step = nice((highest - lowest) / BARS)
    edges = step * np.arange(math.floor(lowest / step), math.floor(highest / step) + 2)
    above = np.floor(better(np.nextafter(edges, -np.inf)) + 0.5)
    counts = (above[:-1] - above[1:]).astype(int).tolist()
    normal = [0.0] * len(counts)
    if deviation > 0:
        scale = deviation * math.sqrt(2)
        below_edge = [0.5 * math.erfc((-mean - edge) / scale) for edge in edges.tolist()]
        normal = [total * (high - low) for low, high in pairwise(below_edge)]
    shares = []
    for widths in (1, 2, 3):
        reach = widths * deviation
        low, high = better(
            np.array([np.nextafter(-mean - reach, -np.inf), np.nextafter(-mean + reach, np.inf)])
        )
        shares.append(float(low - high) / total if deviation > 0 else 1.0)
    bars = [
        Bar(low, high, players, curve)
        for (low, high), players, curve in zip(
            pairwise(edges.tolist()), counts, normal, strict=True
        )
    ]
    return Shape(total, -mean, deviation, (shares[0], shares[1], shares[2]), bars)


def nice(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, … (or their tenths) that is at least this."""
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
