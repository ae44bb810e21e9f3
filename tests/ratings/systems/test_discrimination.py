"""The width of ratings against T measures how discriminating a game is."""

import numpy as np
import pytest

from ratings.registry import SYSTEMS
from ratings.systems.fermi.population import discrimination
from ratings.types import States


def test_a_game_of_chance_has_no_width() -> None:
    assert discrimination(0.0, 1.0).chance == 0.5


def test_a_width_of_t_means_73_percent_and_of_3t_95() -> None:
    assert discrimination(173.7, 173.7).chance == pytest.approx(0.731, abs=5e-4)
    assert discrimination(6.0, 2.0).chance == pytest.approx(0.953, abs=5e-4)
    assert discrimination(6.0, 2.0).widths == 3


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_a_lead_of_t_is_expected_to_win_73_percent_by_the_system_itself(name: str) -> None:
    system = SYSTEMS[name](SYSTEMS[name].Parameters())
    if system.temperature is None:
        return
    fresh = system.newcomers(2)
    states = States(**{field: values[None].copy() for field, values in vars(fresh).items()})
    states.rating[0, 0] += system.temperature
    states.deviation[:] = np.where(np.isnan(states.deviation), np.nan, 1e-9)
    forecast = system.predict(states, (1, 1))
    assert forecast.win[0, 0] + forecast.draw[0] / 2 == pytest.approx(0.731, abs=5e-4)


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_logistic_systems_win_ten_duels_for_each_one_lost_with_a_lead_of_400(name: str) -> None:
    """Without draws, for Laurel: its model of them leaves sums of points, not their ratio."""
    draws = {"draws": 0.0} if name == "laurel" else {}
    system = SYSTEMS[name](SYSTEMS[name].Parameters(**draws))
    if not system.is_logistic:
        return
    fresh = system.newcomers(2)
    states = States(**{field: values[None].copy() for field, values in vars(fresh).items()})
    states.rating[0, 0] += 400 * system.scale
    states.deviation[:] = np.where(np.isnan(states.deviation), np.nan, 1e-9)
    win, loss = system.predict(states, (1, 1)).win[0]
    assert win / loss == pytest.approx(10, rel=0.03)


def test_which_systems_are_logistic() -> None:
    known = {name for name, system in SYSTEMS.items() if system(system.Parameters()).is_logistic}
    assert known == {"codeforces", "elo", "fermi", "glicko", "glicko-2", "laurel"}
