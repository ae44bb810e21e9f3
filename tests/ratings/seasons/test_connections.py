"""Which players are connected to the rest of a season."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.seasons.connections import find_connections
from tests.support.effort import examples

Pairs = list[tuple[int, int]]


def everyone(players: range) -> Pairs:
    """Return each pair of these players."""
    return list(combinations(players, 2))


def ring(players: range) -> Pairs:
    return [(one, players[(at + 1) % len(players)]) for at, one in enumerate(players)]


def connected(count: int, pairs: Pairs, opponents: int = 3) -> list[int]:
    table = np.array(pairs, np.int64).reshape(-1, 2)
    return np.flatnonzero(find_connections(count, table, opponents).connected).tolist()


def plain(count: int, pairs: Pairs, opponents: int) -> set[int]:
    """The definition, word for word."""

    def core(least: int) -> set[int]:
        inside = set(range(count))
        while True:
            met: dict[int, set[int]] = {player: set() for player in inside}
            for one, other in pairs:
                if one != other and one in inside and other in inside:
                    met[one].add(other)
                    met[other].add(one)
            out = {player for player, opponents_ in met.items() if len(opponents_) < least}
            if not out:
                return inside
            inside -= out

    def largest(inside: set[int]) -> set[int]:
        best: set[int] = set()
        for first in sorted(inside):
            part, new = {first}, {first}
            while new:
                new = {
                    player
                    for pair in pairs
                    for player in pair
                    if set(pair) & new and player in inside and set(pair) <= inside
                } - part
                part |= new
            best = max(best, part, key=len)
        return best

    few = largest(core(min(opponents, 2)))
    if opponents <= 2 or len(few) <= 2 * (opponents + 1):
        return few
    return largest(core(opponents))


@settings(max_examples=examples(300))
@given(
    st.integers(0, 12).flatmap(
        lambda count: st.tuples(
            st.just(count),
            st.lists(
                st.tuples(*[st.integers(0, max(count - 1, 0))] * 2),
                max_size=40 if count else 0,
            ),
            st.integers(1, 4),
        )
    )
)
def test_the_same_as_the_plain_definition(given_: tuple[int, Pairs, int]) -> None:
    count, pairs, opponents = given_
    assert set(connected(count, pairs, opponents)) == plain(count, pairs, opponents)


def test_two_players_alone_are_not_connected() -> None:
    assert connected(2, [(0, 1)] * 100) == []


@pytest.mark.parametrize("friends", range(3, 9))
def test_few_friends_who_play_each_other_are_connected(friends: int) -> None:
    assert connected(friends, everyone(range(friends))) == list(range(friends))
    assert connected(friends, ring(range(friends))) == list(range(friends))


def test_wins_over_sixty_fresh_accounts_connect_nobody() -> None:
    league, cheat = range(10), 10
    accounts = range(11, 71)
    pairs = everyone(league) + [(cheat, account) for account in accounts]
    assert connected(71, pairs) == list(league)
    assert connected(61, [(60, account) for account in range(60)]) == []


def test_an_island_of_fresh_accounts_is_not_connected() -> None:
    pairs = everyone(range(10)) + everyone(range(10, 16))
    assert connected(16, pairs) == list(range(10))
    bridge = [(15, 0)]
    alone = everyone(range(10)) + ring(range(10, 16)) + bridge
    assert connected(16, alone) == list(range(10)), "a ring has two opponents each"


def test_fresh_accounts_cannot_make_few_friends_need_more_opponents() -> None:
    friends, accounts = ring(range(5)), [(0, account) for account in range(5, 40)]
    assert connected(40, friends + accounts) == list(range(5))


def test_nearly_everybody_of_a_large_random_league_is_connected() -> None:
    random = np.random.default_rng(1)
    pairs = random.integers(0, 100_000, (500_000, 2))
    found = find_connections(100_000, pairs, 3)
    assert 95_000 < np.count_nonzero(found.connected) < 100_000
