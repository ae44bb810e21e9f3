"""How many matches were against ranked players other than the one met most."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ratings.seasons.support import supported

PLAYERS = 6


@given(
    st.lists(st.dictionaries(st.integers(-1, PLAYERS - 1), st.integers(0, 2)), max_size=20),
    st.lists(st.booleans(), min_size=PLAYERS, max_size=PLAYERS),
)
def test_the_same_as_the_plain_definition(
    matches: list[dict[int, int]], connected: list[bool]
) -> None:
    rows = [
        (number, 10 * number + side, player)
        for number, match in enumerate(matches)
        for player, side in match.items()
    ]
    games = np.array(rows, np.int64).reshape(-1, 3).T
    played, support = supported(games, np.array(connected))
    for player in range(PLAYERS):
        met: Counter[int] = Counter()
        right = count = 0
        for match in matches:
            if player not in match:
                continue
            others = [other for other, side in match.items() if side != match[player]]
            known = [other for other in others if other >= 0 and connected[other]]
            count += bool(others)
            if others and 2 * len(known) >= len(others):
                right += 1
                met.update(others if len(others) == 1 else [])
        assert played[player] == count
        assert support[player] == right - max(met.values(), default=0)
