"""A season of matches that count by their winners' budgets, without a site."""

import numpy as np

from ratings.history import History, Match, Participant, Side
from ratings.replay import replay, without_memory
from ratings.seasons.even_wins import even_wins, in_even_wins
from ratings.seasons.fair_play import FairPlay
from ratings.seasons.one_sided import EarlierOfMany, share_left_of_many
from ratings.system import RatingSystem

RULES = FairPlay()
DAY = 86_400_000_000


class LimitedSeason:
    """Nobody is connected, so only the budgets of pairs count. A match a day by default."""

    def __init__(self, system: RatingSystem, players: int, rules: FairPlay = RULES) -> None:
        self.system, self.rules = system, rules
        self.states = system.newcomers(players)
        self.earlier: dict[int, list[tuple[float, frozenset[int]]]] = {}
        self.now = 0

    def play(self, *order: int, pause: int = DAY) -> float:
        """Rate single players, best first. Return how much the match counts."""
        self.now += pause
        sides = [Side(place, [Participant(str(one))]) for place, one in enumerate(order)]
        history = History.build([Match("1", self.now, sides)])
        them = np.array(order)
        before = self.states.take(them)
        full = replay(self.system, history, before)
        gained = full.after.rating - full.before.rating
        share = min(
            (
                self.left(player, order[place + 1 :], order)
                for place, player in enumerate(order[:-1])
                if len(order) == 2 or gained[place] > 0
            ),
            default=1.0,
        )
        history = History.build([Match("1", self.now, sides, weight=share)])
        rated = replay(self.system, history, before)
        even = even_wins(self.system, without_memory(before), np.full(len(order), self.now))
        self.states.put(them, rated.states)
        wins = in_even_wins(rated.after.rating - rated.before.rating, even)
        for player, won in zip(order, wins.tolist(), strict=True):
            others = frozenset(order) - {player}
            self.earlier.setdefault(player, []).append((won, others))
        return share

    def left(self, player: int, below: tuple[int, ...], order: tuple[int, ...]) -> float:
        earlier = [
            EarlierOfMany(won, 0.0, len(others), 0, None, list(others.intersection(order)))
            for won, others in self.earlier.get(player, [])
        ]
        return share_left_of_many(self.rules, 0.0, earlier, below, 0, lambda share: share)

    def are_equals(self, one: int, other: int) -> bool:
        """Return whether either has a chance. With some settings, one result tells all."""
        chance = self.system.predict(self.states.take(np.array([[one, other]])), [1, 1]).win[0]
        return bool(0.01 < chance[0] < 0.99)

    def even_win(self, player: int) -> float:
        before = without_memory(self.states.take(np.array([player])))
        return float(even_wins(self.system, before, np.array([self.now]))[0])

    def rating(self, player: int) -> float:
        return float(self.states.rating[player])
