"""The matcher ``laurel``: fair teams from the whole queue at once.

The published matchers build a match around one target after another. This one searches around every
ticket for the set that would play best together (``search``), splits each set into its best two
teams (``teams``), and makes the matches with the highest scores that share no ticket. It repeats
this with the remaining tickets until no match reaches the minimum score. The score uses the
published weights, for a match instead of a seat. Waiting adds to it, so a long wait makes up for a
less close match.

Five guarantees hold whatever the score. No match is less fair than the rules allow. Nobody meets
the same opponents again at once while another match is possible. Tickets that have waited beyond
the bound come first and need no minimum score. If the time runs out, those who have waited longest
have had their search. And there is no chance and no clock: the same queue
gives the same matches, in whatever order equal tickets are queued.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from matchmaking.laurel import search, teams
from matchmaking.laurel.pool import Pool
from matchmaking.laurel.teams import Proposals
from matchmaking.shared import Shared
from matchmaking.tick import Match, Pick, Tick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

    from matchmaking.laurel.search import Sets
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline, Forecast
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Integers

SMALL_POOL = 400
"""Tickets up to which each ticket is an anchor with a wide window, searched twice."""

WIDE, NARROW, STRIDE = 2.0, 1.6, 4
"""Tickets per player in the windows of small and of large pools, and the anchors' stride.

In a large pool every ``STRIDE``-th ticket is an anchor.
"""

AT_ONCE = 512
"""Anchors searched together: as many as fit the processor's cache."""

EXHAUSTIVE, THOROUGH = 12, 15
"""Tickets up to which all sets are tried: always, and where a guarantee depends on it."""

RESCUED, RESCUED_THOROUGHLY = 16, 4
"""Overdue tickets that are rescued in a pass, and that get a thorough search.

If there are more, they take turns.
"""

RESCUE_WIDTH = 4
"""Tickets per player in the window of an overdue ticket without a match in the ordinary window."""

PASSES = 50

TURN = (5**0.5 - 1) / 2
"""Turns per second. Being irrational, it keeps in step with no interval between ticks, so whatever
takes turns comes to all."""


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,
    generator: Generator | None = None,  # noqa: ARG001 - every matcher takes one; this one uses no chance
    deadline: Deadline | None = None,
    forecast: Forecast | None = None,
) -> Tick:
    """Run one tick of ``laurel``; see ``tick.Matcher``.

    The deadline is checked between batches, of which those that have waited longest are searched
    first. The matches found by then are made.
    """
    matches = _Matchmaker(queue, rules, now, deadline, forecast).matches() if len(queue) else ()
    gone = {ticket for each in matches for ticket in each.tickets}
    return Tick(tuple(matches), tuple(ticket for ticket in range(len(queue)) if ticket not in gone))


def explain(queue: Queue, rules: Rules, match: Match, *, now: float) -> list[dict[str, float]]:
    """Return what each metric added to the score of a match made by this matcher, for each pick.

    Every pick has the score of the whole match, so the shares of all picks are equal.
    """
    pool = Pool.of(queue, rules, now)
    tickets = np.array(match.tickets)
    rows = np.argsort(pool.tickets)[tickets][np.newaxis]
    ways = np.isin(tickets, match.team1)[np.newaxis]
    meetings = teams.Meetings(queue)
    shares = teams.SplitScores(pool, rules, rows, ways, meetings).shares()
    return [{name: float(share.item()) for name, share in shares.items()}] * len(match.picks)


class _Matchmaker:
    """The matcher for one queue at one time."""

    def __init__(
        self,
        queue: Queue,
        rules: Rules,
        now: float,
        deadline: Deadline | None,
        forecast: Forecast | None,
    ) -> None:
        self._queue, self._rules, self._deadline = queue, rules, deadline
        self._forecast = forecast
        self._meetings = teams.Meetings(queue)
        self._turn = now * TURN % 1.0
        pool = Pool.of(queue, rules, now)
        self._pools = [pool.take(rows) for rows in _apart(queue, rules, pool, now)]
        self._waits = queue.waits(now).tolist()
        # One entry more than tickets: the last, at -1, belongs to no ticket and is never taken.
        self._taken = np.zeros(len(queue) + 1, dtype=np.bool_)
        # Overdue tickets for which even a thorough search found no match.
        self._abandoned = np.zeros(len(queue) + 1, dtype=np.bool_)
        self._made: list[Match] = []
        self._time_is_up = False

    def matches(self) -> list[Match]:
        """Return the matches in the order they were made."""
        for _ in range(PASSES):
            proposals = self._proposals(EXHAUSTIVE)
            if not self._make(proposals, ~proposals.rematch) or self._time_is_up:
                break
        if proposals.rematch.any() and not self._time_is_up:
            proposals = self._proposals(THOROUGH)
            # Had the time run out midway, another match might still have been possible.
            if not self._time_is_up:
                self._make(proposals, self._unavoidable(proposals))
        return self._made

    def _make(self, proposals: Proposals, allowed: Booleans) -> bool:
        """Make the most urgent proposals that reach the minimum score and share no ticket."""
        worth = (proposals.overdue > 0) | (proposals.scores >= self._rules.laurel.asking)
        rows = np.flatnonzero(allowed & worth)
        order = np.lexsort((-proposals.scores[rows], -proposals.overdue[rows]))
        before = len(self._made)
        for row in rows[order].tolist():
            tickets = proposals.tickets[row]
            if not self._taken[tickets].any():
                self._taken[tickets[tickets >= 0]] = True
                score = float(proposals.scores[row])
                self._made.append(self._match(tickets, proposals.first[row], score))
        return len(self._made) > before

    def _match(self, tickets: Integers, first: Booleans, score: float) -> Match:
        """Build a match: the longest-waiting ticket first in team 1, the others in queue order."""
        team1, team2 = (
            sorted(tickets[team & (tickets >= 0)].tolist(), key=self._longest_first)
            for team in (first, ~first)
        )
        if self._longest_first(team2[0]) < self._longest_first(team1[0]):
            team1, team2 = team2, team1
        team1[1:], team2 = sorted(team1[1:]), sorted(team2)
        picks = [Pick(ticket, 1, score) for ticket in team1[1:]]
        picks += [Pick(ticket, 2, score) for ticket in team2]
        return Match(tuple(team1), tuple(team2), tuple(picks))

    def _longest_first(self, ticket: int) -> tuple[float, int]:
        return -self._waits[ticket], ticket

    def _unavoidable(self, proposals: Proposals) -> Booleans:
        """Return the rematches of tickets with no other possible match, whatever the score."""
        others = np.zeros(len(self._taken), dtype=np.bool_)
        fresh = proposals.tickets[~proposals.rematch]
        others[fresh[fresh >= 0]] = True
        others[-1] = False
        return proposals.rematch & ~others[proposals.tickets].any(axis=1)

    def _proposals(self, exhaustive: int) -> Proposals:
        """Return the best match of each promising set of free tickets.

        All sets are tried for up to ``exhaustive`` tickets; beyond that, the search chooses them.
        When the time is up, the proposals found by then are returned.
        """
        found = [Proposals.empty()]
        parts = self._parts(exhaustive)
        while not self._out_of_time() and (part := next(parts, None)) is not None:
            found.append(part)
        return Proposals.concatenate(found, 2 * self._rules.team_size)

    def _parts(self, exhaustive: int) -> Iterator[Proposals]:
        """Yield the proposals of all pools, batch by batch, the pools in turn."""
        pools = [pool for whole in self._pools if self._fills_a_match(pool := self._free(whole))]
        first = int(self._turn * len(pools))
        waiting = deque(
            self._all_sets(pool) if len(pool) <= exhaustive else self._search(pool)
            for pool in (*pools[first:], *pools[:first])
        )
        while waiting:
            part = next(waiting[0], None)
            if part is None:
                waiting.popleft()
            else:
                yield part
                waiting.rotate(-1)

    def _free(self, pool: Pool) -> Pool:
        return pool.take(np.flatnonzero(~self._taken[pool.tickets]))

    def _fills_a_match(self, pool: Pool) -> bool:
        return bool(pool.sizes.sum() >= 2 * self._rules.team_size)

    def _all_sets(self, pool: Pool) -> Iterator[Proposals]:
        yield self._best_splits(pool, search.all_sets(pool, self._rules, np.arange(len(pool))))

    def _search(self, pool: Pool) -> Iterator[Proposals]:
        """Yield the best matches around each anchor, and for overdue ones without a match."""
        players = 2 * self._rules.team_size
        small = len(pool) <= SMALL_POOL
        width = min(int(players * (WIDE if small else NARROW)) + 1, len(pool))
        lost = np.empty(0, dtype=np.int64)
        for number, anchors in enumerate(_batches(pool, self._anchors(pool))):
            members = search.windows(anchors, len(pool), width)
            found = self._best_splits(
                pool, search.search(pool, self._rules, anchors, members, twice=small)
            )
            yield found
            if number == 0:  # has the oldest, and there may be no time for the others
                lost = self._in_turn(pool, self._find_lost(pool, anchors, found))
                if len(lost):
                    found = self._rescue(pool, lost)
                    yield found
                    lost = self._find_lost(pool, lost, found)
        for anchor in lost[:RESCUED_THOROUGHLY]:  # last, as it would take the time of the others
            yield self._best_splits(
                pool, search.all_sets(pool, self._rules, self._near(pool, anchor))
            )
            self._abandoned[pool.tickets[anchor]] = True

    def _find_lost(self, pool: Pool, tried: Integers, found: Proposals) -> Integers:
        """Return the overdue of the ``tried`` anchors that are in no match ``found``."""
        served = self._abandoned.copy()
        served[found.tickets[~found.rematch]] = True
        return tried[pool.overdue[tried] & ~served[pool.tickets[tried]]]

    def _rescue(self, pool: Pool, lost: Integers) -> Proposals:
        width = min(RESCUE_WIDTH * 2 * self._rules.team_size, len(pool))
        members = search.windows(lost, len(pool), width)
        return self._best_splits(pool, search.stagger(pool, self._rules, lost, members))

    def _near(self, pool: Pool, anchor: Integers) -> Integers:
        """Return the nearest rows for a thorough search, without those too far from the anchor."""
        rows = search.windows(anchor, len(pool), min(THOROUGH, len(pool)))
        apart = np.abs(pool.middle[rows] - pool.middle[anchor])
        return np.asarray(rows[apart <= self._rules.queue.rating_max])

    def _in_turn(self, pool: Pool, rows: Integers) -> Integers:
        """Return as many of these rows as are rescued at a time, longest-waiting first."""
        first = int(self._turn * len(rows)) if len(rows) > RESCUED else 0
        return np.roll(_longest_first(pool, rows), -first)[:RESCUED]

    def _anchors(self, pool: Pool) -> Integers:
        """Return the rows to search around."""
        if len(pool) <= SMALL_POOL:
            return np.arange(len(pool))
        oldest = _longest_first(pool, np.flatnonzero(pool.overdue))[:RESCUED]
        return np.union1d(np.arange(int(self._turn * STRIDE), len(pool), STRIDE), oldest)

    def _best_splits(self, pool: Pool, sets: Sets) -> Proposals:
        return teams.proposals(pool, self._rules, sets, self._meetings, self._forecast)

    def _out_of_time(self) -> bool:
        """Return whether the deadline has passed."""
        if self._deadline is not None and not self._time_is_up:
            self._time_is_up = self._deadline()
        return self._time_is_up


def _apart(queue: Queue, rules: Rules, pool: Pool, now: float) -> Iterator[Integers]:
    """Yield the rows of the pool that may meet: per game mode and per region, if there are any."""
    modes, regions = Shared.modes(queue), Shared.regions(queue, now, rules.region)
    for group in modes.groups():
        mine = np.isin(modes.codes[pool.tickets], group)
        if regions is None:
            yield np.flatnonzero(mine)
            continue
        for region in regions.groups():
            yield np.flatnonzero(mine & np.isin(regions.codes[pool.tickets], region))


def _longest_first(pool: Pool, rows: Integers) -> Integers:
    return rows[np.argsort(-pool.waits[rows], kind="stable")]


def _batches(pool: Pool, anchors: Integers) -> Iterator[Integers]:
    """Yield the anchors in batches, those that have waited longest first."""
    by_wait = _longest_first(pool, anchors)
    for start in range(0, len(anchors), AT_ONCE):
        yield np.sort(by_wait[start : start + AT_ONCE])
