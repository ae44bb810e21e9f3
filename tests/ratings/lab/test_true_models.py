"""Laurel at its defaults in leagues whose true model is known, against the best forecasts there."""

import numpy as np
import pytest

from ratings.lab.synthetic import World, generate
from ratings.lab.trial import split_at, try_system
from ratings.registry import build
from tests.support.published import published
from tests.support.true_models import (
    League,
    best_forecasts,
    history_of,
    losses,
    result_of,
    simulate,
)

pytestmark = pytest.mark.slow

LEAGUES = {
    "many matches": League(),
    "few matches": League(players=400, matches=6_000),
    "much luck": League(spread=0.25, drift=0.007),
    "little luck": League(spread=2.0, drift=0.055),
    "changing": League(drift=0.07),
    "newcomers": League(players=200, joining=True),
    "teams": League(players=60, team=3),
    "margins": League(margin=12.0),
    "margins that say nothing": League(margin=12.0, telling=False),
    "home advantage": League(home=0.5, margin=3.0),
    "draws": League(half=0.4),
    "contexts": League(context=0.25),
}


@pytest.mark.parametrize("name", LEAGUES)
def test_laurel_forecasts_nearly_as_well_as_anybody_could(name: str) -> None:
    league = LEAGUES[name]
    meetings = simulate(league)
    history = history_of(league, meetings)
    half = split_at(history, 0.5)
    forecasts = np.fromiter(best_forecasts(league, meetings), dtype=float)
    results = np.array([result_of(meeting, league) for meeting in meetings])
    best = float(losses(forecasts, results)[half:].mean())
    found = try_system(build("laurel"), history, half, lambda: 0.0)
    assert 0.999 < found.log_loss / best < 1.01
    # Three deviations of a slope that was known exactly, in the league of few matches.
    assert found.slope == pytest.approx(1, abs=0.15 if name == "few matches" else 0.05)


def test_nothing_else_forecasts_free_for_alls_better() -> None:
    """Not even TrueSkill at the parameters of the simulation."""
    world = World(players=200, rounds=1500, entrants=8)
    history = generate(world, np.random.default_rng(3)).history
    half = split_at(history, 0.5)
    names = ("laurel", "bar", "elo-mmr", "fermi", "glicko", "glicko-2", "trueskill")
    systems = {name: build(name) for name in names} | {"told": published("trueskill:elo-mmr")}
    found = {
        name: try_system(system, history, half, lambda: 0.0).log_loss
        for name, system in systems.items()
    }
    assert min(found, key=found.__getitem__) == "laurel", found
