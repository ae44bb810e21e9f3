"""The matcher ``laurel``: fair teams from the whole queue at once.

Where the published matchers build a match around one target after the other, this one looks around
every ticket for the set that would play best together (``laurel_search``), parts each set into its
best two teams (``laurel_teams``), and makes the matches of the highest score that do not share a
ticket; then again with whoever is left, until no match is worth its price. The score has the
published weights, for a match instead of a seat. Waiting adds to it, so that patience buys what
closeness does not: a match is made once it reaches the asking score.

Four promises are above any score. No match is made outside the stated fairness. Nobody meets the
same opponents at once again while another match is possible. Who has waited longer than the bound
comes first and pays nothing. And nothing is left to chance or to the clock: the same queue gives
the same matches, whatever the order in which equal tickets stand in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from matchmaking.laurel import search, teams
from matchmaking.laurel.pool import Pool
from matchmaking.laurel.teams import Proposals
from matchmaking.tick import Match, Pick, Tick

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator

    from matchmaking.laurel.search import Sets
    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Deadline
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Integers

FEW = 400
"""Tickets up to which each is an anchor with a wide window, and is searched around twice."""

WIDE, NARROW, STRIDE = 2.0, 1.6, 4
"""Tickets in a window for each player of a match, with few tickets and with many, when every
``STRIDE``-th is an anchor."""

AT_ONCE = 512
"""Anchors searched together: as many as the processor's cache holds."""

ALL, THOROUGH = 12, 15
"""Tickets of which all sets are tried, always and where a promise hangs on it."""

RESCUED, THOROUGHLY_RESCUED = 16, 4
"""Overdue tickets, the oldest, that are anchors whatever the stride, and that a last try is for."""

RESCUE_WIDTH = 4
"""The same for an overdue ticket that the ordinary window holds no match for."""

PASSES = 50


def match(
    queue: Queue,
    rules: Rules,
    *,
    now: float,
    generator: Generator | None = None,  # noqa: ARG001 - every matcher takes one; this one leaves nothing to chance
    deadline: Deadline | None = None,
) -> Tick:
    """One tick of ``laurel``; see ``tick.Matcher``.

    The deadline is asked between batches; then the matches found until then are made.
    """
    made = _Maker(queue, rules, now, deadline).matches() if len(queue) else ()
    gone = {ticket for each in made for ticket in each.tickets}
    return Tick(tuple(made), tuple(ticket for ticket in range(len(queue)) if ticket not in gone))


def explain(queue: Queue, rules: Rules, made: Match, *, now: float) -> list[dict[str, float]]:
    """What each metric added to the score of a match that this matcher made, for each pick.

    Every seat is won by the score of the whole match, so that the shares of all picks are equal.
    """
    pool = Pool.of(queue, rules, now)
    tickets = np.array(made.tickets)
    rows = np.argsort(pool.tickets)[tickets][np.newaxis]
    ways = np.isin(tickets, made.team1)[np.newaxis]
    meetings = teams.Meetings(queue)
    shares = teams.Scoring(pool, rules, rows, ways, meetings).shares()
    return [{name: float(share.item()) for name, share in shares.items()}] * len(made.picks)


class _Maker:
    """One queue at one time."""

    def __init__(self, queue: Queue, rules: Rules, now: float, deadline: Deadline | None) -> None:
        self._queue, self._rules, self._deadline = queue, rules, deadline
        self._meetings = teams.Meetings(queue)
        pool = Pool.of(queue, rules, now)
        self._pools = [pool.take(rows) for rows in _by_mode(queue, pool)]
        self._waits = queue.waits(now).tolist()
        # One more than there are tickets: the last, -1, is nobody's and never taken.
        self._taken = np.zeros(len(queue) + 1, dtype=np.bool_)
        # Overdue tickets that even a thorough search found no match for.
        self._given_up = np.zeros(len(queue) + 1, dtype=np.bool_)
        self._made: list[Match] = []
        self._time_is_up = False

    def matches(self) -> list[Match]:
        """The matches in the order in which they were made."""
        for _ in range(PASSES):
            proposals = self._proposals(ALL)
            if not self._make(proposals, ~proposals.rematch) or self._time_is_up:
                break
        if proposals.rematch.any() and not self._time_is_up:
            proposals = self._proposals(THOROUGH)
            # With the time up midway, another match might have been found.
            if not self._time_is_up:
                self._make(proposals, self._unavoidable(proposals))
        return self._made

    def _make(self, proposals: Proposals, allowed: Booleans) -> bool:
        """Make those worth their price that share no ticket, the most deserving first."""
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
        """Who has waited longest is the target, first in team 1; the rest are in queue order."""
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
        """Rematches of tickets for which no other match is possible, at whatever price."""
        others = np.zeros(len(self._taken), dtype=np.bool_)
        fresh = proposals.tickets[~proposals.rematch]
        others[fresh[fresh >= 0]] = True
        others[-1] = False
        return proposals.rematch & ~others[proposals.tickets].any(axis=1)

    def _proposals(self, few: int) -> Proposals:
        """The best match of each set worth a look, of the tickets that are still free.

        Of up to ``few`` tickets these are all sets, of more those that the search finds. When the
        time is up they are those found until then.
        """
        found = [Proposals.none()]
        parts = self._parts(few)
        while not self._ask_time() and (part := next(parts, None)) is not None:
            found.append(part)
        return Proposals.joined(found, 2 * self._rules.team_size)

    def _parts(self, few: int) -> Iterator[Proposals]:
        for whole in self._pools:
            pool = whole.take(np.flatnonzero(~self._taken[whole.tickets]))
            if pool.sizes.sum() < 2 * self._rules.team_size:
                continue
            if len(pool) <= few:
                yield self._parted(pool, search.every(pool, self._rules, np.arange(len(pool))))
            else:
                yield from self._searched(pool)

    def _searched(self, pool: Pool) -> Iterator[Proposals]:
        """The best matches around each anchor, and for the overdue who would still be in none."""
        served = np.zeros(len(self._taken), dtype=np.bool_)
        players = 2 * self._rules.team_size
        few = len(pool) <= FEW
        width = min(int(players * (WIDE if few else NARROW)) + 1, len(pool))
        for anchors in _batches(_anchors(pool)):
            members = search.windows(anchors, len(pool), width)
            sets = search.search(pool, self._rules, anchors, members, twice=few)
            found = self._parted(pool, sets)
            served[found.tickets[~found.rematch]] = True
            yield found
        lost = served | self._given_up
        anchors = _oldest(pool, pool.overdue & ~lost[pool.tickets])
        if len(anchors):
            members = search.windows(anchors, len(pool), min(RESCUE_WIDTH * players, len(pool)))
            found = self._parted(pool, search.staggered(pool, self._rules, anchors, members))
            served[found.tickets[~found.rematch]] = True
            yield found
        for anchor in anchors[~served[pool.tickets[anchors]]][:THOROUGHLY_RESCUED]:
            members = search.windows(anchor, len(pool), min(THOROUGH, len(pool)))
            yield self._parted(pool, search.every(pool, self._rules, members))
            self._given_up[pool.tickets[anchor]] = True

    def _parted(self, pool: Pool, sets: Sets) -> Proposals:
        return teams.proposals(pool, self._rules, sets, self._meetings)

    def _ask_time(self) -> bool:
        """Whether the deadline says, or has said, that the time of this tick is used up."""
        if self._deadline is not None and not self._time_is_up:
            self._time_is_up = self._deadline()
        return self._time_is_up


def _by_mode(queue: Queue, pool: Pool) -> Iterator[Integers]:
    """The pool's rows that may meet: for each mode those who would play it, and those of none."""
    codes = queue.mode_codes[pool.tickets]
    for mode in [None, *sorted(frozenset().union(*queue.mode_sets))]:
        fitting = [
            code
            for code, modes in enumerate(queue.mode_sets)
            if (mode in modes if mode is not None else not modes)
        ]
        yield np.flatnonzero(np.isin(codes, fitting))


def _anchors(pool: Pool) -> Integers:
    """The rows to search around."""
    if len(pool) <= FEW:
        return np.arange(len(pool))
    return np.union1d(np.arange(0, len(pool), STRIDE), _oldest(pool, pool.overdue))


def _oldest(pool: Pool, rows: Booleans) -> Integers:
    """Those rows, the longest waiting first: as many as are rescued at a time."""
    among = np.flatnonzero(rows)
    return among[np.argsort(-pool.waits[among], kind="stable")[:RESCUED]]


def _batches(anchors: Integers) -> Iterator[Integers]:
    for start in range(0, len(anchors), AT_ONCE):
        yield anchors[start : start + AT_ONCE]
