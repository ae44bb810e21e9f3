"""Histories rated in compiled code and with NumPy, to compare the bits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

from ratings import compiled
from ratings.history import History, Match
from ratings.replay import steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.system import RatingSystem
    from ratings.types import States

ELO_MMR: list[dict[str, object]] = [
    {},
    {"rho": math.inf, "split_ties": True, "drift_per_day": 9, "margin": "clear"},
    {"parametrisation": "paper", "beta": 90, "gamma": 0.5, "history_limit": 3},
    {"noob_delay": [0.3, 0.7], "weight_limit": 0.001, "sig_limit": 1, "drift_per_day": 1},
]
"""Parameters of Elo-MMR that the compiled loop knows."""


def by_numpy(system: RatingSystem, history: History, states: States | None = None) -> States:
    table = system.newcomers(len(history.players)) if states is None else states.copy()
    for _ in steps(system, history, table):
        pass
    return table


def in_compiled_code(
    system: RatingSystem, history: History, states: States | None = None
) -> States:
    table = system.newcomers(len(history.players)) if states is None else states.copy()
    with patch.multiple(compiled, FEWEST=1, FEWEST_STARTED=1):
        assert compiled.rate_all(system, history, table)
    return table


def history_of(played: list[Match], unplayed: Sequence[int]) -> History:
    """Return a history without professions, in which some matches were not played."""
    some = [replace(match, played=at not in unplayed) for at, match in enumerate(played)]
    history = History.build(some)
    return replace(
        history, professions=[""], profession=np.zeros(len(history.player), dtype=np.int64)
    )
