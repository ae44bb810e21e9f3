"""The pace of a history, and parameters that do not suit it."""

import math

import pytest

from ratings.history import History
from ratings.lab.pace import typical_gap, warning
from ratings.registry import build
from tests.support.published import published
from tests.support.rating_histories import DAY, duel


def every(days: float) -> History:
    """Alice and Bob play at this pace, and Charlie plays each of them once on the first day."""
    first = [duel("Alice", "Charlie", match_id="c"), duel("Bob", "Charlie", match_id="d")]
    rest = [
        duel("Alice", "Bob", at=round(number * days * DAY), match_id=str(number))
        for number in range(1, 6)
    ]
    return History.build([*first, *rest])


def test_the_typical_gap_is_the_median_between_matches_of_a_player() -> None:
    assert typical_gap(every(9)) == 9 * 86_400
    assert math.isnan(typical_gap(History.build([duel("Alice", "Bob")])))
    assert math.isnan(typical_gap(History.build([])))


@pytest.mark.parametrize(
    ("days", "parameters", "warned"),
    [
        (9, {}, True),
        (2, {}, False),
        (9, {"deviation_period": "27d"}, False),
        (40, {"deviation_period": "27d"}, True),
    ],
)
def test_glicko_2_warns_if_players_play_less_often_than_its_period(
    days: float, parameters: dict[str, object], warned: bool
) -> None:
    said = warning(published("glicko-2:gw2", parameters), every(days))
    assert bool(said) == warned
    if days == 9 and warned:
        assert "typically 9.0 days apart" in said
        assert "Set deviation_period to about 27d" in said


@pytest.mark.parametrize("name", ["elo", "glicko", "laurel", "trueskill"])
def test_systems_without_such_periods_say_nothing(name: str) -> None:
    assert warning(build(name), every(300)) == ""


def test_the_defaults_suit_daily_and_yearly_play_and_the_published_daily_play_alone() -> None:
    for days in (1, 7, 30, 91, 200):
        assert warning(build("glicko-2"), every(days)) == ""
    assert warning(build("glicko-2"), every(365))
    assert [bool(warning(published("glicko-2:gw2"), every(days))) for days in (1, 7)] == [
        False,
        True,
    ]
    by_volatility = {"update": "period", "deviation_growth": "volatility"}
    assert warning(build("glicko-2", {**by_volatility, "period": "1w"}), every(91)) == ""
    assert warning(build("glicko-2", {**by_volatility, "period": "1h"}), every(7))
