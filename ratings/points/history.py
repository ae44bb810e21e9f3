"""Ladder points of whole histories: the points of each participant for each match.

The odds are those of the match's forecast, if it has one. Otherwise they are the rating system's
before the match, with a draw shared among the sides, and can be computed again from the match's own
events in any order. With more than two sides, the odds are those of coming first of all. They are
low for everybody, so such matches are better served by a custom table.

If no score was kept, nobody scored, or the winner's score is not the highest, the share of the
winning score is 1 for the first and 0 for all others. If several sides share the first place,
nobody has a victory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.contests import forecasting
from ratings.levels import shape_codes
from ratings.points.rules import award_points, points_by_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ratings.history import History
    from ratings.points.rules import PointRules, Window
    from ratings.points.tables import PointSeason
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers, States

AT_ONCE = 20_000
"""Participants predicted at once."""


@dataclass(frozen=True)
class EarnedPoints:
    """The points of ``N`` participants for their matches, in the order of the history."""

    counts: Booleans
    """Whether the match was played, and in time. Otherwise the points are 0."""
    odds: Floats
    """Odds of victory, 0 to 1."""
    score_ratio: Floats
    """The side's share of the winning score, 0 to 1, even for deserters."""
    victory: Booleans
    """Whether the side alone came first."""
    deserted: Booleans
    points: Integers


def earned_points(
    season: PointSeason,
    window: Window,
    system: RatingSystem,
    history: History,
    before: States,
    forecast: Floats | None = None,
) -> EarnedPoints:
    """Return the points for a history of ``N`` participants with the states ``before`` ``(N,)``.

    ``forecast`` ``(N,)`` has the odds of matches with a forecast of their own, NaN for others. A
    match's points depend only on the match, its forecast and ``before``. Raises
    ``UnsupportedMatch`` if the system cannot predict a match without one.
    """
    sizes = history.sizes
    ratio, victory = outcomes(history)
    in_time = window.counts(history.times)
    if history.played is not None:
        in_time = in_time & history.played
    counts = np.repeat(in_time, np.diff(history.match_offsets))
    odds = history_odds(system, history, before, forecast)
    ratio, victory = np.repeat(ratio, sizes), np.repeat(victory, sizes)
    if season.by_place:
        ranks = np.repeat(ranks_of(history), sizes)
        points = points_by_place(season.by_place, ranks, deserted=history.quits, in_season=counts)
        return EarnedPoints(counts, odds, ratio, victory, history.quits, points)
    points = np.zeros(len(odds), dtype=np.int64)
    for table, rows in rows_by_table(season, history):
        points[rows] = award_points(
            table,
            odds[rows],
            ratio[rows],
            victory=victory[rows],
            deserted=history.quits[rows],
            in_season=counts[rows],
        )
    return EarnedPoints(counts, odds, ratio, victory, history.quits, points)


def rows_by_table(
    season: PointSeason, history: History
) -> Iterator[tuple[PointRules, slice | Booleans]]:
    """Yield each table with the participants whose match it applies to, by its game mode."""
    if history.modes is None or not season.by_mode:
        yield season.table, slice(None)
        return
    tables = {mode: season.table_of(mode) for mode in set(history.modes)}
    used = list(dict.fromkeys(tables.values()))
    codes = np.array([used.index(tables[mode]) for mode in history.modes])
    of_participant = np.repeat(codes, np.diff(history.match_offsets))
    for code, table in enumerate(used):
        yield table, of_participant == code


def ranks_of(history: History) -> Integers:
    """Return ``(S,)`` how many sides of the same match are ahead of each."""
    starts = history.side_offsets[:-1]
    match = np.repeat(np.arange(len(starts)), np.diff(history.side_offsets))
    order = np.lexsort((history.places, match))
    ahead = np.arange(len(order))
    level = np.zeros(len(order), dtype=np.bool_)
    level[1:] = (np.diff(match[order]) == 0) & (np.diff(history.places[order]) == 0)
    ahead = np.maximum.accumulate(np.where(level, 0, ahead)) - starts[match[order]]
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = ahead
    return ranks


def outcomes(history: History) -> tuple[Floats, Booleans]:
    """Return ``(S,)`` each side's share of the winning score, and whether it alone came first."""
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
    all_known = of_side(np.logical_and.reduceat(known, starts)).astype(np.bool_)
    scored = all_known & (winning > 0) & (winning >= highest) & np.isfinite(winning)
    share = np.maximum(np.where(scored, scores, 0.0), 0.0) / np.where(scored, winning, 1.0)
    return np.where(scored, share, first.astype(np.float64)), first & alone


def history_odds(
    system: RatingSystem, history: History, before: States, forecast: Floats | None = None
) -> Floats:
    """Return ``(N,)`` each participant's odds of victory, predicted by match shape where NaN."""
    codes, shapes = shape_codes(history)
    firsts = history.match_offsets[:-1]
    odds = np.full(len(history.player), np.nan) if forecast is None else forecast.copy()
    wanted = np.isnan(odds[firsts])
    for code, sizes in enumerate(shapes):
        matches = np.flatnonzero((codes == code) & wanted)
        step = max(AT_ONCE // sum(sizes), 1)
        for start in range(0, len(matches), step):
            chosen = matches[start : start + step]
            rows = firsts[chosen][:, None] + np.arange(sum(sizes))
            first = None if history.first is None else history.first[chosen]
            odds_of_side = side_odds(system, before.take(rows), sizes, history.times[chosen], first)
            odds[rows] = np.repeat(odds_of_side, sizes, axis=-1)
    return odds


def side_odds(
    system: RatingSystem,
    states: States,
    sizes: Sequence[int],
    times: Integers,
    first: Integers | None = None,
) -> Floats:
    """Return ``(m, s)`` odds of the sides of matches of one shape. ``states`` is ``(m, p)``.

    ``first`` ``(m,)`` are their first sides as in a ``Batch``, ``None`` on neutral ground.
    """
    forecast = forecasting.forecast(system, states, sizes, times, first)
    return np.clip(forecast.win + forecast.draw[:, None] / len(sizes), 0.0, 1.0)
