"""Matches in which all sides tie, for those who want them to change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.tunables.parameters import parameter
from ratings.types import Outcome, widen

if TYPE_CHECKING:
    from ratings.types import Batch, States

UNCHANGED = frozenset({"surprise", "weight", "step", "change"})
"""Terms that are 0 where nothing moves."""


def ignore_all_tied() -> Any:
    """Declare the parameter, off by default: a tie is information."""
    return parameter(
        default=False,
        label="Ignore matches without a winner",
        description="Whether a match in which all sides tie changes nothing but the number of "
        "games played. Otherwise it draws the ratings of those who tied together.",
        source="Elo-MMR reference implementation",
    )


def put_back(rated: Outcome, idle: States, batch: Batch) -> Outcome:
    """``rated`` with everyone in a match without a winner left at ``idle`` ``(m, p)``."""
    tied = (batch.places == batch.places[:, :1]).all(axis=-1)[:, None]
    width = max(idle.memory.shape[-1], rated.after.memory.shape[-1])
    after = replace(
        rated.after,
        rating=np.where(tied, idle.rating, rated.after.rating),
        deviation=np.where(tied, idle.deviation, rated.after.deviation),
        volatility=np.where(tied, idle.volatility, rated.after.volatility),
        memory=np.where(
            tied[..., None], widen(idle.memory, width), widen(rated.after.memory, width)
        ),
    )
    terms = {
        name: np.where(tied, 0.0, values) if name in UNCHANGED else values
        for name, values in rated.terms.items()
    }
    if "performance" in terms:
        terms["performance"] = np.where(tied, idle.rating, terms["performance"])
    return Outcome(after, terms)
