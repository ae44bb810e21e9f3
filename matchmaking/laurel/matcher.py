"""The matcher ``laurel``: fair teams from the whole queue at once.

The published matchers build a match around one target after another. This one searches around every
ticket for the set that would play best together (``search``), splits each set into its best two
teams (``teams``), and makes the matches with the highest scores that share no ticket. It repeats
this with the remaining tickets until no match reaches the minimum score. The score uses the
published weights, for a match instead of a seat. Waiting adds to it, so a long wait makes up for a
less close match.

Four guarantees hold whatever the score. No match is less fair than the rules allow. Nobody meets
the same opponents again at once while another match is possible. Tickets that have waited beyond
the bound come first and need no minimum score. And there is no chance and no clock: the same queue
gives the same matches, in whatever order equal tickets are queued.
"""

from __future__ import annotations

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
    from matchmaking.tick import Deadline
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
"""Number of oldest overdue tickets that are always anchors, and that get a thorough search."""

RESCUE_WIDTH = 4
"""Tickets per player in the window of an overdue ticket without a match in the ordinary window."""

PASSES = 50


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,
    generator: Generator | None = None,  # noqa: ARG001 - every matcher takes one; this one uses no chance
    deadline: Deadline | None = None,
) -> Tick:
    """Run one tick of ``laurel``; see ``tick.Matcher``.

    The deadline is checked between batches; the matches found by then are made.
    """
    matches = _Matchmaker(queue, rules, now, deadline).matches() if len(queue) else ()
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

    def __init__(self, queue: Queue, rules: Rules, now: float, deadline: Deadline | None) -> None:
        self._queue, self._rules, self._deadline = queue, rules, deadline
        self._meetings = teams.Meetings(queue)
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
        for whole in self._pools:
            pool = whole.take(np.flatnonzero(~self._taken[whole.tickets]))
            if pool.sizes.sum() < 2 * self._rules.team_size:
                continue
            if len(pool) <= exhaustive:
                yield self._best_splits(
                    pool, search.all_sets(pool, self._rules, np.arange(len(pool)))
                )
            else:
                yield from self._searched(pool)

    def _searched(self, pool: Pool) -> Iterator[Proposals]:
        """Yield the best matches around each anchor, then for overdue tickets without a match."""
        served = np.zeros(len(self._taken), dtype=np.bool_)
        players = 2 * self._rules.team_size
        small = len(pool) <= SMALL_POOL
        width = min(int(players * (WIDE if small else NARROW)) + 1, len(pool))
        for anchors in _batches(_anchors(pool)):
            members = search.windows(anchors, len(pool), width)
            sets = search.search(pool, self._rules, anchors, members, twice=small)
            found = self._best_splits(pool, sets)
            served[found.tickets[~found.rematch]] = True
            yield found
        lost = served | self._abandoned
        anchors = _oldest(pool, pool.overdue & ~lost[pool.tickets])
        if len(anchors):
            members = search.windows(anchors, len(pool), min(RESCUE_WIDTH * players, len(pool)))
            found = self._best_splits(pool, search.staggered(pool, self._rules, anchors, members))
            served[found.tickets[~found.rematch]] = True
            yield found
        for anchor in anchors[~served[pool.tickets[anchors]]][:RESCUED_THOROUGHLY]:
            members = search.windows(anchor, len(pool), min(THOROUGH, len(pool)))
            yield self._best_splits(pool, search.all_sets(pool, self._rules, members))
            self._abandoned[pool.tickets[anchor]] = True

    def _best_splits(self, pool: Pool, sets: Sets) -> Proposals:
        return teams.proposals(pool, self._rules, sets, self._meetings)

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


def _anchors(pool: Pool) -> Integers:
    """Return the rows to search around."""
    if len(pool) <= SMALL_POOL:
        return np.arange(len(pool))
    return np.union1d(np.arange(0, len(pool), STRIDE), _oldest(pool, pool.overdue))


def _oldest(pool: Pool, rows: Booleans) -> Integers:
    """Return the longest-waiting of these rows, as many as are rescued at a time."""
    among = np.flatnonzero(rows)
    return among[np.argsort(-pool.waits[among], kind="stable")[:RESCUED]]


def _batches(anchors: Integers) -> Iterator[Integers]:
    for start in range(0, len(anchors), AT_ONCE):
        yield anchors[start : start + AT_ONCE]
