"""What a season's players have played and won against ranked players and others."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.seasons.one_sided import Earlier, settled_gain, settled_gains
from ratings.seasons.support import RETURNED, Support, matches_to_confirm, supported

PLAYERS = 6


@given(
    st.lists(
        st.dictionaries(
            st.integers(-1, PLAYERS - 1), st.tuples(st.integers(0, 2), st.integers(-20, 20))
        ),
        max_size=20,
    ),
    st.lists(st.booleans(), min_size=PLAYERS, max_size=PLAYERS),
    st.lists(st.sampled_from([1.0, 0.8, 0.25]), min_size=20, max_size=20),
)
def test_the_same_as_the_plain_definition(
    matches: list[dict[int, tuple[int, int]]], connected: list[bool], weights: list[float]
) -> None:
    rows = [
        (number, 10 * number + side, player, gain)
        for number, match in enumerate(matches)
        for player, (side, gain) in match.items()
    ]
    table = np.array(rows, np.int64).reshape(-1, 4).T
    counting = np.array(weights)[table[0]]
    found = supported(table[:3], counting, table[3].astype(float), np.array(connected))
    for player in range(PLAYERS):
        met: Counter[int] = Counter()
        much: dict[int, float] = {}
        right = count = 0
        won = all_ = 0.0
        for match, weight in zip(matches, weights, strict=False):
            if player not in match:
                continue
            own, gain = match[player]
            others = [other for other, (side, _gain) in match.items() if side != own]
            known = [other for other in others if other >= 0 and connected[other]]
            count += bool(others)
            won += gain * (len(others) - len(known)) / max(len(others), 1)
            if others and 2 * len(known) >= len(others):
                right += 1
                all_ += weight
                if len(others) == 1:
                    met.update(others)
                    much[others[0]] = much.get(others[0], 0) + weight
        assert found.matches[player] == count
        assert found.against_ranked[player] == right - max(met.values(), default=0)
        assert found.confirming[player] == pytest.approx(all_ - max(much.values(), default=0))
        assert found.won[player] == pytest.approx(won)


@given(st.floats(-1_000, 1_000), st.integers(0, 100), st.floats(0.1, 100))
def test_points_are_confirmed_once_matches_have_returned_them(
    won: float, played: int, kept: float
) -> None:
    left, needed = won, 0
    while left > kept:
        left -= RETURNED * left
        needed += 1
    assert abs(matches_to_confirm(won, kept) - needed) <= (abs(left / kept - 1) < 1e-9)
    support = Support(np.ones(1, int), np.ones(1, int), np.array([float(played)]), np.array([won]))
    if played != needed:
        assert support.enough(0, kept).tolist() == [played > needed]


def test_a_share_of_the_matches_has_to_be_against_ranked_players() -> None:
    support = Support(np.array([10, 10]), np.array([3, 2]), np.zeros(2), np.zeros(2))
    assert support.enough(0.3, 20).tolist() == [True, False]


def test_with_nothing_to_keep_points_need_no_confirmation() -> None:
    support = Support(np.ones(1, int), np.ones(1, int), np.ones(1), np.array([1e6]))
    assert support.enough(0, 0).tolist() == [True]
    assert matches_to_confirm(1e6, 0) == 0


@given(
    st.lists(st.tuples(st.floats(-500, 500), st.sampled_from([0.0, 40.0, 110.0, 350.0]))),
    st.sampled_from([1.0, 0.02, 5.0]),
)
def test_gains_of_many_count_like_those_of_one(
    changes: list[tuple[float, float]], scale: float
) -> None:
    table = np.array(changes).reshape(-1, 2)
    one_by_one = [settled_gain(Earlier(gain, dev or None, 1, 0), scale) for gain, dev in changes]
    assert settled_gains(table[:, 0], table[:, 1], scale) == pytest.approx(one_by_one)
