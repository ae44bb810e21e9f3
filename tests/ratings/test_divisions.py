"""Divisions with every kind of cut, and players close to one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.divisions import (
    DEFAULT,
    Cuts,
    Scale,
    divisions_as_json,
    format_divisions,
    parse_divisions,
)
from ratings.percentile import DivisionError
from ratings.seasons.rules import SeasonRules, read_rules
from ratings.tunables.reading import ParameterError

RATING = Cuts(by="rating", rating_margin=10)
LEAGUE = parse_divisions("Low\nMiddle, #66707a, 1000\nHigh, 1200", RATING)
RANKS = parse_divisions("All\nHundred, 100\nTen, 10", Cuts(by="rank", rank_margin=2))


def names(scale: Scale, values: list[float]) -> list[str]:
    places = scale.of(np.array(values, dtype=float)).tolist()
    return ["–" if at < 0 else scale.divisions[at].name for at in places]


def test_each_kind_of_cut_puts_players_into_their_divisions() -> None:
    assert names(LEAGUE, [-50, 999.9, 1000, 1200, math.nan]) == [
        "Low",
        "Low",
        "Middle",
        "High",
        "–",
    ]
    assert names(RANKS, [1, 10, 11, 100, 101, math.nan]) == [
        "Ten", "Ten", "Hundred", "Hundred", "All", "–",
    ]  # fmt: skip
    assert names(DEFAULT, [1, 51, 100, math.nan]) == ["Bronze", "Gold", "Master", "–"]
    assert Scale(Cuts(), ()).of(np.array([5.0])).tolist() == [-1]


def test_typed_divisions_survive_a_round_trip() -> None:
    for scale in (LEAGUE, RANKS, DEFAULT):
        assert parse_divisions(format_divisions(scale), scale.cuts) == scale
        rules = {"cuts": scale.cuts.to_json(), "divisions": divisions_as_json(scale.divisions)}
        assert read_rules(rules).divisions == scale
    assert read_rules(SeasonRules().to_json()) == SeasonRules()


@pytest.mark.parametrize(
    ("typed", "by", "message"),
    [
        ("Low\nHigh, 9\nTop, 9", "rating", "Top must begin above High, which begins at 9"),
        ("Low, 5\nHigh, 9", "rating", "the lowest division, Low, includes everybody else"),
        ("All\nTen, 10\nTwenty, 20", "rank", "Twenty must begin above Ten"),
        ("All\nNone, 0.5", "rank", "must end at a whole rank of at least 1"),
        ("Low\nLow, 9", "rating", "two divisions are called Low"),
        ("Low\nHigh, 101", "percentile", "from 1 to 100; you gave 101"),
        ("Low\nHigh, 5, 6", "percentile", "line 2: write name, colour and cut"),
        ("L" * 41, "percentile", "at most 40 characters"),
        ("\n".join(f"D{n}, {n}" for n in range(1, 40)), "percentile", "at most 30"),
    ],
)
def test_invalid_divisions_are_rejected(typed: str, by: str, message: str) -> None:
    with pytest.raises(DivisionError, match=message):
        parse_divisions(typed, Cuts.model_validate({"by": by}))


def test_invalid_rules_are_rejected_by_name() -> None:
    with pytest.raises(ParameterError) as refused:
        read_rules(
            {
                "start": {"ratio": 3},
                "divisions": [{"title": "?"}],
                "decline": {},
                "ranked": {"x": 1},
            }
        )
    assert set(refused.value.problems) == {"start.ratio", "divisions", "decline", "ranked.x"}


def one(held: int, value: float, scale: Scale = LEAGUE) -> int:
    return int(scale.settle(np.array([held]), np.array([float(value)]))[0])


def test_a_division_is_reached_at_its_cut_and_lost_a_margin_below_it() -> None:
    assert [one(0, rating) for rating in (999.9, 1000, 1199, 1200, 1900)] == [0, 1, 1, 2, 2]
    assert [one(1, rating) for rating in (1000, 990, 989.9)] == [1, 1, 0]
    assert [one(2, rating) for rating in (1190, 1189.9, 990, 989.9)] == [2, 1, 1, 0]
    assert one(-1, 995) == 0  # a division must first be reached
    assert one(2, math.nan) == 2
    assert [one(2, rank, RANKS) for rank in (10, 12, 13, 102, 103)] == [2, 2, 1, 1, 0]
    assert [one(0, rank, RANKS) for rank in (101, 100, 11, 10)] == [0, 1, 1, 2]


@given(st.lists(st.floats(990, 1009.9), max_size=50))
def test_nobody_at_a_cut_changes_division_with_every_match(around: list[float]) -> None:
    held, moves = 0, 0
    for rating in around:
        moves += one(held, rating) != held
        held = one(held, rating)
    assert moves <= 1


@given(st.lists(st.floats(900, 1300), min_size=1), st.sampled_from([-1, 0, 1, 2]))
def test_settling_divisions_twice_changes_nothing(ratings: list[float], first: int) -> None:
    held = np.full(len(ratings), first)
    once = LEAGUE.settle(held, np.array(ratings))
    assert (LEAGUE.settle(once, np.array(ratings)) == once).all()
    assert (once >= LEAGUE.of(np.array(ratings))).all()
