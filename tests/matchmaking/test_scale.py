"""Rules count in points of chess, whatever the points of the ratings."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaking.expected import win_chance
from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS
from ratings.points.history import side_odds
from ratings.registry import build
from tests.support.effort import examples
from tests.support.laurel_ticks import SEEDS, any_queue

SCALES = st.sampled_from([2.0**-9, 2.0**-8, 0.5, 4.0])
"""Powers of two, which change no digit."""


@pytest.mark.parametrize("name", list(MATCHERS))
@given(seed=SEEDS, length=st.integers(0, 60), scale=SCALES)
@settings(max_examples=examples(12), deadline=None)
def test_the_same_queue_in_other_points_makes_the_same_matches(
    name: str, seed: int, length: int, scale: float
) -> None:
    queue, rules = any_queue(seed, length)
    other = replace(queue, rating=queue.rating * scale, deviation=queue.deviation * scale)
    ticks = [
        MATCHERS[name].match(
            each, theirs, now=1000.0, generator=np.random.default_rng(seed), forecast=None
        )
        for each, theirs in ((queue, rules), (other, rules.on_scale(scale)))
    ]
    assert [match.tickets for match in ticks[0].matches] == [
        match.tickets for match in ticks[1].matches
    ]


def test_the_scale_of_elo_is_that_of_chess() -> None:
    rules = PRESETS["recommended"].rules()
    assert rules.on_scale(build("elo").scale) == rules


@given(
    ratings=st.lists(st.floats(500, 2800), min_size=2, max_size=10),
    deviations=st.lists(st.floats(30, 350), min_size=10, max_size=10),
)
@settings(max_examples=examples(50), deadline=None)
def test_without_a_season_the_forecast_is_that_of_glicko_2(
    ratings: list[float], deviations: list[float]
) -> None:
    """The system of arenas in files, which the live queue asks as well."""
    size = len(ratings) // 2
    count = 2 * size
    system = build("glicko-2")
    states = system.newcomers(count)
    states.rating[:], states.deviation[:] = ratings[:count], deviations[:count]
    odds = side_odds(
        system, states.take(np.arange(count)[np.newaxis]), (size, size), np.zeros(1, dtype=np.int64)
    )
    first, other = np.array(ratings[:size]), np.array(ratings[size:count])
    variance = np.array(2 * np.mean(np.square(deviations[:count])))
    assert win_chance(first.mean() - other.mean(), variance, 400.0) == pytest.approx(
        odds[0, 0], abs=1e-9
    )
