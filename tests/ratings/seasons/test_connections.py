"""Which players are connected to the rest of a season."""

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


def links_among(inside: set[int], pairs: Pairs) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in pairs if pair[0] != pair[1] and set(pair) <= inside}


def core_of(among: set[int], pairs: Pairs, least: int) -> set[int]:
    inside = set(among)
    while True:
        links = links_among(inside, pairs)
        out = {one for one in inside if sum(one in link for link in links) < least}
        if not out:
            return inside
        inside -= out


def parts_of(inside: set[int], links: set[frozenset[int]]) -> list[set[int]]:
    """Return the connected parts in the order of their first players."""
    parts: list[set[int]] = []
    for first in sorted(inside):
        if any(first in part for part in parts):
            continue
        part, new = {first}, {first}
        while new:
            new = {one for link in links if link & new for one in link} - part
            part |= new
        parts.append(part)
    return parts


def blocks_of(inside: set[int], pairs: Pairs) -> list[set[int]]:
    """Return the largest sets of players that no single one of them holds together."""
    links = links_among(inside, pairs)
    for cut in inside:
        rest = inside - {cut}
        parts = parts_of(rest, {link for link in links if link <= rest})
        if len(parts) > 1:
            found = [block for part in parts for block in blocks_of(part | {cut}, pairs)]
            return [block for block in found if not any(block < other for other in found)]
    return [inside]


def solid_parts(count: int, pairs: Pairs, least: int) -> list[set[int]]:
    """Return every set that may count as the solid part: blocks can be of equal size."""
    waiting, found = [set(range(count))], []
    while waiting:
        core = core_of(waiting.pop(), pairs, least)
        inside = max(parts_of(core, links_among(core, pairs)), key=len, default=set())
        blocks = blocks_of(inside, pairs) if least > 1 and len(inside) > 1 else [inside]
        largest = [block for block in blocks if len(block) == max(map(len, blocks))]
        if inside in largest:
            found.append(inside)
        else:
            waiting += largest
    return found


def plain(count: int, pairs: Pairs, opponents: int) -> list[set[int]]:
    """The definition, word for word."""
    few = solid_parts(count, pairs, min(opponents, 2))
    if opponents <= 2:
        return few
    small = [part for part in few if len(part) <= 2 * (opponents + 1)]
    if small:
        return few
    return solid_parts(count, pairs, opponents)


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
    assert set(connected(count, pairs, opponents)) in plain(count, pairs, opponents)


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


@pytest.mark.parametrize("matches", [1, 6])
def test_a_ring_that_hangs_on_one_player_is_not_connected(matches: int) -> None:
    accomplices = range(10, 16)
    joined = [(0, accomplice) for accomplice in accomplices[:matches]]
    pairs = everyone(range(10)) + everyone(accomplices) + joined
    assert connected(16, pairs) == list(range(10))
    another = [(1, accomplices[0]), (2, accomplices[5])]
    assert connected(16, pairs + another) == list(range(16))


def test_nearly_everybody_of_a_large_random_league_is_connected() -> None:
    random = np.random.default_rng(1)
    pairs = random.integers(0, 100_000, (500_000, 2))
    found = find_connections(100_000, pairs, 3)
    assert 95_000 < np.count_nonzero(found.connected) < 100_000
