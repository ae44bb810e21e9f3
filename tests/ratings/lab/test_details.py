"""Details of forecasts, and walking forward."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from ratings.history import History
from ratings.lab.details import details
from ratings.lab.evaluation import evaluate_predictions, predict_history, predicted_matches
from ratings.lab.fitting import fit
from ratings.lab.synthetic import World, generate
from ratings.lab.trial import try_system
from ratings.lab.walking import walk_forward
from ratings.registry import build
from ratings.types import Floats, Integers
from tests.support.rating_histories import DAY, contest, random_duels

NO_TIME = float


def played(count: int, seed: int = 3) -> History:
    """Return duels of twelve players, three a day, of which some are drawn."""
    history = random_duels(count, 12, seed)
    days = np.repeat(np.arange(count // 3 + 1), 3)[:count] * DAY
    return replace(history, times=days)


def test_values_are_those_of_an_evaluation() -> None:
    history = generate(World(players=60, rounds=80, entrants=6), np.random.default_rng(2)).history
    predictions = predict_history(build("elo-mmr"), history)
    chosen = np.arange(len(history)) >= 20
    found = details(history, predictions, chosen)
    known = evaluate_predictions(history, predictions, first=20)
    for name in ("pair_inversion", "rank_deviation", "log_loss", "brier"):
        assert getattr(found, name).value == pytest.approx(getattr(known, name)), name
    assert found.accuracy.value == pytest.approx(known.accuracy / 100)
    assert found.calibration == known.calibration
    assert np.isnan(found.outcome_log_loss.value), "there is no match of two sides"


def test_intervals_are_the_same_each_time_and_hold_the_value() -> None:
    history = played(300)
    trial, again = (
        try_system(build("elo"), history, 100, NO_TIME, full=True) for _time in range(2)
    )
    assert trial == again
    assert trial.details
    for name in ("accuracy", "log_loss", "brier", "slope", "pair_inversion", "rank_deviation"):
        one = getattr(trial.details, name)
        assert one.low < one.value < one.high, name
    assert trial.details.slope.value == pytest.approx(trial.slope)


def test_an_interval_is_that_of_a_plain_bootstrap_of_days() -> None:
    """Draw whole days, and average the losses of their matches one by one."""
    history = played(240)
    trial = try_system(build("elo"), history, 0, NO_TIME, full=True)
    assert trial.details
    chance = predict_history(build("elo"), history).chance.reshape(-1, 2)
    drawn = history.places.reshape(-1, 2).sum(axis=1) == 0
    first = history.places[::2] == 0
    losses = np.where(
        drawn, -np.log(chance).mean(axis=1), -np.log(np.where(first, chance[:, 0], chance[:, 1]))
    )
    day = history.times // DAY
    rng = np.random.default_rng(8)
    means = []
    for _ in range(2_000):
        days = rng.choice(np.unique(day), len(np.unique(day)))
        means.append(np.concatenate([losses[day == one] for one in days]).mean())
    low, high = np.percentile(means, [2.5, 97.5])
    found = trial.details.log_loss
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.15 * (high - low))


def test_the_interval_of_the_slope_is_that_of_slopes_found_anew_for_draws_of_days() -> None:
    history = played(600)
    predictions = predict_history(build("elo"), history)
    everything = np.ones(len(history), dtype=np.bool_)
    first = history.places[::2] < history.places[1::2]
    share = np.where(history.places[::2] == history.places[1::2], 0.5, first)
    odds = np.log(predictions.chance[::2] / predictions.chance[1::2])
    day = history.times // DAY
    by_day = [np.flatnonzero(day == one) for one in np.unique(day)]
    rng = np.random.default_rng(8)

    def derivative(slope: float, rows: Integers) -> float:
        return float(((share[rows] - 1 / (1 + np.exp(-slope * odds[rows]))) * odds[rows]).sum())

    slopes = []
    for _ in range(500):
        drawn = rng.integers(0, len(by_day), len(by_day))
        rows = np.concatenate([by_day[one] for one in drawn])
        slopes.append(brentq(derivative, -20, 20, args=(rows,)))  # type: ignore[no-untyped-call]
    low, high = np.percentile(slopes, [2.5, 97.5])
    found = details(history, predictions, everything).slope
    assert [found.low, found.high] == pytest.approx([low, high], abs=0.15 * (high - low))


def of_three(chances: Floats, history: History) -> float:
    """Return the loss of forecasts of a win, a draw and a defeat ``(m, 3)``."""
    one, other = history.places.reshape(-1, 2).T
    happened = np.where(one == other, 1, np.where(one < other, 0, 2))
    return float(-np.log(chances[np.arange(len(one)), happened]).mean())


def test_the_loss_of_three_outcomes_counts_draws_for_themselves() -> None:
    history = played(200)
    assert (history.places.reshape(-1, 2).sum(axis=1) == 0).any()
    plain = try_system(build("elo"), history, 0, NO_TIME, full=True)
    assert plain.details
    assert np.isnan(plain.details.outcome_log_loss.value), "it gave draws no chance"
    system = build("elo", {"draws": 0.2})
    trial = try_system(system, history, 0, NO_TIME, full=True)
    assert trial.details
    predictions = predict_history(system, history)
    assert predictions.draw is not None
    win, lose = predictions.chance.reshape(-1, 2).T - predictions.draw / 2
    chances = np.stack([win, predictions.draw, lose], axis=1)
    assert chances.sum(axis=1) == pytest.approx(np.ones(len(history)))
    expected = of_three(chances, history)
    assert trial.details.outcome_log_loss.value == pytest.approx(expected)
    assert trial.log_loss == pytest.approx(plain.log_loss), "expected scores stay"


def test_without_matches_nothing_is_known() -> None:
    history = History.build([contest(["a"], ["b"])])
    found = details(history, predict_history(build("elo"), history), np.array([False]))
    written = found.to_json()
    assert written.pop("calibration") == []
    assert all(one == {"value": None, "low": None, "high": None} for one in written.values())


def test_each_window_is_forecast_with_parameters_of_its_past_alone() -> None:
    history = played(180)
    walked = walk_forward(build("elo"), history, 60, 20 * 86_400, NO_TIME, ["max_gain"])
    assert [(one.start, one.matches) for one in walked.windows] == [
        ("1970-01-21", 60),
        ("1970-02-10", 60),
    ]
    assert walked.matches == 120
    total = 0.0
    for window, start in zip(walked.windows, (60, 120), strict=True):
        fitted = fit(build("elo"), history.part(0, start), ["max_gain"]).system
        alone = try_system(fitted, history.part(0, start + 60), start, NO_TIME)
        assert window.log_loss == alone.log_loss
        assert window.parameters["max_gain"] == fitted.parameters.to_json()["max_gain"]
        total += 60 * alone.log_loss
    assert walked.log_loss == pytest.approx(total / 120)


def test_a_window_does_not_depend_on_what_comes_after_it() -> None:
    history = played(180)
    places = history.places.copy()
    places[240:] = places[240:].reshape(-1, 2)[:, ::-1].ravel()
    other = replace(history, places=places)
    one, two = (
        walk_forward(build("elo"), each, 60, 20 * 86_400, NO_TIME, ["max_gain"])
        for each in (history, other)
    )
    assert one.windows[0] == two.windows[0]
    assert one.windows[1].log_loss != two.windows[1].log_loss


def test_days_without_matches_are_no_windows() -> None:
    history = played(60)
    late = replace(history, times=np.where(np.arange(60) < 40, history.times, 900 * DAY))
    walked = walk_forward(build("elo"), late, 30, 5 * 86_400, NO_TIME, ["max_gain"])
    assert [one.matches for one in walked.windows] == [10, 20]
    assert predicted_matches(late, predict_history(build("elo"), late)).all()
