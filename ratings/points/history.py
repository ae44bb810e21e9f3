"""Ladder points of whole histories: what each participant takes from each match.

The odds are those that the rating system saw before the match, a draw shared among the sides. The
published page predicts from ladder points, ranks and roster sizes instead (``Prediction``); a
rating system has all of that in its ratings, and odds that are worked out from a match's own
events can be worked out again in any order. Among more than two sides the odds are those of coming
first of all, which are low for everybody: a table of one's own suits such matches better.

Where no score was kept, nobody scored, or the winner's score is not the highest, the share of the
winning score is 1 for the first and 0 for all others. A match that several sides share the first
place of is nobody's victory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.points.rules import awarded
from ratings.replay import shape_codes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.history import History
    from ratings.points.rules import Window
    from ratings.points.tables import PointSeason
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers, States

AT_ONCE = 20_000
"""Participants that are foreseen in one go."""


@dataclass(frozen=True)
class Earned:
    """What ``N`` participants took from their matches, in the order of the history."""

    counts: Booleans
    """Whether the match was played, and in time; the points are 0 where it was not."""
    odds: Floats
    """Of victory, 0 to 1."""
    score_ratio: Floats
    """The side's share of the winning score, 0 to 1, whoever deserted."""
    victory: Booleans
    """Whether the side alone came first."""
    deserted: Booleans
    points: Integers


def earned(
    season: PointSeason, window: Window, system: RatingSystem, history: History, before: States
) -> Earned:
    """The points of a history of ``N`` participants, who entered with the states ``before`` (N,).

    Each match is on its own: what it gives depends on nothing but itself and ``before``.
    Raises ``UnsupportedMatch`` for one that the system cannot foresee.
    """
    sizes = history.sizes
    ratio, victory = outcomes(history)
    in_time = window.counts(history.times)
    if history.played is not None:
        in_time = in_time & history.played
    counts = np.repeat(in_time, np.diff(history.match_offsets))
    odds = odds_of(system, history, before)
    ratio, victory = np.repeat(ratio, sizes), np.repeat(victory, sizes)
    points = awarded(
        season.table, odds, ratio, victory=victory, deserted=history.quits, in_season=counts
    )
    return Earned(counts, odds, ratio, victory, history.quits, points)


def outcomes(history: History) -> tuple[Floats, Booleans]:
    """``(S,)`` each side's share of the winning score, and whether it alone came first."""
    starts = history.side_offsets[:-1]
    if not len(starts):
        return np.zeros(0), np.zeros(0, np.bool_)
    counts = np.diff(history.side_offsets)

    def of_side(values: Floats) -> Floats:
        return np.repeat(values, counts)

    first = history.places == of_side(np.minimum.reduceat(history.places, starts))
    alone = of_side(np.add.reduceat(first.astype(np.int64), starts)) == 1
    known = ~np.isnan(history.scores)
    scores = np.where(known, history.scores, -np.inf)
    winning = of_side(np.maximum.reduceat(np.where(first, scores, -np.inf), starts))
    highest = of_side(np.maximum.reduceat(scores, starts))
    told = of_side(np.logical_and.reduceat(known, starts)).astype(np.bool_)
    scored = told & (winning > 0) & (winning >= highest) & np.isfinite(winning)
    share = np.maximum(np.where(scored, scores, 0.0), 0.0) / np.where(scored, winning, 1.0)
    return np.where(scored, share, first.astype(np.float64)), first & alone


def odds_of(system: RatingSystem, history: History, before: States) -> Floats:
    """``(N,)`` each participant's odds of victory, by the shape of their matches."""
    codes, shapes = shape_codes(history)
    odds = np.empty(len(history.player))
    firsts = history.match_offsets[:-1]
    for code, sizes in enumerate(shapes):
        matches = np.flatnonzero(codes == code)
        step = max(AT_ONCE // sum(sizes), 1)
        for start in range(0, len(matches), step):
            chosen = matches[start : start + step]
            rows = firsts[chosen][:, None] + np.arange(sum(sizes))
            odds[rows] = foreseen(system, before.take(rows), sizes, history.times[chosen])
    return odds


def foreseen(system: RatingSystem, states: States, sizes: Sequence[int], times: Integers) -> Floats:
    """``(m, p)`` odds of matches of one shape; ``states`` is ``(m, p)``."""
    forecast = system.predict(states, sizes, times)
    of_side = np.clip(forecast.win + forecast.draw[:, None] / len(sizes), 0.0, 1.0)
    return np.repeat(of_side, sizes, axis=-1)
