"""Ratings go by places only, unless an arena counts the margin of the score."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.registry import SYSTEMS, build, find
from tests.support.rating_histories import batch_of, bits, states_of
from tests.support.system_properties import properties_of


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_scores_move_no_rating_unless_margins_count(name: str) -> None:
    """A win by 2:1 counts like one by 100:99 or 10:1, whatever a player's side scored."""
    counts_margins = "margin" in find(name).Parameters.model_fields
    system = build(name, {"margin": "none"} if counts_margins else {})
    sizes = (2, 2) if properties_of(name).rates((2, 2)) else (1, 1)
    rng = np.random.default_rng(1)
    states = states_of(rng.uniform(800, 2200, (3, sum(sizes))))
    states.volatility[:] = system.newcomers(1).volatility
    batch = batch_of(sizes, [[0, 1], [1, 0], [0, 0]])
    narrow = replace(batch, scores=np.array([[2.0, 1.0], [99.0, 100.0], [7.0, 7.0]]))
    wide = replace(batch, scores=np.array([[10.0, 1.0], [0.0, 100.0], [0.0, 0.0]]))
    without = bits(system.rate(states, batch).after)
    for scored in (narrow, wide):
        assert bits(system.rate(states, scored).after) == without
