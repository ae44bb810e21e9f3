"""A handicap makes a race even although its matches are not."""

import numpy as np
import pytest

from league.services.results.forecasts.handicaps import (
    EVEN,
    NEARLY_EVEN,
    Race,
    chance_in,
    fair_race,
)


@pytest.mark.parametrize(
    ("chance", "race"),
    [
        (0.5, Race(1, 1)),
        (0.54, Race(1, 1)),
        (0.6, Race(3, 2)),
        (0.7, Race(2, 1)),
        (0.3, Race(1, 2)),
        (0.8, Race(3, 1)),
        (0.92, Race(8, 1)),
        (0.99, None),
        (1.0, None),
        (0.0, None),
    ],
)
def test_the_favourite_needs_more_wins(chance: float, race: Race | None) -> None:
    assert fair_race(chance) == race


@pytest.mark.parametrize("chance", np.linspace(0.07, 0.93, 44).tolist())
def test_a_suggested_race_is_about_even(chance: float) -> None:
    race = fair_race(chance)
    assert race
    assert abs(chance_in(race, chance) - 0.5) <= NEARLY_EVEN
    if 0.1 < chance < 0.9:
        assert abs(chance_in(race, chance) - 0.5) <= EVEN
    other = fair_race(1 - chance)
    assert other == Race(race.second, race.first)


def test_the_chance_in_a_race_is_what_playing_it_gives() -> None:
    generator, race, chance = np.random.default_rng(1), Race(4, 3), 0.6
    games = generator.random((20_000, race.first + race.second - 1)) < chance
    won = games.sum(axis=1) >= race.first
    assert chance_in(race, chance) == pytest.approx(won.mean(), abs=0.01)
