"""Equals who meet again and again: whatever the rating system and its settings, matches count."""

from itertools import combinations, permutations

import pytest

from ratings import registry
from ratings.system import RatingSystem, UnsupportedMatch
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError
from tests.support.effort import slow_case
from tests.support.limited_season import LimitedSeason

LEAST = 0.5
HOUR = 3_600_000_000
WEEK = 168 * HOUR


def extremes(name: str) -> list[tuple[str, RatingSystem]]:
    """Return a system with each parameter at either end, and with each choice."""
    found = []
    for one in declarations(registry.SYSTEMS[name].Parameters):
        ends = [one.minimum, one.maximum, *(choice.value for choice in one.choices)]
        if one.kind == "boolean":
            ends = [True, False]
        if one.exclusive_minimum and one.minimum == 0:
            ends[0] = 0.001
        for value in ends:
            if value is None:
                continue
            try:
                system = registry.build(name, {one.name: value})
            except ParameterError:
                continue
            found.append((f"{one.name} {value}", system))
    return found


SYSTEMS = [name for name in registry.SYSTEMS if name != "ladder"]
SHIPPED = [pytest.param(registry.build(name, {}), id=f"{name}, as shipped") for name in SYSTEMS]
EXTREME = [
    slow_case(pytest.param(system, id=f"{name}, {label}"))
    for name in SYSTEMS
    for label, system in extremes(name)
]
CASES = [*SHIPPED, *EXTREME]


@pytest.mark.parametrize("system", CASES)
def test_the_first_ten_meetings_of_two_equals_count(system: RatingSystem) -> None:
    for pause in (HOUR, WEEK):
        for in_a_row, least in ((1, LEAST), (2, 0.3)):
            season = LimitedSeason(system, 2)
            counted = []
            for number in range(10):
                first = number // in_a_row % 2
                if not season.are_equals(0, 1):
                    break
                counted.append(season.play(first, 1 - first, pause=pause))
            assert min(counted, default=1.0) >= least, (pause, in_a_row, counted)


@pytest.mark.parametrize("system", CASES)
def test_three_round_robins_of_six_count(system: RatingSystem) -> None:
    season = LimitedSeason(system, 6)
    counted = [
        season.play(*((one, other) if (one + other + round_) % 2 else (other, one)), pause=HOUR)
        for round_ in range(3)
        for one, other in combinations(range(6), 2)
    ]
    assert min(counted) >= LEAST, counted


@pytest.mark.parametrize("system", CASES)
def test_ten_races_of_the_same_four_count(system: RatingSystem) -> None:
    season = LimitedSeason(system, 4)
    try:
        counted = [season.play(*order) for order in list(permutations(range(4)))[::2][:10]]
    except UnsupportedMatch:
        return
    assert min(counted) >= LEAST, counted
