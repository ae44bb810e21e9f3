"""Trials of systems: no peeking, the slope, and fits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from ratings.history import History
from ratings.lab.evaluation import Predictions, predict_history
from ratings.lab.fitting import fit
from ratings.lab.slopes import slope
from ratings.lab.trial import split_at, try_system
from ratings.registry import SYSTEMS, build
from ratings.tunables.reading import ParameterError
from tests.support.effort import examples
from tests.support.rating_histories import DAY, duel, histories, random_duels
from tests.support.system_properties import properties_of


def no_clock() -> float:
    return 0.0


def test_a_split_is_a_share_of_the_matches_or_a_time() -> None:
    history = random_duels(10, players=4)
    assert split_at(history, 0.5) == 5
    assert split_at(history, 0.0) == 0
    assert split_at(history, int(history.times[7])) == 7
    assert split_at(history, int(history.times[-1]) + 1) == 10


@pytest.mark.parametrize("name", list(SYSTEMS))
@settings(max_examples=examples(5), deadline=None)
@given(data=st.data())
def test_no_result_can_influence_its_own_forecast_or_an_earlier_one(
    name: str, data: st.DataObject
) -> None:
    played = data.draw(histories(most=6, rates=properties_of(name).rates).filter(bool))
    which = data.draw(st.integers(0, len(played) - 1))
    turned = [replace(side, place=3 - side.place, score=None) for side in played[which].sides]
    changed = [*played[:which], replace(played[which], sides=turned), *played[which + 1 :]]
    system = build(name)
    one, other = (predict_history(system, History.build(some)) for some in (played, changed))
    stop = sum(len(match.sides) for match in played[: which + 1])
    assert one.chance[:stop].tobytes() == other.chance[:stop].tobytes()


def test_the_slope_is_that_of_a_logistic_regression() -> None:
    history = random_duels(400, players=20)
    own = np.random.default_rng(3).uniform(0.1, 0.9, len(history))
    predictions = Predictions(np.zeros(800), np.zeros(800, np.int64), np.ravel([own, 1 - own], "F"))
    places = history.places.reshape(-1, 2)
    result = np.where(places[:, 0] == places[:, 1], 0.5, places[:, 0] < places[:, 1])
    odds = np.log(own / (1 - own))

    def loss(power: float) -> float:
        return float(
            np.logaddexp(0, -power * odds) @ result + np.logaddexp(0, power * odds) @ (1 - result)
        )

    wanted = minimize_scalar(  # type: ignore[no-untyped-call]
        loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-9}
    ).x
    found = slope(history, predictions, np.ones(len(history), np.bool_))
    assert found == pytest.approx(wanted, abs=1e-5)


def test_certain_and_even_forecasts_have_no_slope() -> None:
    history = History.build([duel("a", "b")])
    everything = np.ones(1, np.bool_)
    for chance in ([1.0, 0.0], [0.5, 0.5]):
        predictions = Predictions(np.zeros(2), np.zeros(2, np.int64), np.array(chance))
        assert np.isnan(slope(history, predictions, everything))


def test_only_matches_after_the_split_count() -> None:
    history = random_duels(200, players=10)
    late = try_system(build("elo"), history, 150, no_clock)
    assert late.matches == 50
    nothing = try_system(build("elo"), history, 200, no_clock)
    assert nothing.to_json()["log_loss"] is None


def test_a_fit_lowers_the_loss_and_keeps_to_the_bounds() -> None:
    """Form that changes fast needs a large K."""
    rng = np.random.default_rng(5)
    strength = np.cumsum(rng.normal(0, 0.5, (400, 8)), axis=0)
    first = rng.integers(0, 8, 400)
    second = (first + rng.integers(1, 8, 400)) % 8
    day = np.arange(400)
    win = rng.random(400) < 1 / (1 + np.exp(strength[day, second] - strength[day, first]))
    history = History.duels(
        [str(n) for n in range(8)],
        day * DAY,
        np.where(win, first, second),
        np.where(win, second, first),
    )
    found = fit(build("elo", {"max_gain": 4}), history)
    assert found.names == ("max_gain",)
    assert found.loss < found.loss_before - 0.01
    assert found.system.parameters.to_json()["max_gain"] > 40  # type: ignore[operator]


def test_only_numbers_can_be_fitted() -> None:
    history = random_duels(10, players=4)
    with pytest.raises(ParameterError, match="is not a parameter"):
        fit(build("elo"), history, ["speed"])
    with pytest.raises(ParameterError, match="team_strength"):
        fit(build("elo"), history, ["team_strength"])
