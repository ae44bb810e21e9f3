"""The pace of a history, and parameters that do not suit it."""

import math

import pytest

from ratings.history import History
from ratings.lab.pace import PACES, parameters_at, typical_gap, warning
from ratings.registry import SYSTEMS, build
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
    said = warning(build("glicko-2", parameters), every(days))
    assert bool(said) == warned
    if days == 9 and warned:
        assert "typically 9.0 days apart" in said
        assert "Set deviation_period to about 27d" in said


@pytest.mark.parametrize("name", ["elo", "glicko", "laurel", "trueskill"])
def test_systems_without_such_periods_say_nothing(name: str) -> None:
    assert warning(build(name), every(300)) == ""


@pytest.mark.parametrize("pace", PACES)
def test_the_parameters_of_a_pace_suit_who_plays_at_it(pace: str) -> None:
    suiting = parameters_at(SYSTEMS["glicko-2"], pace)
    assert warning(build("glicko-2", suiting), every(PACES[pace])) == ""
    assert warning(build("glicko-2", suiting), every(4 * PACES[pace]))
    assert parameters_at(SYSTEMS["elo"], pace) == {}


def test_the_published_parameters_are_for_those_who_play_every_day() -> None:
    published = build("glicko-2").parameters
    assert build("glicko-2", parameters_at(SYSTEMS["glicko-2"], "daily")).parameters == published
