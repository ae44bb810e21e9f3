"""What a player can win from the same opponents, in every rating system."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import registry
from ratings.history import NEGLIGIBLE_WEIGHT, History, Match, Participant, Side
from ratings.replay import replay
from ratings.seasons.fair_play import FairPlay
from ratings.seasons.one_sided import (
    Earlier,
    settled_gain,
    share_left,
)
from ratings.seasons.unconfirmed import SMALLEST_SHARE
from ratings.system import RatingSystem
from ratings.types import States

RULES = FairPlay()
SYSTEMS = [name for name in registry.SYSTEMS if name != "ladder"]
MOST = {"elo": 20.001, "glicko": 20.001, "wager": 20.001, "fermi": 75}
"""What may be gained: the budget, and the first win if it is worth more. Fermi's K is its T."""
DAY = 86_400_000_000
CHEAT, ACCOMPLICE = 0, 10


def win(gain: float, same: float = 1.0) -> Earlier:
    return Earlier(gain, None, same, 1.0 - same)


def left(*earlier: Earlier, restored: float = 4.0) -> float:
    return share_left(20, restored, earlier)


def test_a_win_takes_from_the_budget_and_matches_against_others_restore_it() -> None:
    other = win(-30, same=0)
    assert left() == 1
    assert left(win(16)) == pytest.approx(0.2)
    assert left(win(16), win(-16)) == 1, "a loss gives back what it cost"
    assert left(win(-300), win(16)) == pytest.approx(0.2), "but no more than the budget"
    assert left(win(16), other) == pytest.approx(0.4)
    assert left(*[other] * 9, win(16)) == pytest.approx(0.2)
    assert left(win(50)) == left(win(19.9)) == NEGLIGIBLE_WEIGHT
    assert left(win(50), *[other] * 8) == pytest.approx(0.1)


def test_half_of_the_opponents_take_half_the_points() -> None:
    assert left(win(16, same=0.5)) == pytest.approx((20 - 8 + 2) / 20)


def test_a_newcomers_large_changes_count_like_those_of_a_settled_player() -> None:
    assert settled_gain(Earlier(160, 350, 1, 0), 1) == pytest.approx(160 * (110 / 350) ** 2)
    assert settled_gain(Earlier(16, 60, 1, 0), 1) == 16
    assert settled_gain(Earlier(1, None, 1, 0), 0.1) == 10


@given(st.lists(st.tuples(st.floats(-40, 40), st.sampled_from([0.0, 0.25, 1.0])), max_size=50))
def test_the_share_stays_in_range_and_a_further_win_never_raises_it(
    matches: list[tuple[float, float]],
) -> None:
    earlier = [win(*match) for match in matches]
    share = left(*earlier)
    assert share == NEGLIGIBLE_WEIGHT or SMALLEST_SHARE <= share <= 1
    assert left(*earlier, win(10)) <= share


class Played:
    """A season of duels, in which wins count by the winner's budget."""

    def __init__(self, system: RatingSystem) -> None:
        self.system = system
        self.states = system.newcomers(ACCOMPLICE + 1)
        self.earlier: dict[int, list[tuple[int, float, float | None]]] = {}
        self.number = 0

    def win(self, winner: int, loser: int) -> None:
        earlier = [
            Earlier(gain, deviation, float(other == loser), float(other != loser))
            for other, gain, deviation in self.earlier.get(winner, [])
        ]
        share = share_left(RULES.one_sided, RULES.restored, earlier, self.system.scale)
        sides = [Side(place, [Participant(str(one))]) for place, one in enumerate((winner, loser))]
        history = History.build([Match("1", self.number * DAY // 8, sides, weight=share)])
        two = np.array([winner, loser])
        rated = replay(self.system, history, self.states.take(two))
        self.states.put(two, rated.states)
        self.number += 1
        for row, (player, other) in enumerate(((winner, loser), (loser, winner))):
            gain = float(rated.after.rating[row] - rated.before.rating[row])
            deviation = float(rated.before.deviation[row])
            known = None if math.isnan(deviation) else deviation
            self.earlier.setdefault(player, []).append((other, gain, known))

    def rating(self) -> float:
        states: States = self.states
        return float(states.rating[CHEAT]) / self.system.scale


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_match_of_negligible_weight_changes_no_rating(name: str) -> None:
    system = registry.build(name, {})
    sides = [Side(0, [Participant("1")]), Side(1, [Participant("2")])]
    first = Match("1", 0, sides)
    nothing = Match("2", 40 * DAY, sides, weight=NEGLIGIBLE_WEIGHT)
    once = replay(system, History.build([first])).states
    rated = replay(system, History.build([first, nothing]))
    assert rated.states.rating.tolist() == once.rating.tolist()
    assert rated.states.deviation.tobytes() == once.deviation.tobytes()
    assert rated.states.memory[:, : once.memory.shape[-1]].tobytes() == once.memory.tobytes()
    assert rated.states.games.tolist() == [2, 2]
    assert rated.terms["change"][2:].tolist() == [0, 0]


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_hundred_agreed_wins_of_a_settled_player_gain_little_in_every_system(name: str) -> None:
    played = Played(registry.build(name, {}))
    random = np.random.default_rng(7)
    for _ in range(8):
        for pair in combinations(range(10), 2):
            played.win(*random.permutation(pair).tolist())
    before = played.rating()
    for _ in range(100):
        played.win(CHEAT, ACCOMPLICE)
    gained = played.rating() - before
    assert np.isfinite(played.states.rating).all()
    assert gained < MOST.get(name, 60)
