"""The search of ``laurel``: the best set of tickets near every anchor.

An anchor's neighbourhood is a window over the tickets in order of rating. A set is filled nearest
first, seat by seat, so that two full teams are possible. Then members are exchanged for outsiders
of the same size, the best exchange first, while the score of the set rises. The score of a set is
that of the match with professions shared as evenly as possible, and without the difference between
the teams; ``teams`` splits the set. But the difference counts if the anchor is a whole team, as
there is only one way to split the set then. All anchors are searched at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matchmaking.laurel.pool import Pool
    from matchmaking.rules.arena import Rules
    from matchmaking.types import Booleans, Floats, Integers

EXCHANGES = 8
"""Maximum exchanges per set."""

STACKS_DISTANCE = 200.0
"""Rating points added, in the second fill, between tickets with and without stacks."""


@dataclass(frozen=True, eq=False)
class Sets:
    """C sets of tickets: the first ``counts`` (C,) of the ``members`` (C, W) of each.

    Members are rows of the pool, the anchor first.
    """

    members: Integers
    counts: Integers

    def take(self, sets: Integers | Booleans) -> Sets:
        """Return these sets."""
        return Sets(self.members[sets], self.counts[sets])

    @property
    def chosen(self) -> Booleans:
        """Return which columns are in the set, (C, W)."""
        return np.asarray(np.arange(self.members.shape[1]) < self.counts[:, np.newaxis])


def windows(anchors: Integers, tickets: int, width: int) -> Integers:
    """Return the ``width`` tickets around each anchor, (C, width), or (width,) for a single anchor.

    Near an end of the order, the window shifts inwards. ``width`` is at most ``tickets``.
    """
    first = np.clip(anchors - width // 2, 0, tickets - width)
    return first[..., np.newaxis] + np.arange(width)


def search(pool: Pool, rules: Rules, anchors: Integers, members: Integers, *, twice: bool) -> Sets:
    """Return the best sets found for the anchors in their windows ``members`` (C, W).

    An anchor without two full teams around it gets none. If dishonored players are grouped, an
    anchor with stacks gets two sets: one filled from the nearest ratings, one from the nearest
    ratings with stacks. ``twice`` gives every anchor both.
    """
    orders = [_nearest_first(pool, rules, anchors, members, 0.0)]
    again = (pool.dishonored[anchors] > 0) | (twice & bool(pool.dishonored.any()))
    if rules.matcher.dishonor_distance and again.any():
        orders.append(_nearest_first(pool, rules, anchors[again], members[again], STACKS_DISTANCE))
    return _improve(pool, rules, _fill(pool, rules, np.concatenate(orders)))


def stagger(pool: Pool, rules: Rules, anchors: Integers, members: Integers) -> Sets:
    """Return sets around isolated anchors, for which the nearest tickets give no even teams.

    The other team comes from the nearest tickets, the anchor's own from tickets one, two, ...
    further away.
    """
    ordered = _nearest_first(pool, rules, anchors, members, 0.0)
    near, far = np.split(ordered, [min(rules.team_size + 1, ordered.shape[1])], axis=1)
    width = max(far.shape[1], 1)
    skips = (np.arange(width)[:, np.newaxis] + np.arange(far.shape[1])) % width
    orders = np.concatenate((np.repeat(near[:, np.newaxis], width, axis=1), far[:, skips]), axis=2)
    return _fill(pool, rules, orders.reshape(-1, ordered.shape[1]))


def all_sets(pool: Pool, rules: Rules, members: Integers) -> Sets:
    """Return all sets of these tickets (W,) with exactly the players of a match.

    The time is exponential in W, which should be below 16.
    """
    players = np.zeros(1, dtype=np.int64)
    for size in pool.sizes[members]:
        players = np.concatenate((players, players + size))
    full = players == 2 * rules.team_size
    in_front, counts = _subsets(len(members))
    return Sets(members[in_front[full]], counts[full])


@lru_cache(maxsize=16)
def _subsets(tickets: int) -> tuple[Integers, Integers]:
    """Return every subset's tickets followed by the others, (2^tickets, tickets), and its size.

    The subsets without the last ticket come first.
    """
    chosen = np.arange(2**tickets)[:, np.newaxis] >> np.arange(tickets) & 1
    return np.argsort(1 - chosen, axis=1, kind="stable"), chosen.sum(axis=1)


def _nearest_first(
    pool: Pool, rules: Rules, anchors: Integers, members: Integers, stacks_distance: float
) -> Integers:
    """Return each window's members, the anchor first and then by distance, (C, W).

    An anchor too large to meet single players is followed by the nearest roster that it may meet.
    """
    column = anchors[:, np.newaxis]
    distance = np.abs(pool.middle[members] - pool.middle[column])
    if stacks_distance:
        has_stacks = pool.dishonored > 0
        distance += stacks_distance * (has_stacks[members] != has_stacks[column])
    distance[members == column] = -1.0
    least = pool.sizes[anchors] - rules.matcher.roster_size_max_diff
    large = np.flatnonzero(least > 1)
    if len(large):
        possible = (distance[large] >= 0) & (pool.sizes[members[large]] >= least[large, np.newaxis])
        nearest = np.where(possible, distance[large], np.inf).argmin(axis=1)
        found = possible[np.arange(len(large)), nearest]
        distance[large[found], nearest[found]] = -0.5
    return np.take_along_axis(members, np.argsort(distance, axis=1, kind="stable"), axis=1)


def _fill(pool: Pool, rules: Rules, members: Integers) -> Sets:
    """Fill sets in the order of ``members``, each roster into the emptier team if it fits.

    Sets without two full teams are left out.
    """
    sizes = pool.sizes[members]
    chosen = np.zeros(sizes.shape, dtype=np.bool_)
    more, less = np.full((2, len(sizes)), rules.team_size)
    for column, size in enumerate(sizes.T):
        fits = more >= size
        if pool.has_rank_filters:
            chosen[:, column] = True
            fits &= ranks_agree(pool, members[:, : column + 1], chosen[:, : column + 1])
        if pool.apart is not None:
            beside = slice(0, column + 1)
            fits &= ~pool.apart.from_last(pool.tickets[members[:, beside]], chosen[:, beside])
        chosen[:, column] = fits
        room = more - size * fits
        more, less = np.maximum(room, less), np.minimum(room, less)
    full = more + less == 0
    members, chosen = members[full], chosen[full]
    in_front = np.argsort(~chosen, axis=1, kind="stable")
    return Sets(np.take_along_axis(members, in_front, axis=1), chosen.sum(axis=1))


def ranks_agree(pool: Pool, members: Integers, chosen: Booleans) -> Booleans:
    """Return which sets keep within every member's rank filter, (C,)."""

    def most(values: Floats) -> Floats:
        return np.asarray(np.where(chosen, values[members], -np.inf).max(axis=1))

    low, high = most(pool.low_rank), -most(-pool.high_rank)
    lowest, highest = -most(-pool.lowest_rank), most(pool.highest_rank)
    return np.asarray((low <= lowest) & (highest <= high))


def _improve(pool: Pool, rules: Rules, sets: Sets) -> Sets:
    """Return the sets after their exchanges."""
    worth = _SetScore(pool, rules)
    members, active = sets.members.copy(), np.arange(len(sets.counts))
    now = worth.of(sets)
    for _ in range(EXCHANGES):
        if not len(active):
            break
        before = Sets(members[active], sets.counts[active])
        after = worth.exchange(before)
        then = worth.of(after)
        better = then > now[active] + 1e-6
        active = active[better]
        members[active], now[active] = after.members[better], then[better]
    return Sets(members, sets.counts)


class _SetScore:
    """The scores of sets, and the most promising exchange in each."""

    def __init__(self, pool: Pool, rules: Rules) -> None:
        self._pool, self._matcher = pool, rules.matcher
        self._players, self._team_size = 2 * rules.team_size, rules.team_size
        self._rating = rules.matcher.rating_distance
        self._spread = rules.laurel.spread_distance
        self._dishonor = rules.matcher.dishonor_distance / max(self._players - 1, 1)
        count = np.arange(self._players + 2)
        # The score of c players of one profession, shared between the teams as evenly as possible.
        self._count_worth = (
            rules.matcher.profession_matching * (count // 2)
            + rules.matcher.profession_unique * np.minimum(count, 2)
            + rules.matcher.profession_common
            * np.maximum(count - 2 * rules.matcher.profession_max, 0)
        )

    def of(self, sets: Sets) -> Floats:
        """Return the score of each set, (C,)."""
        most = int(sets.counts.max(initial=1))
        chosen, members = sets.chosen[:, :most], sets.members[:, :most]
        middle = self._pool.middle[members]
        high = np.where(chosen, middle, -np.inf).max(axis=1)
        low = np.where(chosen, middle, np.inf).min(axis=1)
        stacks = (self._pool.stacks[members] * chosen).sum(axis=1)
        dishonored = (self._pool.dishonored[members] * chosen).sum(axis=1)
        worth: Floats = self._count_worth[self._counts(members, chosen)].sum(axis=1)
        worth += (self._alone(sets.members, most) * chosen).sum(axis=1)
        worth += self._spread * (high - low) + self._of_dishonor(stacks, dishonored)
        whole = self._whole_teams(sets)
        effective = (self._pool.effective[members[whole]] * chosen[whole]).sum(axis=1)
        worth[whole] += self._of_gap(sets.members[whole, 0], effective)
        if self._pool.has_rank_filters:
            worth[~ranks_agree(self._pool, members, chosen)] = -np.inf
        if self._pool.apart is not None:
            worth[self._pool.apart.among(self._pool.tickets[members], chosen)] = -np.inf
        return worth

    def exchange(self, sets: Sets) -> Sets:
        """Make the most promising exchange of a member for an outsider in each set."""
        each = np.arange(len(sets.counts))
        most, least = int(sets.counts.max()), int(sets.counts.min())
        outsiders = sets.members.shape[1] - least
        if not outsiders:
            return sets
        gain = self._gains(sets, most, least)
        best = gain.reshape(len(each), -1).argmax(axis=1)
        out, into = best // outsiders, best % outsiders + least
        possible = np.isfinite(gain[each, out, into - least])
        each, out, into = each[possible], out[possible], into[possible]
        members = sets.members.copy()
        members[each, out], members[each, into] = members[each, into], members[each, out]
        return Sets(members, sets.counts)

    def _gains(self, sets: Sets, most: int, least: int) -> Floats:
        """Return what exchanging a column before ``most`` for one from ``least`` adds, (C, O, I).

        Exact except for professions that rosters of several players partly share.
        """
        pool, members, chosen = self._pool, sets.members, sets.chosen
        inside, outside = members[:, :most, np.newaxis], members[:, np.newaxis, least:]
        less, more = self._by_professions(members, chosen, most, least)
        gain = np.where(
            pool.mixture[inside] == pool.mixture[outside],
            0.0,
            less[:, :, np.newaxis] + more[:, np.newaxis],
        )
        alone = self._alone(members, members.shape[1])
        gain += alone[:, np.newaxis, least:] - alone[:, :most, np.newaxis]
        gain += self._by_spread(members[:, :most], chosen[:, :most], outside)
        if self._dishonor:
            gain += self._by_dishonor(members[:, :most], chosen[:, :most], outside)
        whole = self._whole_teams(sets)
        if len(whole):
            gain[whole] += self._by_gap(members[whole], chosen[whole], most, least)
        impossible = pool.sizes[inside] != pool.sizes[outside]
        impossible |= ~chosen[:, :most, np.newaxis] | chosen[:, np.newaxis, least:]
        impossible[:, 0] = True  # the anchor stays
        if pool.has_rank_filters:
            anchor, others = members[:, :1], members[:, least:]
            excluded = (pool.low_rank[anchor] > pool.lowest_rank[others]) | (
                pool.high_rank[anchor] < pool.highest_rank[others]
            )
            impossible |= excluded[:, np.newaxis]
        gain[impossible] = -np.inf
        return gain

    def _by_professions(
        self, members: Integers, chosen: Booleans, most: int, least: int
    ) -> tuple[Floats, Floats]:
        """Return what leaving, (C, most), and entering, (C, W - least), change."""
        worth, professions = self._count_worth, self._pool.professions[members]
        counts = (professions * chosen[:, :, np.newaxis]).sum(axis=1).astype(np.int64)
        less = worth[np.maximum(counts - 1, 0)] - worth[counts]
        more = worth[counts + 1] - worth[counts]
        leaving = (professions[:, :most] * less[:, np.newaxis]).sum(axis=2)
        entering = (professions[:, least:] * more[:, np.newaxis]).sum(axis=2)
        return leaving, entering

    def _by_spread(self, inside: Integers, chosen: Booleans, outside: Integers) -> Floats:
        own, others = self._pool.middle[inside], self._pool.middle[outside]
        highs, lows = np.where(chosen, own, -np.inf), np.where(chosen, own, np.inf)
        second_high, high = np.partition(highs, -2, axis=1)[:, -2:].T[:, :, np.newaxis]
        low, second_low = np.partition(lows, 1, axis=1)[:, :2].T[:, :, np.newaxis]
        rest_high = np.where(highs == high, second_high, high)
        rest_low = np.where(lows == low, second_low, low)
        after: Floats = np.maximum(rest_high[:, :, np.newaxis], others)
        after -= np.minimum(rest_low[:, :, np.newaxis], others)
        after -= (high - low)[:, :, np.newaxis]
        after *= self._spread
        return after

    def _by_dishonor(self, inside: Integers, chosen: Booleans, outside: Integers) -> Floats:
        own_stacks, own = self._pool.stacks[inside], self._pool.dishonored[inside]
        stacks = (own_stacks * chosen).sum(axis=1, keepdims=True)
        dishonored = (own * chosen).sum(axis=1, keepdims=True)
        after = self._of_dishonor(
            (stacks - own_stacks)[:, :, np.newaxis] + self._pool.stacks[outside],
            (dishonored - own)[:, :, np.newaxis] + self._pool.dishonored[outside],
        )
        return after - self._of_dishonor(stacks, dishonored)[:, :, np.newaxis]

    def _whole_teams(self, sets: Sets) -> Integers:
        """Return the sets whose anchor is a whole team."""
        return np.flatnonzero(self._pool.sizes[sets.members[:, 0]] == self._team_size)

    def _by_gap(self, members: Integers, chosen: Booleans, most: int, least: int) -> Floats:
        own, anchors = self._pool.effective[members], members[:, 0, np.newaxis, np.newaxis]
        before = (own * chosen).sum(axis=1)[:, np.newaxis, np.newaxis]
        after = before - own[:, :most, np.newaxis] + own[:, np.newaxis, least:]
        return self._of_gap(anchors, after) - self._of_gap(anchors, before)

    def _of_gap(self, anchors: Integers, effective: Floats) -> Floats:
        """Return what the difference between the anchor and its opponents adds.

        ``effective`` is the sum over both.
        """
        gap: Floats = np.abs(effective - 2 * self._pool.effective[anchors]) / self._team_size
        return self._rating * gap

    def _of_dishonor(self, stacks: Floats, dishonored: Floats) -> Floats:
        return self._dishonor * stacks * (self._players - dishonored)

    def _counts(self, members: Integers, chosen: Booleans) -> Integers:
        """Return the members of each profession in each set, (C, P)."""
        counts = (self._pool.professions[members] * chosen[:, :, np.newaxis]).sum(axis=1)
        return np.asarray(counts, dtype=np.int64)

    def _alone(self, members: Integers, columns: int) -> Floats:
        """Return each ticket's own share, given its distance from the anchor, (C, columns)."""
        pool, matcher, anchor, own = self._pool, self._matcher, members[:, :1], members[:, :columns]
        value = pool.price[own] + matcher.dishonor_stack * pool.stacks[own]
        if matcher.games_distance:
            games = np.abs(pool.games[own] - pool.games[anchor])
            value += matcher.games_distance * np.minimum(games, matcher.games_max)
        if matcher.rank_distance:
            value += matcher.rank_distance * np.abs(pool.rank[own] - pool.rank[anchor])
        return value
