"""Candidates rated side by side, against each of them alone."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import qmc

from ratings.history import History
from ratings.lab import side_by_side
from ratings.lab.evaluation import evaluate_forecasts, predict_history, predicted_matches
from ratings.lab.fitting import MOST_TRIALS, evenly_spread, fit
from ratings.lab.side_by_side import Duels, losses, states_after
from ratings.registry import build
from ratings.replay import final_states, without_memory
from ratings.system import RatingSystem
from tests.support.effort import examples
from tests.support.rating_histories import bits, contest, duel, histories, random_duels

NUMBERS: dict[str, dict[str, tuple[float, float]]] = {
    "glicko-2": {
        "rating_default": (900, 1500),
        "rating_max_change": (5, 400),
        "rating_max": (1500, 2000),
        "deviation_default": (100, 300),
        "deviation_min": (20, 99),
        "deviation_max": (351, 500),
        "deviation_max_periods": (1, 200),
        "deviation_period": (3600, 9_000_000),
        "volatility_min": (0.01, 0.05),
        "volatility_max": (0.07, 0.4),
        "first_side": (-200, 200),
    },
    "elo": {"max_gain": (1, 90), "T": (20, 900), "mean": (-50, 900), "first_side": (-90, 90)},
    "fermi": {"max_gain": (0.1, 9), "T": (0.1, 9), "first_side": (-2, 2)},
}
"""Ranges in which no parameters contradict each other."""
WHOLE = ("deviation_max_periods",)


def one_on_one(sizes: object) -> bool:
    return sizes == (1, 1)


@st.composite
def candidates(draw: st.DrawFn, name: str) -> list[RatingSystem]:
    shared: dict[str, object] = {
        "margin": draw(st.sampled_from(["none", "clear", "goals", "log"])),
        "draws": draw(st.sampled_from([0.0, 0.3])),
    }
    if name == "glicko-2":
        shared["volatility_system_constant"] = draw(st.sampled_from([0.3, 0.588, 2.7]))
        shared["deviation_growth"] = draw(st.sampled_from(["even", "volatility"]))
    varied = draw(st.lists(st.sampled_from(list(NUMBERS[name])), unique=True, max_size=4))

    def value(one: str) -> float:
        low, high = NUMBERS[name][one]
        return draw(st.integers(int(low), int(high)) if one in WHOLE else st.floats(low, high))

    def values() -> dict[str, object]:
        return {one: value(one) for one in varied}

    return [build(name, {**shared, **values()}) for _ in range(draw(st.integers(1, 5)))]


def alone(system: RatingSystem, history: History, warm_up: int) -> float:
    predictions = predict_history(system, history)
    chosen = predicted_matches(history, predictions)
    chosen[:warm_up] = False
    return evaluate_forecasts(history, predictions, chosen).log_loss


@pytest.mark.parametrize("name", list(NUMBERS))
@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_each_candidate_has_the_bits_of_its_own_replay(name: str, data: st.DataObject) -> None:
    played = data.draw(histories(most=30, rates=one_on_one).filter(bool))
    if name == "glicko-2":
        flags = data.draw(st.lists(st.booleans(), min_size=len(played), max_size=len(played)))
        played = [replace(one, played=flag) for one, flag in zip(played, flags, strict=True)]
    weights = st.sampled_from([1.0, 1.0, 0.3, 1e-6, 1.5e-6, 1e-300])
    played = [replace(one, weight=data.draw(weights)) for one in played]
    history = History.build(played)
    systems = data.draw(candidates(name))
    warm_up = data.draw(st.integers(0, len(history) // 2))
    duels = Duels.of(systems[0], history, warm_up)
    assert duels is not None
    after, found = states_after(duels, systems), losses(duels, systems)
    assert after is not None
    assert found is not None
    for system, states, loss in zip(systems, after, found.tolist(), strict=True):
        assert bits(states) == bits(without_memory(final_states(system, history)))
        assert loss == pytest.approx(alone(system, history, warm_up), rel=1e-12, nan_ok=True)


def test_neither_blocks_nor_other_candidates_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    history = random_duels(2000, players=60)
    systems = [build("glicko-2", {"deviation_min": 20.0 + at}) for at in range(40)]
    duels = Duels.of(systems[0], history)
    assert duels is not None
    at_once = states_after(duels, systems)
    all_losses = losses(duels, systems)
    assert at_once is not None
    assert all_losses is not None
    monkeypatch.setattr(side_by_side, "NUMBERS_AT_ONCE", 100)
    monkeypatch.setattr(side_by_side, "NUMBERS_IN_TABLE", 7 * 60)
    in_blocks = states_after(duels, systems[3:9])
    assert in_blocks is not None
    assert [bits(one) for one in in_blocks] == [bits(one) for one in at_once[3:9]]
    few = losses(duels, systems)
    assert few is not None
    assert few == pytest.approx(all_losses, rel=1e-12)


def test_what_cannot_be_rated_side_by_side_is_refused() -> None:
    duels = History.build([duel("Alice", "Bob")])
    teams = History.build([contest(["Alice", "Bob"], ["Charlie", "Dora"])])
    forfeit = History.build([replace(duel("Alice", "Bob"), played=False)])
    assert Duels.of(build("glicko-2"), teams) is None
    assert Duels.of(build("glicko-2"), History.build([])) is None
    assert Duels.of(build("glicko-2", {"update": "period"}), duels) is None
    assert Duels.of(build("glicko-2", {"rating_profession_ratio": 0.5}), duels) is None
    assert Duels.of(build("glicko-2").with_anchors(["Alice"]), duels) is None
    assert Duels.of(build("ladder"), duels) is None
    assert Duels.of(build("elo"), forfeit) is None
    ready = Duels.of(build("glicko-2"), duels)
    assert ready is not None
    constants = [build("glicko-2", {"volatility_system_constant": at}) for at in (0.5, 0.6)]
    assert losses(ready, constants) is None


def test_generations_find_the_minimum_that_a_line_search_finds() -> None:
    history = random_duels(600, players=10)
    done: list[int] = []
    found = fit(build("elo"), history, progress=done.append)

    def loss(gain: float) -> float:
        return alone(build("elo", {"max_gain": gain}), history, 60)

    wanted = minimize_scalar(  # type: ignore[no-untyped-call]
        loss, bounds=(0.1, 500.0), method="bounded", options={"xatol": 1e-6}
    ).fun
    assert found.loss == pytest.approx(wanted, abs=2e-5)
    assert found.loss == alone(found.system, history, 60)
    assert 0 < sum(done) <= MOST_TRIALS


def test_generations_keep_to_the_rules_between_parameters() -> None:
    history = random_duels(300, players=10)
    names = ["deviation_default", "deviation_min", "deviation_max", "volatility_default"]
    found = fit(build("glicko-2"), history, names)
    assert found.loss < found.loss_before
    assert found.trials > 60
    assert found.loss == alone(found.system, history, 30)


def test_a_system_constant_is_fitted_one_by_one() -> None:
    history = random_duels(100, players=10)
    found = fit(build("glicko-2"), history, ["volatility_system_constant"])
    assert found.trials <= MOST_TRIALS + 2
    assert found.loss <= found.loss_before


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_points_are_spread_more_evenly_than_by_chance(dimensions: int) -> None:
    points = np.array(
        [point for point, _ in zip(evenly_spread(dimensions), range(64), strict=False)]
    )
    assert (np.abs(points) <= 1).all()
    for axis in points.T:
        assert np.histogram(axis, bins=8, range=(-1, 1))[0].min() >= 5
    by_chance = np.random.default_rng(1).uniform(-1, 1, points.shape)
    assert qmc.discrepancy(0.5 + 0.5 * points) < qmc.discrepancy(0.5 + 0.5 * by_chance)
