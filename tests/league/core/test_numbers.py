"""Chances in percent add up to 100, and none is off by a whole step."""

import math

from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from league.services.core.numbers import fine_percents, ordinal, percents

CHANCES = st.lists(st.floats(0, 1), min_size=2, max_size=12).filter(lambda parts: sum(parts) > 0.01)


def shares_of(parts: list[float]) -> list[float]:
    return [part / sum(parts) for part in parts]


def read(texts: list[str]) -> list[float]:
    return [float(text.removesuffix("%")) for text in texts]


@given(CHANCES, st.integers(0, 3))
def test_percents_add_up_and_are_near(parts: list[float], decimals: int) -> None:
    chances = shares_of(parts)
    shown = read(percents(chances, decimals))
    assert math.isclose(sum(shown), 100)
    step = 0.1**decimals
    assert all(
        abs(one - 100 * chance) < step * 1.001 for one, chance in zip(shown, chances, strict=True)
    )


@given(CHANCES)
def test_percents_do_not_depend_on_the_order_of_sides(parts: list[float]) -> None:
    chances = shares_of(parts)
    by_chance = sorted(zip(chances, percents(chances), strict=True))
    turned = sorted(zip(chances[::-1], percents(chances[::-1]), strict=True))
    assert sorted(read([text for _, text in by_chance])) == sorted(
        read([text for _, text in turned])
    )


def test_halves_go_to_the_likeliest() -> None:
    assert percents([0.335, 0.335, 0.33]) == [
        "34\u00a0%",
        "33\u00a0%",
        "33\u00a0%",
    ]
    assert percents([0.645, 0.355]) == ["65\u00a0%", "35\u00a0%"]
    assert percents([0.355, 0.645]) == ["35\u00a0%", "65\u00a0%"]
    assert percents([1 / 3] * 3) == [
        "34\u00a0%",
        "33\u00a0%",
        "33\u00a0%",
    ]


def test_what_is_not_all_is_rounded_alone() -> None:
    assert percents([0.4694, 0.2]) == ["47\u00a0%", "20\u00a0%"]
    assert percents([]) == []


@given(st.floats(0, 1))
def test_fine_percents_reach_no_step_before_the_chance_does(chance: float) -> None:
    shown = fine_percents([chance, 1 - chance])
    assert math.isclose(sum(read(shown)), 100)
    if abs(100 * chance - round(100 * chance)) > 1e-3:
        assert math.floor(read(shown)[0]) <= 100 * chance


def test_places_are_ordinals_in_english() -> None:
    with override("en"):
        said = [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111, "112")]
    assert said == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st",
        "111th", "112th",
    ]  # fmt: skip
