"""What a player can win from the same opponents, in every rating system."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import registry
from ratings.history import NEGLIGIBLE_WEIGHT, History, Match, Participant, Side
from ratings.replay import replay
from ratings.seasons.one_sided import Earlier, share_left
from ratings.seasons.unconfirmed import SMALLEST_SHARE
from tests.support.limited_season import RULES, LimitedSeason

SYSTEMS = [name for name in registry.SYSTEMS if name != "ladder"]
DAY = 86_400_000_000
CHEAT, ACCOMPLICE = 0, 10
"""The accomplice is new, so Topcoder takes a win over them for an upset."""


def win(wins: float, same: float = 1.0) -> Earlier:
    return Earlier(wins, math.nan, same, 1.0 - same)


def left(*earlier: Earlier) -> float:
    return share_left(RULES, earlier)


def test_a_win_takes_from_the_budget_and_matches_against_others_restore_it() -> None:
    other = win(-2, same=0)
    assert left() == 1
    assert left(win(1)) == pytest.approx(2 / 3)
    assert left(win(1), win(-1)) == 1, "a loss gives back what it cost"
    assert left(win(-10), win(1)) == pytest.approx(2 / 3), "but no more than the budget"
    assert left(win(1), other) == pytest.approx(2.25 / 3)
    assert left(*[other] * 9, win(1)) == pytest.approx(2 / 3)
    assert left(*[win(1)] * 3) == left(*[win(1)] * 9) == NEGLIGIBLE_WEIGHT
    assert left(*[win(1)] * 3, *[other] * 4) == pytest.approx(1 / 3)


def test_an_upset_takes_no_more_than_a_win_over_an_equal() -> None:
    assert left(win(1.9)) == left(win(1))


def test_half_of_the_opponents_take_half_of_a_win() -> None:
    assert left(win(1, same=0.5)) == pytest.approx((3 - 0.5 + 0.125) / 3)


@given(st.lists(st.tuples(st.floats(-3, 3), st.sampled_from([0.0, 0.25, 1.0])), max_size=50))
def test_the_share_stays_in_range_and_a_further_win_never_raises_it(
    matches: list[tuple[float, float]],
) -> None:
    earlier = [win(*match) for match in matches]
    share = left(*earlier)
    assert share == NEGLIGIBLE_WEIGHT or SMALLEST_SHARE <= share <= 1
    assert left(*earlier, win(0.6)) <= share


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
def test_a_hundred_agreed_wins_of_a_settled_player_gain_a_few_even_wins(name: str) -> None:
    season = LimitedSeason(registry.build(name, {}), ACCOMPLICE + 1)
    random = np.random.default_rng(7)
    for _ in range(8):
        for pair in combinations(range(10), 2):
            season.play(*random.permutation(pair).tolist(), pause=DAY // 8)
    before, even = season.rating(CHEAT), season.even_win(CHEAT)
    for _ in range(100):
        season.play(CHEAT, ACCOMPLICE, pause=DAY // 8)
    assert np.isfinite(season.states.rating).all()
    most = 52.0 if name == "topcoder" else 3.6 * even
    assert season.rating(CHEAT) - before < most
