"""The teams of ``laurel``: the best way to split each set of tickets in two.

``matchmaking.laurel.splits`` lists the ways to split a set.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from matchmaking.expected import win_chance
from matchmaking.laurel.search import ranks_agree
from matchmaking.laurel.splits import partitions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from matchmaking.laurel.pool import Pool
    from matchmaking.laurel.search import Sets
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Forecast
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers

_Element = TypeVar("_Element", np.bool_, np.int64)

TRIED = 32
"""Splits of a set whose forecast is asked for after the best one turned out to be unfair."""


@dataclass(frozen=True, eq=False)
class Proposals:
    """M possible matches of the queue's tickets.

    ``tickets`` (M, S) are indices in the queue, -1 where a match has fewer than S; ``first`` (M, S)
    marks team 1; ``scores`` (M,); ``rematch`` (M,) is whether too many of the opponents have just
    met; ``overdue`` (M,) is the longest wait if it is beyond the bound, else 0.
    """

    tickets: Integers
    first: Booleans
    scores: Floats
    rematch: Booleans
    overdue: Floats

    @classmethod
    def concatenate(cls, parts: Sequence[Proposals], width: int) -> Proposals:
        """Return all proposals together, ``width`` tickets wide."""
        return cls(
            np.concatenate([_widen(part.tickets, width, -1) for part in parts]),
            np.concatenate([_widen(part.first, width, 0) for part in parts]),
            np.concatenate([part.scores for part in parts]),
            np.concatenate([part.rematch for part in parts]),
            np.concatenate([part.overdue for part in parts]),
        )

    @classmethod
    def empty(cls) -> Proposals:
        """Return no proposals."""
        empty = np.empty(0)
        pairs = np.empty((0, 0), dtype=np.int64)
        return cls(pairs, pairs.astype(np.bool_), empty, empty.astype(np.bool_), empty)


def _widen(values: NDArray[_Element], width: int, filling: int) -> NDArray[_Element]:
    wide = np.full((len(values), width), filling, dtype=values.dtype)
    wide[:, : values.shape[1]] = values
    return wide


class Meetings:
    """The pairs of tickets with opponents in the last match of either."""

    def __init__(self, queue: Queue) -> None:
        self._tickets = len(queue)
        low, high = np.sort(queue.met, axis=1).T
        self._codes = np.unique(low * self._tickets + high)

    def among(self, tickets: Integers) -> Booleans:
        """Return which pairs of tickets in each set (C, S) have met, (C, S, S)."""
        one, other = tickets[:, :, np.newaxis], tickets[:, np.newaxis]
        codes = np.minimum(one, other) * self._tickets + np.maximum(one, other)
        if not len(self._codes):
            return np.zeros(codes.shape, dtype=np.bool_)
        places = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.asarray(self._codes[places] == codes)


def proposals(
    pool: Pool, rules: Rules, sets: Sets, meetings: Meetings, forecast: Forecast | None = None
) -> Proposals:
    """Return the best allowed match of each set that has one, and that is fair by the ``forecast``.

    A set that can be split without a rematch is proposed that way. Around a player without
    opponents no set is close or even, so that is looked at before anything else.
    """
    parts = [Proposals.empty()]
    for rows in _by_sizes(pool, sets):
        ways = allowed_ways(tuple(pool.sizes[rows[0]].tolist()), rules)
        close = rows[_may_meet(pool, rules, rows)]
        if len(close) and len(ways):
            scoring = SplitScores(pool, rules, close, ways, meetings)
            if forecast is None:
                scoring = scoring.take(np.asarray(scoring.even().any(axis=1)))
            parts.append(_best(scoring, pool, forecast))
    return Proposals.concatenate(parts, 2 * rules.team_size)


def _may_meet(pool: Pool, rules: Rules, rows: Integers) -> Booleans:
    """Return whether the rosters of each set (C, S) may play together, however they are split."""
    close = np.ptp(pool.middle[rows], axis=1) <= rules.queue.rating_max
    if pool.has_rank_filters:
        close = close & ranks_agree(pool, rows, np.ones(rows.shape, dtype=np.bool_))
    if pool.apart is not None:
        everyone = np.ones(rows.shape, dtype=np.bool_)
        close = close & ~pool.apart.among(pool.tickets[rows], everyone)
    return np.asarray(close)


def _best(scoring: SplitScores, pool: Pool, forecast: Forecast | None) -> Proposals:
    """Return the best split of each set that has one."""
    score = sum(scoring.shares().values()) + np.zeros_like(scoring.gap)
    fresh = np.where(scoring.rematch(), -np.inf, score)
    _leave_only_fair(fresh, np.arange(len(score)), scoring, forecast)
    again = np.isneginf(fresh.max(axis=1))
    fresh[again] = score[again]
    _leave_only_fair(fresh, np.flatnonzero(again), scoring, forecast)
    best, scores = fresh.argmax(axis=1), fresh.max(axis=1)
    good = ~np.isneginf(scores)
    rows = scoring.rows[good]
    waits = np.where(pool.overdue[rows], pool.waits[rows], 0.0).max(axis=1, initial=0.0)
    return Proposals(pool.tickets[rows], scoring.ways[best[good]], scores[good], again[good], waits)


def _leave_only_fair(
    score: Floats, sets: Integers, scoring: SplitScores, forecast: Forecast | None
) -> None:
    """Set the scores (C, K) of unfair splits of these ``sets`` to -inf, as far as it matters.

    The split with the highest score is asked about first. If it is unfair, so are ``TRIED`` more,
    and all splits after these are given up.
    """
    if forecast is None:
        score[sets] = np.where(scoring.even()[sets], score[sets], -np.inf)
        return
    best = score[sets].argmax(axis=1)
    possible = ~np.isneginf(score[sets, best])
    sets, best = sets[possible], best[possible]
    unfair = ~scoring.fair(sets, best, forecast)
    sets, best = sets[unfair], best[unfair]
    score[sets, best] = -np.inf
    if not len(sets):
        return
    following = np.argsort(-score[sets], axis=1, kind="stable")[:, :TRIED]
    scores = np.take_along_axis(score[sets], following, axis=1)
    row, column = np.nonzero(~np.isneginf(scores))
    asked = following[row, column]
    fair = scoring.fair(sets[row], asked, forecast)
    score[sets] = -np.inf
    score[sets[row[fair]], asked[fair]] = scores[row[fair], column[fair]]


class SplitScores:
    """The scores of C sets of S tickets for each of K ways to split them, metric by metric.

    ``rows`` (C, S) are rows of the pool; all sets have rosters of the same sizes in the same order.
    ``ways`` (K, S) mark team 1.
    """

    def __init__(
        self, pool: Pool, rules: Rules, rows: Integers, ways: Booleans, meetings: Meetings
    ) -> None:
        self._pool, self._rules, self.rows, self.ways = pool, rules, rows, ways
        self._meetings = meetings
        self._players = 2 * rules.team_size
        self._size_differences = size_differences(pool.sizes[rows[0]], ways)[np.newaxis]
        self._sides = np.where(ways, 1.0, -1.0)
        # A sum over the last axis gives the same bits in any row; a matrix product may not.
        difference = (pool.effective[rows][:, np.newaxis] * self._sides).sum(axis=2)
        self.gap: Floats = np.abs(difference) / rules.team_size

    def take(self, sets: Booleans) -> SplitScores:
        """Return the scores of these sets (C,)."""
        if sets.all():
            return self
        same = copy(self)
        same.rows, same.gap = self.rows[sets], self.gap[sets]
        return same

    def even(self) -> Booleans:
        """Return whether each split is fair by the teams' ratings and deviations, (C, K)."""
        size, pool = self._rules.team_size, self._pool
        lead = (pool.rating[self.rows][:, np.newaxis] * self._sides).sum(axis=2) / size
        variance = pool.variance[self.rows].sum(axis=1, keepdims=True) / size
        laurel = self._rules.laurel
        chance = win_chance(lead, variance, laurel.chance_scale)
        return np.asarray(np.abs(chance - 0.5) <= laurel.fairness)

    def fair(self, sets: Integers, ways: Integers, forecast: Forecast) -> Booleans:
        """Return whether these splits (N,) of these sets (N,) are fair by the forecast.

        Where it cannot tell, their ratings and deviations do.
        """
        if not len(sets):
            return np.zeros(0, dtype=np.bool_)
        chances = forecast(self._pool.tickets[self.rows[sets]], self.ways[ways])
        fair = np.abs(chances - 0.5) <= self._rules.laurel.fairness
        return np.where(np.isnan(chances), self.even()[sets, ways], fair)

    @cached_property
    def _sizes(self) -> Integers:
        return self._pool.sizes[self.rows]

    def rematch(self) -> Booleans:
        """Return whether too many opponents have just met, (C, K)."""
        most = self._rules.laurel.rematch_share * self._rules.team_size**2
        return np.asarray(self.repeats > most)

    def shares(self) -> dict[str, Floats]:
        """Return what each metric adds to the score, each (C, K), (C, 1) or (1, K)."""
        matcher, laurel, pool, rows = (
            self._rules.matcher,
            self._rules.laurel,
            self._pool,
            self.rows,
        )
        shared, excess, distinct = self._professions()
        stacks = pool.stacks[rows].sum(axis=1, keepdims=True)
        clean = self._players - pool.dishonored[rows].sum(axis=1, keepdims=True)
        games = np.minimum(self._from_mean(pool.games), matcher.games_max)
        return {
            "age": pool.price[rows].sum(axis=1, keepdims=True),
            "rating": matcher.rating_distance * self.gap,
            "spread": laurel.spread_distance * np.ptp(pool.middle[rows], axis=1)[:, np.newaxis],
            "profession_matching": matcher.profession_matching * shared,
            "profession_common": matcher.profession_common * excess,
            "profession_unique": matcher.profession_unique * distinct,
            "dishonor_distance": matcher.dishonor_distance
            * stacks
            * clean
            / max(self._players - 1, 1),
            "dishonor_stack": matcher.dishonor_stack * stacks,
            "games": matcher.games_distance * games.sum(axis=1, keepdims=True),
            "rank": matcher.rank_distance * self._from_mean(pool.rank).sum(axis=1, keepdims=True),
            "roster_size": matcher.roster_size_distance * self._size_differences,
            "guild_team": matcher.guild_team_affinity * self._guild_teams_meet(),
            "repeats": laurel.repeat_distance * self.repeats,
        }

    def _professions(self) -> tuple[Floats, Floats, Floats]:
        """Return the shared, excess and distinct professions of the teams, (C, K) each.

        Counts without a weight are left at 0.
        """
        matcher, nothing = self._rules.matcher, np.zeros((len(self.rows), 1))
        counts = self._pool.professions[self.rows]
        # Whole numbers are exact in any order.
        first = np.matmul(self.ways.astype(np.float32), counts.astype(np.float32))
        other = counts.sum(axis=1)[:, np.newaxis].astype(np.float32) - first
        shared = excess = distinct = nothing
        if matcher.profession_matching:
            shared = np.minimum(first, other).sum(axis=2)
        if matcher.profession_common:
            most = np.float32(min(matcher.profession_max, 1e6))
            excess = (np.maximum(first - most, 0) + np.maximum(other - most, 0)).sum(axis=2)
        if matcher.profession_unique:
            distinct = (np.minimum(first, 1) + np.minimum(other, 1)).sum(axis=2)
        return shared, excess, distinct

    def _from_mean(self, values: Floats) -> Floats:
        """Return each ticket's distance from the match's mean over players, (C, S)."""
        own = values[self.rows]
        mean = (own * self._sizes).sum(axis=1, keepdims=True) / self._players
        return np.asarray(np.abs(own - mean))

    def _guild_teams_meet(self) -> Booleans:
        guild = self._pool.guild_team[self.rows][:, np.newaxis]
        if self._rules.choices.guild == "off" or not guild.any():
            return np.zeros((len(self.rows), 1), dtype=np.bool_)
        return np.asarray((guild & self.ways).any(axis=2) & (guild & ~self.ways).any(axis=2))

    @cached_property
    def repeats(self) -> Floats:
        """Return the pairs of opponents who were opponents in their last match, (C, K).

        All members of a roster count as having met the opponents of any member.
        """
        repeats = np.zeros((len(self.rows), len(self.ways)))
        some = np.flatnonzero(self._pool.met[self.rows].sum(axis=1) > 1)
        if not len(some):
            return repeats
        sizes = self._sizes[some].astype(np.float32)
        met = self._meetings.among(self._pool.tickets[self.rows[some]])
        pairs = met * sizes[:, :, np.newaxis] * sizes[:, np.newaxis]
        ways = self.ways.astype(np.float32)
        repeats[some] = (np.matmul(ways, pairs) * (1 - ways)).sum(axis=2)
        return repeats


def _by_sizes(pool: Pool, sets: Sets) -> Iterator[Integers]:
    """Yield the distinct sets by roster sizes: their rows, largest rosters first, (C, S)."""
    for count in np.unique(sets.counts):
        rows = np.sort(sets.members[sets.counts == count, :count], axis=1)
        rows = _unique_rows(rows)
        order = np.argsort(-pool.sizes[rows], axis=1, kind="stable")
        rows = np.take_along_axis(rows, order, axis=1)
        # As text, which sorts many times faster than rows. Sizes are from 1 to 200.
        patterns = pool.sizes[rows].astype(np.uint8).view(f"S{count}").ravel()
        for pattern in np.unique(patterns):
            yield rows[patterns == pattern]


def _unique_rows(rows: Integers) -> Integers:
    """Return the rows without duplicates, in lexical order."""
    order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), dtype=np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[new]


def allowed_ways(sizes: tuple[int, ...], rules: Rules) -> Booleans:
    """Return the ways to split rosters of these sizes into teams whose largest may meet, (K, S)."""
    ways = partitions(sizes, rules.team_size)
    return ways[size_differences(np.array(sizes), ways) <= rules.matcher.roster_size_max_diff]


def size_differences(sizes: Integers, ways: Booleans) -> Integers:
    """Return by how much the largest rosters of the two teams differ, (K,)."""
    largest, other = (np.where(team, sizes, 0).max(axis=1, initial=0) for team in (ways, ~ways))
    return np.asarray(np.abs(largest - other))
