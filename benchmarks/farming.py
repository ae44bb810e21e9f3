"""Measure what the rules of `docs/integrity.md` leave of arranged wins, and cost honest players.

The rules are those of a new arena. Ratings come from the systems themselves, one match at a time,
because what a match counts depends on the changes before it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.flags import DAY, football, simulate
from benchmarks.scratch import machine
from ratings import registry
from ratings.replay import replay, without_memory
from ratings.seasons.connections import find_connections
from ratings.seasons.even_wins import even_wins, in_even_wins, unconfirmed_kept
from ratings.seasons.fair_play import FairPlay
from ratings.seasons.one_sided import HALF_YEAR, Earlier, share_left, share_of_unranked
from ratings.seasons.rules import Ranked
from ratings.seasons.support import Games, measure_support

if TYPE_CHECKING:
    from ratings.history import History
    from ratings.seasons.one_sided import GainAt
    from ratings.system import RatingSystem
    from ratings.types import Booleans

WEEK = 7 * DAY
MEMBERS = 40
"""Players of equal strength in the league that is attacked."""
SETTLED = 15
"""Weeks in which they play before one of them begins to cheat."""
BEGINNING = 8_000
"""Matches of the simulated league whose forecasts are compared."""
ATTACKED = (1, 26)
"""Weeks of ten agreed wins after which the gain is measured."""
REPORTED = (3, 10, 100)
"""Percentages of a league's matches after which those without a rank are counted."""
PLACEMENT, OPPONENTS = 10, 3
"""Matches and different opponents that a rank needs by default."""
RULES = FairPlay()
WEEKLY = FairPlay(same_opponents=0)


@dataclass(frozen=True)
class Change:
    """A player's part in an earlier match."""

    at: int
    opponent: int
    wins: float
    """In even wins."""
    points: float
    """In points of chess."""


class Season:
    """Duels with their weights, in order."""

    def __init__(self, system: RatingSystem, rules: FairPlay, players: int) -> None:
        self.system, self.rules = system, rules
        self.states = system.newcomers(players)
        self.changes: dict[int, list[Change]] = defaultdict(list)
        self.pairs: list[tuple[int, int]] = []
        self.connected: Booleans = np.zeros(players, bool)
        self.computed_in = -1
        self.loss = 0.0
        self.matches = self.less = self.little = 0

    def play(self, history: History) -> None:
        """Rate the duel of a history of one match."""
        one, other = (int(name) for name in history.players[:2])
        at, two = int(history.times[0]), np.array([one, other])
        if at // WEEK > self.computed_in:
            self.connect(at // WEEK)
        before = self.states.take(two)
        places = history.places
        score = (np.sign(places[1] - places[0]) + 1) / 2
        chance = self.system.predict(before.take(np.arange(2)[None]), [1, 1]).win[0]
        self.loss -= float(np.log(chance[np.argmin(places)])) if score != 0.5 else 0.0
        full = replace(
            history, weights=np.array([self.rules.weight(self.count_meetings(one, other, at))])
        )

        @cache
        def gains(share: float) -> list[float]:
            changed = replay(self.system, replace(full, weights=full.weights * share), before)
            return list(self.system.in_chess(before.rating, changed.states.rating))

        share = self.share(one, other, at, lambda part: gains(part)[0]) if score else 1.0
        if score != 1:
            share = min(share, self.share(other, one, at, lambda part: gains(part)[1]))
        self.matches += 1
        self.less += share < 1
        self.little += share < 0.5
        rated = replay(self.system, replace(full, weights=full.weights * share), before)
        self.states.put(two, rated.states)
        even = even_wins(self.system, without_memory(before), np.full(2, at))
        wins = in_even_wins(rated.after.rating - rated.before.rating, even)
        points = self.system.in_chess(rated.before.rating, rated.after.rating)
        for row, (player, opponent) in enumerate(((one, other), (other, one))):
            change = Change(at, opponent, float(wins[row]), float(points[row]))
            self.changes[player].append(change)
        self.pairs.append((one, other))

    def connect(self, week: int) -> None:
        """Compute who is connected, once a week."""
        self.computed_in = week
        placed = self.states.games >= 10
        pairs = np.array(self.pairs, np.int64).reshape(-1, 2)
        known = pairs[placed[pairs].all(axis=1)]
        self.connected = find_connections(len(placed), known, 3).connected

    def count_meetings(self, one: int, other: int, at: int) -> int:
        recent = reversed(self.changes[one][-50:])
        return sum(match.opponent == other and match.at > at - WEEK for match in recent)

    def share(self, winner: int, loser: int, at: int, gain_at: GainAt) -> float:
        if not self.rules.same_opponents:
            return 1.0
        known = self.connected[winner]
        earlier = []
        for match in self.changes[winner][-500:]:
            if match.at <= at - HALF_YEAR * 1_000_000:
                continue
            stranger = bool(known and not self.connected[match.opponent])
            same = match.opponent == loser and not stranger
            others = not same and not stranger
            earlier.append(
                Earlier(
                    match.wins,
                    match.points,
                    float(same),
                    float(others),
                    float(stranger),
                    match.opponent,
                )
            )
        if known and not self.connected[loser]:
            return share_of_unranked(unconfirmed_kept(self.system), earlier, gain_at)
        return share_left(self.rules, earlier)


def duel(at: int, winner: int, loser: int) -> History:
    from ratings.history import History, Match, Participant, Side

    sides = [Side(place, [Participant(str(one))]) for place, one in enumerate((winner, loser))]
    return History.build([Match("1", at, sides)])


def gains_after(
    system: RatingSystem, rules: FairPlay, accomplices: int, honest: int
) -> list[float]:
    """Return the points that a settled player is ahead of others after weeks of agreed wins.

    Beside, everyone plays ``honest`` matches a week. The same league without agreed wins is
    subtracted.
    """
    attacked, control = (
        np.array(leads(system, rules, count, honest)) for count in (accomplices, 0)
    )
    return [float(gain) for gain in attacked - control]


def leads(system: RatingSystem, rules: FairPlay, accomplices: int, honest: int) -> list[float]:
    """Return how far the first player is ahead of the others after weeks of agreed wins."""
    season = Season(system, rules, MEMBERS + accomplices)
    random = np.random.default_rng(1)
    found = []
    for week in range(SETTLED + ATTACKED[-1] + 1):
        settling = week < SETTLED
        for number in range((4 if settling else honest) * MEMBERS // 2):
            season.play(duel(week * WEEK + number, *random.permutation(MEMBERS)[:2].tolist()))
        for number in range(0 if settling or not accomplices else 10):
            accomplice = MEMBERS + (10 * week + number) % accomplices
            season.play(duel(week * WEEK + (number + 4) * DAY // 2, 0, accomplice))
        if week + 1 - SETTLED in ATTACKED:
            states = season.states.rating
            found.append(float(states[0] - states[1:MEMBERS].mean()) / system.scale)
    return found


def honest(name: str, history: History) -> None:
    """Print what the rules cost an honest league: the loss of the forecasts."""
    count = len(history.match_ids)
    for rules, label in ((WEEKLY, "0.8 a week"), (RULES, "the defaults")):
        season = Season(registry.build("elo", {}), rules, len(history.players))
        player, places = history.player.reshape(-1, 2), history.places.reshape(-1, 2)
        for match in range(count):
            one, other = player[match].tolist()
            if places[match, 0] > places[match, 1]:
                one, other = other, one
            played = duel(int(history.times[match]), one, other)
            if places[match, 0] == places[match, 1]:
                played = replace(played, places=np.zeros(2, played.places.dtype))
            season.play(played)
        print(
            f"{name}, {label}: log loss of decided matches {season.loss / count:.5f}; "
            f"{100 * season.less / count:.1f} % of {count} matches count less by one-sidedness, "
            f"{100 * season.little / count:.1f} % less than half",
            flush=True,
        )


def ranks(name: str, history: History, system: RatingSystem) -> None:
    """Print who has no rank after some parts of a league, of those who are connected.

    Ranks are computed after every hundredth of the matches.
    """
    matches, count = len(history.match_ids), len(history.players)
    numbers = np.arange(2 * matches)
    rated = replay(system, history)
    gains = system.in_chess(rated.before.rating, rated.after.rating)
    sides = np.stack([numbers // 2, numbers, history.player])
    share, kept, ranked = Ranked().others, unconfirmed_kept(system), np.zeros(count, bool)
    for hundredth in range(1, 101):
        rows = slice(2 * (hundredth * matches // 100))
        player = history.player[rows]
        often = np.bincount(player, minlength=count) >= PLACEMENT
        pairs = player.reshape(-1, 2)
        found = find_connections(count, pairs[often[pairs].all(axis=1)], OPPONENTS)
        support = measure_support(
            Games(sides[:, rows], numbers[rows] // 2, gains[rows]), found.connected
        )
        by_share, by_points = (
            support.enough(*rule, ranked=ranked) for rule in ((share, 0.0), (0.0, kept))
        )
        ranked = found.connected & by_share & by_points
        if hundredth in REPORTED:
            without = [
                np.count_nonzero(found.connected & ~one)
                for one in (by_share, by_points, by_share & by_points)
            ]
            print(
                f"{name} after {hundredth} %: {found.connected.sum()} connected; of these "
                f"{without[0]} without enough others, {without[1]} with points to confirm, "
                f"{without[2]} with either",
                flush=True,
            )


def small_league(players: int) -> History:
    """A year of a few friends of different skill, five matches of each a week."""
    from ratings.history import History, Match, Participant, Side

    random = np.random.default_rng(players)
    skill = random.normal(size=players)
    matches = []
    for number in range(52 * 5 * players // 2):
        one, other = random.permutation(players)[:2].tolist()
        won = random.random() < 1 / (1 + np.exp(1.5 * (skill[other] - skill[one])))
        sides = [
            Side(int(not won), [Participant(str(one))]),
            Side(int(won), [Participant(str(other))]),
        ]
        matches.append(Match(str(number), number * 52 * WEEK // (52 * 5 * players // 2), sides))
    return History.build(matches)


def main() -> None:
    print(machine())
    for name in registry.SYSTEMS:
        if name == "ladder":
            continue
        system = registry.build(name, {})
        attacks = [(1, 0), (60, 0), *([(1, 10), (60, 10)] if name == "elo" else [])]
        for rules, label in ((WEEKLY, "0.8 a week"), (RULES, "the defaults")):
            for accomplices, matches in attacks:
                gains = gains_after(system, rules, accomplices, matches)
                print(
                    f"{name}, {label}, {accomplices} accomplices, {matches} honest matches a week: "
                    f"{gains[0]:.0f} in 1 week, {gains[1]:.0f} in 26",
                    flush=True,
                )
    for name, history in (
        ("Football", football()),
        ("Simulated league", simulate(np.random.default_rng(36))),
    ):
        for system_name in ("elo", "glicko-2"):
            ranks(f"{name}, {system_name}", history, registry.build(system_name, {}))
    honest("Football", football())
    beginning = simulate(np.random.default_rng(36)).part(0, BEGINNING)
    honest("Simulated league at its start", beginning)
    for players in (3, 6, 12):
        honest(f"{players} friends", small_league(players))


if __name__ == "__main__":
    main()
