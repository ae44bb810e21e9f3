"""Option to leave ratings unchanged in matches where all sides tie."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.tunables.parameters import parameter
from ratings.types import Outcome, widen

if TYPE_CHECKING:
    from ratings.types import Batch, States

UNCHANGED = frozenset({"surprise", "weight", "step", "change"})
"""Terms that become 0 if the rating does not change."""


def ignore_all_tied() -> Any:
    """Declare the parameter. It is off by default, as a tie is information."""
    return parameter(
        default=False,
        label="Ignore matches without a winner",
        description="If enabled, a match in which all sides tie only adds to the number of games "
        "played. Otherwise, a tie pulls the ratings of the tied players together.",
        source="Elo-MMR reference implementation",
    )


def undo_all_tied(rated: Outcome, idle: States, batch: Batch) -> Outcome:
    """Return ``rated`` with matches in which all sides tie reset to ``idle`` ``(m, p)``."""
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
