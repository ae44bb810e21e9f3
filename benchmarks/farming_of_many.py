"""Measure what agreed free-for-alls gain, and what their budget costs honest players.

The rules are those of a new arena, and without the budget. Finishing orders are drawn so that the
chance of each pair is logistic, and rating systems rate one match at a time.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.flags import DAY
from benchmarks.scratch import machine
from ratings import registry
from ratings.replay import replay
from ratings.seasons.connections import find_connections
from ratings.seasons.even_wins import KEPT
from ratings.seasons.fair_play import FairPlay, meetings
from ratings.seasons.one_sided import HALF_YEAR, EarlierOfMany, share_left_of_many

if TYPE_CHECKING:
    from collections.abc import Callable

    from ratings.replay import Replay
    from ratings.types import Booleans, Floats, Integers

WEEK = 7 * DAY
MEMBERS, FIELD = 40, 6
"""Players of equal strength in the league that is attacked, and players of a match."""
SETTLED, ATTACKED = 12, (1, 26)
"""Weeks before the attack, and weeks of ten agreed matches after which the gain is measured."""
FRESH = 300
EVEN = 16.0
"""Points for a win over an equal in Elo."""
RULES = {"weekly factor alone": FairPlay(same_opponents=0), "with the budget": FairPlay()}


@dataclass(frozen=True)
class Change:
    """A player's part in an earlier match."""

    at: int
    order: list[int]
    opponents: frozenset[int]
    wins: float
    """In even wins."""
    points: float
    """In points of chess."""


class Season:
    """Free-for-alls in order, with what they count."""

    def __init__(self, rules: FairPlay, players: int) -> None:
        self.system, self.rules = registry.build("elo", {}), rules
        self.states = self.system.newcomers(players)
        self.changes: dict[int, list[Change]] = defaultdict(list)
        self.pairs: list[tuple[int, int]] = []
        self.connected: Booleans = np.zeros(players, bool)
        self.computed_in = -1
        self.loss = 0.0
        self.forecasts = self.matches = self.less = self.little = 0

    def play(self, at: int, order: list[int]) -> None:
        """Rate a match of these players, best first."""
        from ratings.history import History, Match, Participant, Side

        if at // WEEK > self.computed_in:
            self.connect(at // WEEK)
        ratings = self.states.rating[order]
        for better, worse in combinations(ratings.tolist(), 2):
            self.loss += float(np.log1p(10 ** ((worse - better) / 400)))
            self.forecasts += 1
        weight, before = (
            self.rules.weight(self.count_meetings(order, at)),
            self.states.take(np.array(order)),
        )
        sides = [Side(place, [Participant(str(one))]) for place, one in enumerate(order)]

        def rated_by(share: float) -> Replay:
            history = History.build([Match("1", at, sides, weight=weight * share)])
            return replay(self.system, history, before)

        def gains(share: float) -> Floats:
            return rated_by(share).states.rating - before.rating

        share = self.share(order, at, gains)
        self.matches += 1
        self.less += share < 1
        self.little += share < 0.5
        rated = rated_by(share)
        self.states.put(np.array(order), rated.states)
        for row, player in enumerate(order):
            gain = float(rated.after.rating[row] - rated.before.rating[row])
            opponents = frozenset(order) - {player}
            self.changes[player].append(Change(at, order, opponents, gain / EVEN, gain))
        self.pairs += combinations(order, 2)

    def connect(self, week: int) -> None:
        """Compute who is connected, once a week."""
        self.computed_in = week
        placed = self.states.games >= 10
        pairs = np.array(self.pairs, np.int64).reshape(-1, 2)
        known = pairs[placed[pairs].all(axis=1)]
        self.connected = find_connections(len(placed), known, 3).connected

    def count_meetings(self, order: list[int], at: int) -> int:
        recent = {
            change.at: change.order
            for player in order
            for change in self.changes[player][-20:]
            if change.at > at - WEEK
        }
        now = {player: place for place, player in enumerate(order)}
        earlier = [{player: n for n, player in enumerate(one)} for one in recent.values()]
        return meetings(now, earlier)

    def share(self, order: list[int], at: int, gains: Callable[[float], Floats]) -> float:
        if not self.rules.same_opponents:
            return 1.0
        return min(self.share_left(player, order, at, gains) for player in order[:-1])

    def share_left(
        self, player: int, order: list[int], at: int, gains: Callable[[float], Floats]
    ) -> float:
        known = bool(self.connected[player])
        earlier = [
            EarlierOfMany(
                change.wins,
                change.points,
                len(change.opponents),
                sum(known and not self.connected[other] for other in change.opponents),
                None,
                list(change.opponents),
            )
            for change in self.changes[player][-500:]
            if change.at > at - HALF_YEAR * 1_000_000
        ]
        place = order.index(player)
        strangers = [other for other in order if known and not self.connected[other]]
        ranked = [other for other in order[place + 1 :] if other not in strangers]
        part = len(strangers) / (len(order) - 1)
        return share_left_of_many(
            self.rules,
            KEPT,
            earlier,
            ranked,
            len(order) - place - 1 - len(ranked),
            lambda share: part * float(gains(share)[place]),
        )


def finish(random: np.random.Generator, skill: Floats, field: Integers) -> list[int]:
    performance = 1.5 * skill[field] + random.gumbel(size=len(field))
    return [int(player) for player in field[np.argsort(-performance)]]


def friends(rules: FairPlay, players: int) -> Season:
    """A year of a few friends of different skill, three matches of all a week."""
    random = np.random.default_rng(players)
    skill, season = random.normal(size=players), Season(rules, players)
    for number in range(52 * 3):
        season.play(number * WEEK // 3, finish(random, skill, np.arange(players)))
    return season


def league(rules: FairPlay, together: float) -> Season:
    """Half a year of sixty players, who play so many of their matches in groups of friends."""
    random = np.random.default_rng(60)
    skill, season = random.normal(size=60), Season(rules, 60)
    for number in range(26 * 20):
        group = FIELD * int(random.integers(60 // FIELD))
        everyone = random.choice(60, FIELD, replace=False)
        field = group + np.arange(FIELD) if random.random() < together else everyone
        season.play(number * WEEK // 20, finish(random, skill, field))
    return season


def leads(rules: FairPlay, accomplices: list[list[int]], honest: int) -> list[float]:
    """Return how far the first player is ahead of the others after weeks of agreed matches.

    They finish before one group of accomplices after the other, and everyone plays about ``honest``
    matches a week beside.
    """
    random = np.random.default_rng(1)
    season, skill = Season(rules, MEMBERS + FRESH), np.zeros(MEMBERS)
    found = []
    for week in range(SETTLED + ATTACKED[-1]):
        settling = week < SETTLED
        for number in range((3 if settling else honest) * MEMBERS // FIELD):
            field = random.choice(MEMBERS, FIELD, replace=False)
            season.play(week * WEEK + number, finish(random, skill, field))
        for number in range(0 if settling or not accomplices else 10):
            group = accomplices[(10 * week + number) % len(accomplices)]
            season.play(week * WEEK + (number + 4) * DAY // 2, [0, *group])
        if week + 1 - SETTLED in ATTACKED:
            rating = season.states.rating
            found.append(float(rating[0] - rating[FIELD:MEMBERS].mean()))
    return found


ACCOMPLICES = {
    "5 unranked accounts": [list(range(MEMBERS, MEMBERS + 5))],
    "300 fresh accounts": [
        list(range(MEMBERS + start, MEMBERS + start + 5)) for start in range(0, FRESH, 5)
    ],
    "5 ranked players": [list(range(1, 6))],
}


def main() -> None:
    print(machine())
    for label, rules in RULES.items():
        for name, season in (
            *((f"{count} friends", friends(rules, count)) for count in (3, 4, 6, 8)),
            *((f"60 players, {part:.0%} in groups", league(rules, part)) for part in (0.0, 0.5)),
        ):
            print(
                f"{name}, {label}: log loss {season.loss / season.forecasts:.4f}; "
                f"{100 * season.less / season.matches:.1f} % of {season.matches} matches count "
                f"less, {100 * season.little / season.matches:.1f} % less than half",
                flush=True,
            )
        for honest in (0, 2):
            control = leads(rules, [], honest)
            for name, groups in ACCOMPLICES.items():
                gained = np.subtract(leads(rules, groups, honest), control)
                print(
                    f"{name}, {label}, {honest} honest matches a week: {gained[0]:.0f} in 1 week, "
                    f"{gained[1]:.0f} in 26",
                    flush=True,
                )


if __name__ == "__main__":
    main()
