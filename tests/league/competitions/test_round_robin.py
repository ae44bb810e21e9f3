"""Round robins: everybody meets everybody, at home and away by turns; and the draw of groups."""

from collections import Counter
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.services.competitions.pairing.groups import groups
from league.services.competitions.pairing.round_robin import round_robin
from tests.support.effort import spread

FIELDS = range(2, 32)


def venues(rounds: list[list[tuple[int, int]]], entrant: int) -> list[bool]:
    """Return where an entrant plays in each of their rounds, True for at home."""
    return [home == entrant for pairs in rounds for home, away in pairs if entrant in {home, away}]


def breaks(venue: list[bool]) -> int:
    return sum(one == next_one for one, next_one in pairwise(venue))


@pytest.mark.parametrize(("count", "legs"), spread([*product(FIELDS, [1, 2, 3])], 30))
def test_everybody_meets_everybody_once_in_each_leg(count: int, legs: int) -> None:
    rounds = round_robin(range(count), legs)
    assert len(rounds) == legs * (count - 1 + count % 2)
    for pairs in rounds:
        playing = [entrant for pair in pairs for entrant in pair]
        assert len(playing) == len(set(playing)) == count - count % 2
    met = Counter((min(pair), max(pair)) for pairs in rounds for pair in pairs)
    assert met == dict.fromkeys(combinations(range(count), 2), legs)


def test_the_largest_field() -> None:
    rounds = round_robin(range(513), 1)
    assert len(rounds) == 513
    assert {len(pairs) for pairs in rounds} == {256}
    met = {
        (home, away) if home < away else (away, home) for pairs in rounds for home, away in pairs
    }
    assert len(met) == 513 * 256


@pytest.mark.parametrize("count", spread(FIELDS, 10))
def test_home_and_away_alternate_as_evenly_as_possible(count: int) -> None:
    once, twice = round_robin(range(count), 1), round_robin(range(count), 2)
    for entrant in range(count):
        assert abs(2 * sum(venues(once, entrant)) - len(venues(once, entrant))) <= 1 - count % 2
        assert 2 * sum(venues(twice, entrant)) == len(venues(twice, entrant))
        for venue in (venues(once, entrant), venues(twice, entrant)):
            assert all(
                len(set(three)) > 1 for three in zip(venue, venue[1:], venue[2:], strict=False)
            )
    # Two entrants with one pattern never meet, and only two patterns have no break.
    assert sum(breaks(venues(once, one)) for one in range(count)) == (
        0 if count % 2 else max(count - 2, 0)
    )


def test_no_schedule_of_four_has_fewer_breaks() -> None:
    rounds = round_robin(range(4), 1)
    fewest = 6
    for turned in product([False, True], repeat=6):
        tried = [
            [pair[::-1] if turned[2 * number + at] else pair for at, pair in enumerate(pairs)]
            for number, pairs in enumerate(rounds)
        ]
        fewest = min(fewest, sum(breaks(venues(tried, entrant)) for entrant in range(4)))
    assert fewest == 2


def test_the_table_for_six_is_the_published_one() -> None:
    """FIDE Handbook C.05, annex 1, for five or six players."""
    assert round_robin(range(1, 7), 1) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]


@pytest.mark.parametrize(("entrants", "legs"), [([], 1), ([7], 1), ([7, 8], 0)])
def test_it_needs_two_entrants_and_a_leg(entrants: list[int], legs: int) -> None:
    with pytest.raises(ValueError, match="needs two entrants and a leg"):
        round_robin(entrants, legs)


@given(st.integers(1, 12), st.integers(0, 20))
def test_groups_are_of_equal_size_and_strength(count: int, more: int) -> None:
    field = list(range(1, 2 * count + more + 1))
    dealt = groups(field, count)
    assert sorted(entrant for group in dealt for entrant in group) == field
    sizes = {len(group) for group in dealt}
    assert max(sizes) - min(sizes) <= 1
    if len(sizes) == 1:
        sums = [sum(group) for group in dealt]
        assert max(sums) - min(sums) < count


def test_a_snake() -> None:
    assert groups([1, 2, 3, 4, 5, 6, 7, 8], 3) == [[1, 6, 7], [2, 5, 8], [3, 4]]


def test_a_group_needs_two_entrants() -> None:
    with pytest.raises(ValueError, match="two entrants"):
        groups([1, 2, 3], 2)
