"""The pace of a history, and parameters that do not suit it."""

import math

import numpy as np
import pytest

from ratings.history import History
from ratings.lab.pace import typical_gap, warning
from ratings.registry import build
from ratings.replay import replay
from tests.support.published import published
from tests.support.rating_histories import DAY, contest, duel


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


@pytest.mark.parametrize("name", ["codeforces", "topcoder"])
def test_systems_of_large_contests_warn_of_matches_of_two_sides(name: str) -> None:
    assert warning(build(name), every(1)) == build(name).against_two_sides
    three = History.build([contest(["A"], ["B"], ["C"]), duel("A", "B", match_id="2")])
    assert warning(build(name), three) == ""
    assert warning(build(name), History.build([])) == ""


@pytest.mark.parametrize("name", ["codeforces", "topcoder:topcoder"])
def test_what_the_warning_says_is_true(name: str) -> None:
    """Ten equal players, who all know each other, play 400 duels."""
    rng = np.random.default_rng(3)
    pairs = [[str(one) for one in rng.permutation(10)[:2]] for _match in range(400)]
    played = [
        duel(winner, loser, at=at * DAY, match_id=str(at))
        for at, (winner, loser) in enumerate(pairs)
    ]
    replayed = replay(published(name) if ":" in name else build(name), History.build(played))
    change = replayed.terms["change"].reshape(-1, 2)
    if name == "codeforces":
        assert change[0].max() / -change[0].min() == pytest.approx(1.2, abs=0.01)
        assert replayed.states.rating.mean() > 1550
    else:
        assert np.abs(change[-20:]).mean() < 0.01 * np.abs(change[0]).mean()
