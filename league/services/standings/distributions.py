"""The rating distribution of a season's ranked players, beside the normal curve of the same width.

Up to ``COUNTED_SINGLY`` players are counted one by one. For more, counts come from the histogram of
the standings, to within one of its buckets, at the same cost for any number of players.
Source: B. Kreimeier, "Rising from the Ranks", 2000.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from league.services.standings.board import VERSION, ask
from ratings.display import presumed_population

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena, Season
    from league.services.standings.board import Board
    from ratings.types import Floats

COUNTED_SINGLY = 2_000
BARS = 30
"""About how many bars the chart has."""

KEYS = f"""
    SELECT {VERSION}, (
        SELECT array_agg(key ORDER BY key) FROM league_standing
        WHERE season_id = %(season)s AND active
    )
"""  # noqa: S608 - a literal of the board

ENDS = f"""
    SELECT {VERSION},
        (SELECT key FROM league_standing WHERE season_id = %(season)s AND active
            ORDER BY key, player_id LIMIT 1),
        (SELECT key FROM league_standing WHERE season_id = %(season)s AND active
            ORDER BY key DESC, player_id DESC LIMIT 1)
"""  # noqa: S608 - a literal of the board


@dataclass(frozen=True)
class Bar:
    """The players in a range of ratings."""

    low: float
    high: float
    """Exclusive, except for the last bar."""
    players: int
    normal: float
    """Players in this range under the normal curve."""


@dataclass(frozen=True)
class RatingDistribution:
    """The rating distribution of ``count`` players."""

    count: int
    mean: float
    width: float
    """The standard deviation; 0 for one player or equal ratings."""
    within: tuple[float, float, float]
    """Shares of players within one, two and three standard deviations of the mean."""
    bars: list[Bar]


def rating_distribution(season: Season) -> RatingDistribution | None:
    """Return the current rating distribution; None while nobody is ranked."""
    return ask(season.pk, read_distribution)


def read_distribution(board: Board) -> RatingDistribution | None:
    total = board.histogram.total
    if not total:
        board.check_fresh()
        return None
    if total <= COUNTED_SINGLY:
        keys, below = cumulate(board)
        mean, variance = keys.mean(), keys.var(ddof=1) if len(keys) > 1 else 0.0
        return distribution_of(keys, below, float(mean), float(variance), exact=True)
    histogram = board.histogram
    bounds, below = cumulate(board)
    middle, width = (bounds[1:] + bounds[:-1]) / 2, np.diff(bounds)
    mean = float((histogram.counts * middle).sum() / total)
    spread = histogram.counts * ((middle - mean) ** 2 + width**2 / 12)
    return distribution_of(
        bounds, below, mean, float(spread.sum() / max(total - 1, 1)), exact=False
    )


def cumulate(board: Board) -> tuple[Floats, Floats]:
    """Return ascending keys, which are negated ratings, and the number of players up to each.

    Up to ``COUNTED_SINGLY`` players have a key each. For more, the keys are bounds of buckets.
    """
    histogram = board.histogram
    if histogram.total <= COUNTED_SINGLY:
        ((ascending,),) = board.query(KEYS)
        return np.array(ascending), np.arange(1.0, len(ascending) + 1)
    ((first, last),) = board.query(ENDS)
    bounds = np.concatenate([[first], histogram.low_keys[1:], [last]])
    return bounds, np.concatenate([histogram.ahead, [histogram.total]]).astype(float)


def ranked_players(season: Season) -> int:
    """Return how many players are ranked now."""
    return ask(season.pk, count_players)


def count_players(board: Board) -> int:
    board.check_fresh()
    return board.histogram.total


def players_from(season: Season, ratings: Sequence[float]) -> list[int]:
    """Return how many ranked players have each of these ratings or a better one."""

    def count(board: Board) -> list[int]:
        total = board.histogram.total
        if not total:
            board.check_fresh()
            return [0] * len(ratings)
        wanted = -np.array(ratings, dtype=np.float64)
        keys, below = cumulate(board)
        if total <= COUNTED_SINGLY:
            found = np.searchsorted(keys, wanted, side="right")
        else:
            found = np.round(np.interp(wanted, keys, below, left=0.0)).astype(np.int64)
        counts: list[int] = found.tolist()
        return counts

    return ask(season.pk, count)


def distribution_of(
    keys: Floats, below: Floats, mean: float, variance: float, *, exact: bool
) -> RatingDistribution:
    """Return the distribution given by cumulative counts: ``below[i]`` players up to ``keys[i]``.

    Keys are negated ratings, ascending. ``exact``: each key belongs to one player.
    """
    total = int(below[-1])
    deviation = math.sqrt(variance)

    def better(ratings: Floats) -> Floats:
        """Return the number of players above each rating."""
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
    return RatingDistribution(total, -mean, deviation, (shares[0], shares[1], shares[2]), bars)


def nice(least: float) -> float:
    """Return the smallest of 1, 2 and 5 times a power of ten that is at least ``least``."""
    if not least > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)


def measure(season: Season) -> None:
    """Store the mean and width of a season's ratings, if its arena shows a fixed range."""
    if season.arena.display_settings().scale != "fixed-range" or season.lowest_first:
        return
    found = rating_distribution(season)
    if found is None or not found.width:
        return
    system = season.system()
    newcomer = float(system.newcomers(1).rating[0])
    presumed = presumed_population(season.arena.display_settings(), newcomer, system.scale)
    known = presumed.with_measured(found.count, found.mean, found.width)
    season.shown_mean, season.shown_width = known.mean, known.width
    season.save(update_fields=["shown_mean", "shown_width"])


def measure_all(arena: Arena) -> None:
    """Measure all seasons of an arena after a change of what it shows."""
    if arena.display_settings().scale != "fixed-range":
        return
    for season in arena.seasons.opened():
        season.arena = arena
        measure(season)
