"""Forecasts with everything that systems leave to others: the first side and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.contests import first_side
from ratings.contests.draws import with_draws
from ratings.history import NEITHER
from ratings.types import Batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.system import RatingSystem
    from ratings.types import Forecast, Integers, States


def predict(system: RatingSystem, before: States, batch: Batch) -> Forecast:
    """Predict a batch from the stored states ``(m, p)``, knowing all of it but its result."""
    seen = first_side.seen_by_first(system, before, batch)
    return with_draws(system, system.predict_batch(seen, batch))


def forecast(
    system: RatingSystem,
    states: States,
    sizes: Sequence[int],
    times: Integers,
    first: Integers | None,
) -> Forecast:
    """Predict ``m`` matches of one shape, of which only the ``first`` sides ``(m,)`` are known."""
    if first is None or (first == NEITHER).all():
        return with_draws(system, system.predict(states, sizes, times))
    shape, by_side = states.rating.shape, (len(times), len(sizes))
    batch = Batch(
        sizes=tuple(sizes),
        players=np.zeros(shape, dtype=np.int64),
        places=np.zeros(by_side, dtype=np.int64),
        scores=np.full(by_side, np.nan),
        seconds=np.full(shape, np.nan),
        quits=np.zeros(shape, dtype=np.bool_),
        professions=np.zeros(shape, dtype=np.int64),
        times=times,
        weights=np.ones(len(times)),
        perf_ceilings=np.full(len(times), np.inf),
        first=first,
    )
    return predict(system, states, batch)
