"""Conformance tests of what systems can count beside places: the first side, margins and others."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.contests import forecasting
from ratings.facade import Ratings
from ratings.history import History, Participant
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from tests.support.rating_histories import DAY, contest, duel


def with_parameter(name: str) -> pytest.MarkDecorator:
    """Parametrize the systems that declare a parameter."""
    declared = [one for one, system in SYSTEMS.items() if name in system.Parameters.model_fields]
    return pytest.mark.parametrize("name", declared)


def gain(name: str, parameters: dict[str, object], first: int | None = None) -> float:
    """Return what Ann gains by a win over a newcomer."""
    history = History.build([replace(duel("Ann", "Bob"), first=first)])
    return float(replay(build(name, parameters), history).terms["change"][0])


@with_parameter("first_side")
def test_being_first_can_count(name: str) -> None:
    home, neutral, away = (gain(name, {"first_side": 80}, first) for first in (0, None, 1))
    assert 0 < home < neutral < away


@with_parameter("margin")
def test_a_clear_win_can_count_more(name: str) -> None:
    """For Laurel from the second match on, as it has to learn what is clear."""
    learns = name == "laurel"
    system = build(name, {"margin": "learnt" if learns else "goals"})
    earlier = [contest(["Ann"], ["Bob"], scores=[2.0, 0.0])] if learns else []
    narrow, clear = (
        replay(
            system,
            History.build(
                [*earlier, contest(["Ann"], ["Bob"], scores=scores, at=DAY, match_id="2")]
            ),
        ).terms["change"][-2]
        for scores in ([1.0, 0.0], [5.0, 0.0])
    )
    assert 0 < narrow < clear


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_draws_can_be_forecast(name: str) -> None:
    parameter = "draws" if "draws" in SYSTEMS[name].Parameters.model_fields else "draw_probability"
    system = build(name, {parameter: 0.3})
    two = np.array([[0, 1]])
    equals = system.newcomers(1).take(np.zeros_like(two))
    found = forecasting.forecast(system, equals, (1, 1), np.zeros(1, dtype=np.int64), None)
    assert 0.1 < found.draw[0] < 0.5
    assert found.win[0].sum() + found.draw[0] == pytest.approx(1)


@pytest.mark.parametrize("name", ["glicko-2", "laurel"])
def test_a_context_can_have_a_strength_of_its_own(name: str) -> None:
    parameters = (
        {"profession_ratings": True, "rating_profession_ratio": 0.5} if name == "glicko-2" else {}
    )
    ratings = Ratings(name, **parameters)

    def on(surface: str) -> list[Participant]:
        return [Participant(player, profession=surface) for player in ("Ann", "Bob")]

    for _match in range(5):
        ratings.rate(on("clay"))
        ratings.rate(on("grass")[::-1])
    clay, grass = (ratings.predict(on(surface)).win[0] for surface in ("clay", "grass"))
    assert clay > grass + 0.1
