"""What a season's players have played and won against ranked players and others."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.seasons.support import LAST, NEARLY, Games, Support, measure_support
from ratings.seasons.unconfirmed import Part, sum_unconfirmed

PLAYERS = 6


@given(
    st.lists(
        st.dictionaries(
            st.integers(-1, PLAYERS - 1), st.tuples(st.integers(0, 2), st.floats(-200, 200))
        ),
        max_size=20,
    ),
    st.lists(st.booleans(), min_size=PLAYERS, max_size=PLAYERS),
    st.permutations(range(20)),
)
def test_the_same_as_the_plain_definition(
    matches: list[dict[int, tuple[int, float]]], connected: list[bool], order: list[int]
) -> None:
    rows = [
        (number, 10 * number + side, player, gain)
        for number, match in enumerate(matches)
        for player, (side, gain) in match.items()
    ]
    table = np.array(rows).reshape(-1, 4).T
    sides = table[:3].astype(np.int64)
    games = Games(sides, np.array(order)[sides[0]], table[3])
    found = measure_support(games, np.array(connected))
    in_order = [matches[number] for number in np.argsort(order) if number < len(matches)]
    for player in range(PLAYERS):
        met: Counter[int] = Counter()
        right = count = 0
        parts = []
        for match in in_order:
            if player not in match:
                continue
            own, gain = match[player]
            others = [other for other, (side, _gain) in match.items() if side != own]
            known = [other for other in others if other >= 0 and connected[other]]
            if not others:
                continue
            count += 1
            single = others[0] if len(others) == 1 else None
            parts.append(Part(gain, 1 - len(known) / len(others), single))
            if 2 * len(known) >= len(others):
                right += 1
                if single is not None:
                    met[single] += 1
        assert found.matches[player] == count
        assert found.against_ranked[player] == right - max(met.values(), default=0)
        assert found.unconfirmed[player] == pytest.approx(sum_unconfirmed(parts), abs=1e-6)


def test_the_usual_change_is_that_of_the_last_matches_that_confirm() -> None:
    matches = LAST + 3
    sides = [[number, 2 * number + side, side] for number in range(matches) for side in (0, 1)]
    gains = [float(100 - number) for number in range(matches) for _side in (0, 1)]
    games = Games(np.array(sides).T, np.repeat(np.arange(matches), 2), np.array(gains))
    assert np.isnan(measure_support(games, np.zeros(2, bool)).usual).all(), "nobody is ranked"
    alone = measure_support(games, np.ones(2, bool)).usual
    assert alone.tolist() == [100, 100], "one opponent confirms only once"
    games.sides[2, 1::2] = np.arange(matches) % 2 + 1
    counted = [100 - number for number in range(matches) if number % 2 or not number]
    assert measure_support(games, np.ones(3, bool)).usual[0] == pytest.approx(
        np.mean(counted[-LAST:])
    )


def support(matches: int = 1, ranked: int = 1, points: float = 0) -> Support:
    return Support(np.array([matches]), np.array([ranked]), np.array([points]), np.ones(1))


NOBODY, EVERYBODY = np.zeros(1, bool), np.ones(1, bool)


def test_few_points_may_be_unconfirmed() -> None:
    assert support(points=20 + NEARLY / 2).enough(0, 20, NOBODY).all()
    assert not support(points=20.01).enough(0, 20, NOBODY).any()
    assert support(points=1e6).enough(0, 0, NOBODY).all(), "with nothing to keep, none need it"


def test_a_rank_is_not_lost_as_easily() -> None:
    assert support(points=60).enough(0, 20, EVERYBODY).all()
    assert not support(points=60.01).enough(0, 20, EVERYBODY).any()


def test_a_share_of_the_matches_has_to_be_against_ranked_players() -> None:
    assert support(10, 3).enough(0.3, 20, NOBODY).all()
    assert not support(10, 2).enough(0.3, 20, EVERYBODY).any()
