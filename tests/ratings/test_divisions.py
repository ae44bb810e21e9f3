"""Divisions of every kind of cut, and players who stand right at one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.divisions import DEFAULT, Cuts, Scale, as_json, parse, written
from ratings.parameters import ParameterError
from ratings.percentile import DivisionError
from ratings.season_rules import SeasonRules, read_rules
from ratings.types import NEVER

DAY = 86_400_000_000
RATING = Cuts(by="rating", margin=10, patience="2d")
LEAGUE = parse("Low\nMiddle, #66707a, 1000\nHigh, 1200", RATING)
RANKS = parse("All\nHundred, 100\nTen, 10", Cuts(by="rank", margin=2))


def names(scale: Scale, values: list[float]) -> list[str]:
    places = scale.of(np.array(values, dtype=float)).tolist()
    return ["–" if at < 0 else scale.divisions[at].name for at in places]


def test_each_kind_of_cut_puts_players_where_it_says() -> None:
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


def test_what_is_typed_is_read_back_to_the_same() -> None:
    for scale in (LEAGUE, RANKS, DEFAULT):
        assert parse(written(scale), scale.cuts) == scale
        rules = {"cuts": scale.cuts.written(), "divisions": as_json(scale.divisions)}
        assert read_rules(rules).divisions == scale
    assert read_rules(SeasonRules().written()) == SeasonRules()


@pytest.mark.parametrize(
    ("typed", "by", "said"),
    [
        ("Low\nHigh, 9\nTop, 9", "rating", "Top must begin above High, which begins at 9"),
        ("Low, 5\nHigh, 9", "rating", "the lowest division, Low, takes all"),
        ("All\nTen, 10\nTwenty, 20", "rank", "Twenty must begin above Ten"),
        ("All\nNone, 0.5", "rank", "must end at a rank from 1"),
        ("Low\nLow, 9", "rating", "two divisions are called Low"),
        ("Low\nHigh, 101", "percentile", "from 1 to 100; you gave 101"),
        ("Low\nHigh, 5, 6", "percentile", "line 2: write name, colour and cut"),
        ("\n".join(f"D{n}, {n}" for n in range(1, 40)), "percentile", "at most 30"),
    ],
)
def test_divisions_that_make_no_scale_are_refused(typed: str, by: str, said: str) -> None:
    with pytest.raises(DivisionError, match=said):
        parse(typed, Cuts.model_validate({"by": by}))


def test_rules_that_are_no_rules_are_refused_by_name() -> None:
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


def one(held: int, rating: float, now: int, since: int = NEVER) -> tuple[int, int, bool]:
    values = LEAGUE.settled(np.array([held]), np.array([since]), np.array([rating]), now)
    return int(values[0][0]), int(values[1][0]), bool(values[2][0])


def test_a_division_changes_at_once_past_the_margin_and_after_a_while_within_it() -> None:
    assert one(0, 1009, now=0) == (0, 0, False)  # across the cut, not far: the clock starts
    assert one(0, 1010, now=0) == (1, NEVER, True)
    assert one(0, 1009, now=2 * DAY - 1, since=0) == (0, 0, False)
    assert one(0, 1009, now=2 * DAY, since=0) == (1, NEVER, True)
    assert one(0, 990, now=DAY, since=0) == (0, NEVER, False)  # back in time: it stops
    assert one(1, 991, now=0) == (1, 0, False)
    assert one(1, 989, now=0) == (0, NEVER, True)
    assert one(0, 1250, now=0) == (2, NEVER, True)  # two divisions up
    assert one(-1, 1001, now=0) == (1, NEVER, True)  # a first division
    assert one(1, math.nan, now=0) == (-1, NEVER, True)


@given(st.lists(st.floats(990.1, 1009.9), max_size=50))
def test_nobody_at_a_cut_changes_division_with_every_match(around: list[float]) -> None:
    held, since, moves = 0, NEVER, 0
    for hour, rating in enumerate(around):
        held, since, moved = one(held, rating, now=hour * DAY // 24, since=since)
        moves += moved
    assert moves <= len(around) / 48
